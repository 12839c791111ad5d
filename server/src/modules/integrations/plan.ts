import type { PlanFeature } from '#contract/billing/rules';
import { isFeatureOn, type FeatureName } from '#contract/numbers/features/rules';
import type { TxCtx } from '../../platform/context.ts';
import { hasPlanFeature, requirePlanFeature } from '../billing/index.ts';
import { companyRow } from '../companies/index.ts';

/** The part of a plan that a provider belongs to; without one, every plan has it. */
const planFeatureOf: Readonly<Record<string, PlanFeature>> = {
  ga4: 'google_analytics',
  adf: 'adf',
};

/** The switch of the company that stops a provider; without one, nothing does. */
const switchOf: Readonly<Record<string, FeatureName>> = { webhooks: 'webhooks' };

/** Whether the company's plan has a provider, and the company hasn't turned it off. */
export async function isProviderOn(t: TxCtx, provider: string): Promise<boolean> {
  const feature = planFeatureOf[provider];
  if (feature !== undefined && !(await hasPlanFeature(t, feature))) return false;
  const name = switchOf[provider];
  if (name === undefined) return true;
  return isFeatureOn((await companyRow(t.tx, t.companyId))?.settings, name);
}

/** Fails with `feature.plan` for a provider that the company's plan lacks. */
export async function requireProviderInPlan(t: TxCtx, provider: string): Promise<void> {
  const feature = planFeatureOf[provider];
  if (feature) await requirePlanFeature(t, feature);
}
