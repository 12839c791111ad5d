import { freePlan, invitationReward } from '#contract/caddy/rules';
import { plans, type PlanComponent } from '#contract/billing/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { companyRow } from '../../companies/index.ts';
import type { SubscriptionRow } from '../store-subscription.ts';

type Where = Pick<TxCtx, 'tx' | 'companyId'>;

/** What an individual may use in a period; null: as much as they like. */
type Allowance = Partial<Record<PlanComponent, number | null>>;

/** Whether a company is an individual's account, which has rules of its own (decision 0196). */
export const isIndividual = async (t: Where): Promise<boolean> =>
  (await companyRow(t.tx, t.companyId))?.kind === 'caddy';

/**
 * What an individual may use in a period: what their plan includes, or the free one while none
 * runs, and what friends who came add to it. Null: the company is no individual's.
 */
export async function individualAllowance(
  t: Where,
  row: SubscriptionRow | undefined,
): Promise<Allowance | null> {
  const company = await companyRow(t.tx, t.companyId);
  if (company?.kind !== 'caddy') return null;
  const isOver = !row || row.state === 'not_subscribed' || row.state === 'expired';
  const { voice_minutes: minutes, text_credits: texts } =
    !isOver && row.plan ? plans[row.plan].included : freePlan;
  const rewarded = (included: number | null, each: number): number | null =>
    included === null ? null : included + company.invitation_rewards * each;
  return {
    voice_minutes: rewarded(minutes, invitationReward.minutes),
    text_credits: rewarded(texts, invitationReward.texts),
  };
}
