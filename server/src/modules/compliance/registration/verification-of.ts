import type { RegistrationStatus } from '#contract/registration-lists';
import type { Tx } from '../../../platform/db.ts';
import { numberStatus } from './rules.ts';
import { numberStanding } from './store.ts';

/** Where a number stands now, for the module that shows it. Null: it is part of no registration that was ever sent. */
export async function verificationOf(
  tx: Tx,
  companyId: number,
  numberId: number,
): Promise<{ status: RegistrationStatus; campaignId: number; reason: string | null } | null> {
  const at = await numberStanding(tx, companyId, numberId);
  return at?.review
    ? { status: numberStatus(at.state, at.review), campaignId: at.campaign_id, reason: at.reason }
    : null;
}
