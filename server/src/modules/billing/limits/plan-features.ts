import { planFeatures, plans, type PlanFeature } from '#contract/billing/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { fail } from '../../../platform/errors.ts';
import { subscriptionOf } from '../store-subscription.ts';
import { isIndividual } from './individual.ts';

type Where = Pick<TxCtx, 'tx' | 'companyId' | 'settings'>;

/**
 * Whether the company's plan has a feature; without billing and before a first plan it has all, and so
 * have individuals.
 */
export async function hasPlanFeature(t: Where, feature: PlanFeature): Promise<boolean> {
  if (t.settings.billing === 'off') return true;
  const row = await subscriptionOf(t.tx, t.companyId);
  if (!row?.plan || row.state === 'not_subscribed') return true;
  if (row.state !== 'expired' && plans[row.plan].features.includes(feature)) return true;
  return isIndividual(t);
}

/** Fails with `feature.plan` for a feature that the company's plan lacks. */
export async function requirePlanFeature(t: Where, feature: PlanFeature): Promise<void> {
  if (!(await hasPlanFeature(t, feature))) fail('feature.plan', { feature: planFeatures[feature] });
}
