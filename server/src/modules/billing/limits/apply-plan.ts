import { lackingFeatures, plans } from '#contract/billing/rules';
import { withTx, type Ctx } from '../../../platform/context.ts';
import { setPlan } from '../../companies/index.ts';
import { isIndividual } from './individual.ts';
import { subscriptionOf, type SubscriptionRow } from '../store-subscription.ts';

// The system role: settings of an organization are above companies.

/** What a subscription allows; null: everything, as without billing and before a first plan. */
const allowed = (row: SubscriptionRow | undefined) =>
  row?.plan && row.state !== 'not_subscribed' ? plans[row.plan] : null;

/**
 * Subscriber: features and people of the company follow its plan. Individuals have all features.
 * Run again, nothing changes.
 */
export async function applyPlan(ctx: Ctx): Promise<void> {
  await ctx.db.systemTransaction(async (tx) => {
    const where = { tx, companyId: ctx.companyId };
    const isFree = ctx.settings.billing === 'off' || (await isIndividual(where));
    const plan = isFree ? null : allowed(await subscriptionOf(tx, ctx.companyId));
    // The relay polls, so nothing needs to wake it.
    const t = withTx(ctx, tx, { markDirty: () => {}, notify: () => {} });
    await setPlan(t, {
      lacks: plan ? lackingFeatures(plan.features) : [],
      seats: plan ? plan.included.seats : null,
    });
  });
}
