import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

export const smsVerificationChanged = event<typeof payloads.smsVerificationChanged>({
  name: 'sms-verification.changed',
  channel: 'companies',
  touches: ['listSmsCampaigns', 'getSmsCampaign'],
});

/** Heard by numbers: where one number stands now. `none`: it belongs to no registration any more. */
export const numberVerificationChanged = event<typeof payloads.numberVerificationChanged>({
  name: 'number.verification_changed',
  channel: null,
});
