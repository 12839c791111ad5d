import type { PlanFeature } from '#contract/billing/rules';
import type { TxCtx } from '../../platform/context.ts';
import { hasPlanFeature, requirePlanFeature } from '../billing/index.ts';

/** The part of a plan that a provider belongs to; without one, every plan has it. */
const planFeatureOf: Readonly<Record<string, PlanFeature>> = {
  ga4: 'google_analytics',
  adf: 'adf',
};

/** Whether the company's plan has a provider. */
export async function isProviderInPlan(t: TxCtx, provider: string): Promise<boolean> {
  const feature = planFeatureOf[provider];
  return feature === undefined || hasPlanFeature(t, feature);
}

/** Fails with `feature.plan` for a provider that the company's plan lacks. */
export async function requireProviderInPlan(t: TxCtx, provider: string): Promise<void> {
  const feature = planFeatureOf[provider];
  if (feature) await requirePlanFeature(t, feature);
}
