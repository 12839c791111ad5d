import { registryBrandFeeCents, type RegistrationCarrier } from '../../gateways/registration.ts';
import { registrationWorkflow } from '../shared/registration-workflow.ts';
import { classifyError } from './api.ts';
import type { TwilioClient } from './client.ts';
import { advanceBrand } from './registration-brand.ts';
import { endBrand, syncServiceNumbers } from './registration-campaign.ts';
import { advanceTollFree, endTollFree } from './registration-toll-free.ts';

/**
 * Registration at Twilio: bundles, brand and campaign (10DLC), or a verification of each toll-free
 * number.
 */
export const twilioRegistration = (client: TwilioClient): RegistrationCarrier =>
  registrationWorkflow('twilio', client.store, {
    advance: (key, record) =>
      record.documents.kind === 'toll_free'
        ? advanceTollFree(client, key, record)
        : advanceBrand(client, key, record),
    syncNumbers: (key, record) =>
      record.documents.kind === 'toll_free'
        ? advanceTollFree(client, key, record)
        : syncServiceNumbers(client, record),
    end: (key, record) =>
      record.documents.kind === 'toll_free'
        ? endTollFree(client, key, record)
        : endBrand(client, key, record),
    // Includes Twilio's charge for secondary vetting, which a low-volume brand skips.
    brandCents: (lowVolume) => (lowVolume ? registryBrandFeeCents : 4600),
    objectionsIn(error) {
      const failure = classifyError(error);
      if (failure.is !== 'refused' || failure.status === 401 || failure.status === 404) return null;
      return [
        {
          code: String(failure.code || 'refused'),
          text: failure.reason,
          fix: 'Fix the reported problem, then submit again.',
        },
      ];
    },
  });
