import { formatPhone } from '#contract';
import { removalDays } from '#contract/caddy/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { heldNumbers } from '../../numbers/index.ts';
import { mailAccount } from '../mail-account.ts';
import { lockAccount } from '../store.ts';
import { publishUsage } from '../usage.ts';
import { stopNumber } from './manage-numbers.ts';
import { allowanceOf } from './plan-of-numbers.ts';
import { lastUseOf } from './present-number.ts';

/**
 * Subscriber: the plan of an account changed. Numbers beyond it stop, those first that weren't used for
 * longest; their person can choose others for 30 days. Companies have no such account.
 */
export async function followPlan(t: TxCtx): Promise<void> {
  const account = await lockAccount(t.tx, t.companyId);
  if (!account) return;
  const { numbers: allowed } = await allowanceOf(t.tx, t.companyId);
  const active = (await heldNumbers(t.tx, t.companyId))
    .filter(({ status }) => status === 'active')
    .toSorted((a, b) => (lastUseOf(b) ?? 0) - (lastUseOf(a) ?? 0) || a.id - b.id);
  const beyond = active.slice(allowed);
  for (const { id } of beyond) await stopNumber(t, id, 'Not in the plan');
  if (beyond.length > 0)
    await mailAccount(t, account, {
      subject: 'Your plan has fewer numbers now',
      text: `Your plan has ${allowed === 1 ? 'one number' : `${allowed} numbers`}, so ${beyond.map(({ number }) => formatPhone(number)).join(', ')} stopped. For ${removalDays} days you can choose which one to keep, or upgrade, in Caddy under Numbers.`,
      key: `caddy-plan:${t.companyId}:${t.now.toISOString()}`,
    });
  await publishUsage(t);
}
