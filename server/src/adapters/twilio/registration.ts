import { brandOnlyCents, type RegistrationCarrier } from '../../ports/registration.ts';
import { registrationBySteps } from '../registration-steps.ts';
import { whatBecame } from './api.ts';
import type { Desk } from './desk.ts';
import { bringBrand, endBrand, numbersOfBrand } from './registration-brand.ts';
import { bringTollFree, endTollFree } from './registration-toll-free.ts';

/** Registered texting at Twilio: a business's bundles, brand and campaign (10DLC), or a verification of each toll-free number. */
export const twilioRegistration = (desk: Desk): RegistrationCarrier =>
  registrationBySteps('twilio', desk.book, {
    bring: (key, now) =>
      now.papers.kind === 'toll_free' ? bringTollFree(desk, key, now) : bringBrand(desk, key, now),
    numbers: (key, now) =>
      now.papers.kind === 'toll_free' ? bringTollFree(desk, key, now) : numbersOfBrand(desk, now),
    end: (key, now) =>
      now.papers.kind === 'toll_free' ? endTollFree(desk, key, now) : endBrand(desk, key, now),
    // Secondary vetting is Twilio's own charge; a brand of low volume goes without.
    brandCents: (lowVolume) => (lowVolume ? brandOnlyCents : 4600),
    refusal(error) {
      const became = whatBecame(error);
      if (became.is !== 'refused' || became.status === 401 || became.status === 404) return null;
      return [
        {
          code: String(became.code || 'refused'),
          text: became.reason,
          fix: 'Change what was objected to, then submit again.',
        },
      ];
    },
  });
