import type { UsageComponent } from '#contract/billing/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { lockedSubscription } from '../store-subscription.ts';
import { requireRoom } from './room.ts';
import { setReservation } from './store-reservations.ts';

/**
 * Reserves so much of a component for a cause (`campaign:12`) until its usage is written, or it
 * ends. Reserved again, it is the new quantity. Two at once can't exceed a limit together. Fails as
 * `requireRoom`.
 */
export async function reserve(
  t: TxCtx,
  { cause, component, quantity }: { cause: string; component: UsageComponent; quantity: number },
): Promise<void> {
  if (t.settings.billing === 'off') return;
  await lockedSubscription(t.tx, t.companyId, { now: t.now, provider: t.settings.billing });
  await requireRoom(t, component, quantity, { cause });
  await setReservation(t.tx, t.companyId, { cause, component, quantity, at: t.now });
}
