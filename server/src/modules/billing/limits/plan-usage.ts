import {
  planComponentNames,
  planComponents,
  plans,
  usageComponents,
  type PlanComponent,
} from '#contract/billing/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { companyRow } from '../../companies/index.ts';
import { subscriptionOf } from '../store-subscription.ts';
import { currentPeriod, pricedUsage } from '../usage/read-usage.ts';
import { spendLimitOf } from './spend-limit.ts';

/**
 * How far a company's plan is used up in its period, and what it spends beyond it in cents; null: it
 * has no plan. `limit` null: it may spend as much as it likes.
 */
export async function planUsage(t: Pick<TxCtx, 'tx' | 'companyId' | 'now'>): Promise<{
  pools: { component: PlanComponent; label: string; used: number; included: number }[];
  spend: { cents: number; limit: number | null };
} | null> {
  const row = await subscriptionOf(t.tx, t.companyId);
  if (!row?.plan || row.state === 'expired' || row.state === 'not_subscribed') return null;
  const { included } = plans[row.plan];
  const { priced } = await pricedUsage(t, row, currentPeriod(row, t.now));
  return {
    pools: planComponentNames.flatMap((component) => {
      const most = included[component];
      const used = priced
        .filter((one) => usageComponents[one.component].draws === component)
        .reduce((sum, one) => sum + one.used, 0);
      return most ? [{ component, label: planComponents[component], used, included: most }] : [];
    }),
    spend: {
      cents: priced.reduce((sum, one) => sum + one.overage_cents, 0),
      limit: spendLimitOf((await companyRow(t.tx, t.companyId))?.settings),
    },
  };
}
