import type { RegistrationStatus } from '#contract/compliance/registration/lists';
import type { Tx } from '../../../platform/db.ts';
import { numberStatus } from './rules.ts';
import { numberRegistration } from './store-numbers.ts';

/**
 * A number's registration status, for the numbers module. Null if it is in no registration that was
 * submitted.
 */
export async function verificationOf(
  tx: Tx,
  companyId: number,
  numberId: number,
): Promise<{ status: RegistrationStatus; campaignId: number; reason: string | null } | null> {
  const registration = await numberRegistration(tx, companyId, numberId);
  return registration?.review
    ? {
        status: numberStatus(registration.state, registration.review),
        campaignId: registration.campaign_id,
        reason: registration.reason,
      }
    : null;
}
