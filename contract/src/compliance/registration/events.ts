import { event } from '../../kit.ts';
import type * as payloads from './payloads.ts';

export const smsVerificationChanged = event<typeof payloads.smsVerificationChanged>({
  name: 'sms-verification.changed',
  channel: 'companies',
  invalidates: ['listSmsCampaigns', 'getSmsCampaign'],
});

/**
 * The registration status of one number; for the numbers module. `none`: no longer in a
 * registration.
 */
export const numberVerificationChanged = event<typeof payloads.numberVerificationChanged>({
  name: 'number.verification_changed',
  channel: null,
});
