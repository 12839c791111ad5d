import { caddy as contract, type Answer } from '#contract';
import { freePlan, invitationReward } from '#contract/caddy/rules';
import type { TxCtx } from '../../platform/context.ts';
import { currentPeriod, subscriptionOf, usageSimple } from '../billing/index.ts';
import { heldNumbers } from '../numbers/index.ts';
import { countRewards } from './invitations/store-invitations.ts';
import { planOf } from './present.ts';
import { accountRow } from './store.ts';

type Usage = Answer<typeof contract.getCaddyUsage>['data'];

/** What was used in the running period: the subscription's, or the calendar month. */
export async function usageOf(t: TxCtx): Promise<Usage> {
  const row = await subscriptionOf(t.tx, t.companyId);
  const { plan, subscriptionStatus } = await planOf(t.tx, t.companyId);
  const { from, to } = currentPeriod(row, t.now);
  const { voice_minutes, text_credits, numbers } = (await usageSimple(t)).data;
  const isFree = plan === 'free';
  const held = await heldNumbers(t.tx, t.companyId);
  const rewards = await countRewards(t.tx, t.companyId);
  const rewarded = (included: number | null, each: number) =>
    included === null ? null : included + rewards * each;
  const minutes = isFree ? freePlan.voice_minutes : voice_minutes.included;
  const texts = isFree ? freePlan.text_credits : text_credits.included;
  return {
    plan,
    subscriptionStatus,
    renewsAt: subscriptionStatus === 'active' ? to.toISOString() : null,
    period: { start: from.toISOString(), end: to.toISOString() },
    minutes: { used: voice_minutes.used, included: rewarded(minutes, invitationReward.minutes) },
    texts: { used: text_credits.used, included: rewarded(texts, invitationReward.texts) },
    numbers: {
      used: held.filter(({ status }) => status === 'active').length,
      included: isFree ? freePlan.numbers : numbers.included,
    },
  };
}

/** Tells the account's open apps what was used. */
export async function publishUsage(t: TxCtx): Promise<void> {
  // The channel's key: events of a person and of an account are both for one alone.
  await t.publish(contract.caddyBillingUsageUpdated, await usageOf(t), { userId: t.companyId });
}

/** Subscriber: a call or text of an account changed what it used. Companies have no such account. */
export async function followUsage(t: TxCtx): Promise<void> {
  if (await accountRow(t.tx, t.companyId)) await publishUsage(t);
}
