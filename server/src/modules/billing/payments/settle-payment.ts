import type { Ctx } from '../../../platform/context.ts';
import { settlePaymentJob } from '../job-kinds.ts';
import { knownCharge, runCharge } from './charge-balance.ts';
import { storeOutcome } from './store-outcome.ts';
import { attemptById } from './store-payments.ts';

/** How long a charge may wait for the person to confirm it. */
const confirmHours = 24;
const askAgainMs = 10 * 60_000;

/**
 * Brings a charge to its end that the request which made it left open: its process died, or the
 * person has to confirm it. After a day it is given up.
 */
export async function settlePayment(ctx: Ctx, attemptId: number): Promise<void> {
  const provider = ctx.gateways.payments;
  const attempt = await ctx.readOnly((t) => attemptById(t.tx, t.companyId, attemptId));
  if (!provider || !attempt || attempt.settled_at) return;
  const age = ctx.now.getTime() - new Date(attempt.created_at).getTime();
  if (attempt.state === 'confirm' && age > confirmHours * 3_600_000) {
    const given = await provider.cancelCharge(knownCharge(attempt));
    if (given) await ctx.transaction((t) => storeOutcome(t, attempt, given));
    return;
  }
  const outcome = await runCharge(ctx, provider, attempt);
  if (outcome.state !== 'confirm') return;
  await ctx.transaction((t) =>
    t.enqueue(
      settlePaymentJob,
      { attemptId },
      { delayMs: askAgainMs, key: `billing.settle:${t.companyId}:${attemptId}` },
    ),
  );
}
