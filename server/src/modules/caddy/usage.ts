import { caddy as contract, type Answer } from '#contract';
import type { TxCtx } from '../../platform/context.ts';
import {
  currentPeriod,
  individualAllowance,
  subscriptionOf,
  usageSimple,
} from '../billing/index.ts';
import { heldNumbers } from '../numbers/index.ts';
import { allowanceOf } from './numbers/plan-of-numbers.ts';
import { planOf } from './present.ts';
import { accountRow } from './store.ts';

type Usage = Answer<typeof contract.getCaddyUsage>['data'];

/** What was used in the running period: the subscription's, or the calendar month. */
export async function usageOf(t: TxCtx): Promise<Usage> {
  const row = await subscriptionOf(t.tx, t.companyId);
  const { plan, subscriptionStatus } = await planOf(t.tx, t.companyId);
  const { from, to } = currentPeriod(row, t.now);
  const { voice_minutes, text_credits } = (await usageSimple(t)).data;
  const allowance = await individualAllowance(t, row);
  const held = await heldNumbers(t.tx, t.companyId);
  return {
    plan,
    subscriptionStatus,
    renewsAt: subscriptionStatus === 'active' ? to.toISOString() : null,
    period: { start: from.toISOString(), end: to.toISOString() },
    minutes: { used: voice_minutes.used, included: allowance?.voice_minutes ?? null },
    texts: { used: text_credits.used, included: allowance?.text_credits ?? null },
    numbers: {
      used: held.filter(({ status }) => status === 'active').length,
      included: (await allowanceOf(t.tx, t.companyId)).numbers,
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
