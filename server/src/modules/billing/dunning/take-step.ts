import { billing as contract } from '#contract';
import { dayOfStep, dunningSteps, type DunningStep } from '#contract/billing/rules';
import { audit } from '../../../platform/audit.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { companyRow, setSuspended } from '../../companies/index.ts';
import { tellBillingPeople } from '../contacts/tell-billing-people.ts';
import { balanceOf } from '../ledger/store-ledger.ts';
import { isIndividual } from '../limits/individual.ts';
import { collect } from '../payments/collect.ts';
import {
  lockedSubscription,
  patchSubscription,
  subscriptionOf,
  type SubscriptionRow,
} from '../store-subscription.ts';
import { noUsageMonth } from '../periods/period.ts';
import { noDunning } from './past-due.ts';
import { dunningWords, individualDunningWords } from './words.ts';

/**
 * The least time between two steps: after a standstill of the server none is skipped, and each
 * leaves time to pay.
 */
const leastGapMs = 20 * 3_600_000;

const isDue = (row: SubscriptionRow | undefined, now: Date): row is SubscriptionRow =>
  row?.dunning_next_at != null && new Date(row.dunning_next_at) <= now;

/**
 * Takes the step of dunning that is due, after the card on file was tried once more. False: none
 * was due, or the card was charged.
 */
export async function takeDunningStep(ctx: Ctx): Promise<boolean> {
  const row = await ctx.readOnly((t) => subscriptionOf(t.tx, t.companyId));
  if (!isDue(row, ctx.now)) return false;
  if (row.state === 'retry_period' && row.card_reference) await collect(ctx);
  return ctx.transaction((t) => takeStep(t));
}

async function takeStep(t: TxCtx): Promise<boolean> {
  const row = await lockedSubscription(t.tx, t.companyId, {
    now: t.now,
    provider: t.settings.billing,
  });
  if (!isDue(row, t.now)) return false;
  const step = dunningSteps[row.dunning_step];
  const since = new Date(row.dunning_since ?? t.now);
  // Individuals fall back to the free plan and keep a number.
  const isOver = step && stateOf(step) === 'expired' && (await isIndividual(t));
  if (!step || isOver || row.state !== stateOf(step)) {
    await patchSubscription(t.tx, t.companyId, noDunning, t.now);
    return false;
  }
  await tell(t, row, step, since);
  const next = dunningSteps[row.dunning_step + 1];
  await patchSubscription(
    t.tx,
    t.companyId,
    {
      dunning_step: row.dunning_step + 1,
      dunning_next_at: next
        ? new Date(Math.max(dayOfStep(since, next.day).getTime(), t.now.getTime() + leastGapMs))
        : null,
    },
    t.now,
  );
  await effects[step.does](t, row);
  await t.publish(contract.subscriptionChanged, { companyId: t.companyId });
  return true;
}

/** The state that a step belongs to; in any other one the company paid or has a plan again. */
const stateOf = ({ does }: DunningStep): SubscriptionRow['state'] =>
  does === 'warn' || does === 'release' ? 'expired' : 'retry_period';

const effects: Record<DunningStep['does'], (t: TxCtx, row: SubscriptionRow) => Promise<void>> = {
  remind: async () => {},
  warn: async () => {},
  suspend: (t) => setSuspended(t, true),
  expire: async (t, row) => {
    const step = contract.stepOf(row.state, 'grace_over');
    if ('refused' in step) return;
    await patchSubscription(
      t.tx,
      t.companyId,
      {
        state: step.to,
        period_end: t.now,
        ...noUsageMonth,
        trial_ends_at: null,
        cancel_at: null,
        pending_plan: null,
        pending_at: null,
      },
      t.now,
    );
    await audit(t, 'subscription.expired', `company:${t.companyId}`, {
      before: { plan: row.plan },
    });
  },
  release: (t) => t.publish(contract.numbersForfeited, { companyId: t.companyId }),
};

async function tell(t: TxCtx, row: SubscriptionRow, step: DunningStep, since: Date) {
  const company = await companyRow(t.tx, t.companyId);
  const facts = {
    company: company?.name ?? '',
    owedCents: await balanceOf(t.tx, t.companyId),
    since,
    reason: row.state_reason,
  };
  await tellBillingPeople(t, {
    key: `dunning:${t.companyId}:${since.getTime() + row.clock_moved_days * 86_400_000}:${step.day}`,
    ...(company?.kind === 'caddy' ? individualDunningWords : dunningWords)(step, facts),
  });
}
