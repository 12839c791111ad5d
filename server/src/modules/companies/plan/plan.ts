import { companies } from '#contract';
import { settingsChanged } from '#contract/settings/events';
import { featureKey, type FeatureName } from '#contract/numbers/features/rules';
import type { TxCtx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { fail } from '../../../platform/errors.ts';
import { recomputeSettings } from '../settings/save-settings.ts';
import { lockPlan, pendingInvitations, setPlanOf } from './store.ts';
import { countMembers } from '../store.ts';

/**
 * Notes what the company's plan allows: features that it lacks are off, whatever the settings say.
 * Needs the system role. Nothing happens if it is so already.
 */
export async function setPlan(
  t: TxCtx,
  { lacks, seats }: { lacks: readonly FeatureName[]; seats: number | null },
): Promise<void> {
  const { tx, companyId } = t;
  const before = await lockPlan(tx, companyId);
  if (!before) return;
  const changed = [...new Set([...before.plan_lacks, ...lacks])].filter(
    (name) => before.plan_lacks.includes(name) !== lacks.some((lacking) => lacking === name),
  );
  if (!changed.length && before.plan_seats === seats) return;
  await setPlanOf(tx, companyId, { lacks, seats });
  if (!changed.length) return;
  await recomputeSettings(tx, [companyId], { ip: null, now: t.now });
  await t.publish(settingsChanged, {
    companyId,
    keys: changed.map((name) => featureKey(name as FeatureName)),
  });
  await t.publish(companies.companyChanged, { companyId });
}

interface Joining {
  now: Date;
  /** Then invitations that can still be accepted take a seat as well. */
  isInvitation: boolean;
}

/** The seats of a company that are all taken; null: there is a free one. */
async function seatsTaken(tx: Tx, companyId: number, joining: Joining): Promise<number | null> {
  const seats = (await lockPlan(tx, companyId))?.plan_seats ?? null;
  if (seats === null) return null;
  const invited = joining.isInvitation ? await pendingInvitations(tx, companyId, joining.now) : 0;
  return (await countMembers(tx, companyId)) + invited >= seats ? seats : null;
}

/** Whether the plan allows one more person in the company. */
export const hasSeat = async (tx: Tx, companyId: number, joining: Joining): Promise<boolean> =>
  (await seatsTaken(tx, companyId, joining)) === null;

/** Fails with `plan.seats` when the plan allows no further person in the company. */
export async function requireSeat(tx: Tx, companyId: number, joining: Joining): Promise<void> {
  const included = await seatsTaken(tx, companyId, joining);
  if (included !== null) fail('plan.seats', { included });
}
