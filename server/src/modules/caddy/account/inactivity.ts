import type { Answer, caddy as contract } from '#contract';
import { inactivity } from '#contract/caddy/rules';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { heldNumbers, releaseOrRestore } from '../../numbers/index.ts';
import { checkInactivityJob } from '../job-kinds.ts';
import { mailAccount } from '../mail-account.ts';
import { dayFor, planOf } from '../present.ts';
import { accountRow, changeAccount, lockAccount, type AccountRow } from '../store.ts';
import { publishUsage } from '../usage.ts';
import { unopenedAccounts } from './store-due.ts';
import { enqueueIn } from '../../../platform/context.ts';

// The system role: the job looks through all accounts.

const dayMs = 86_400_000;
const after = (at: Date, days: number) => new Date(at.getTime() + days * dayMs);
type Inactivity = Answer<typeof contract.getCaddyInactivity>['data'];

/** The last call, text or opening of the app. */
async function lastActivityOf(t: TxCtx, account: AccountRow): Promise<Date> {
  const held = await heldNumbers(t.tx, t.companyId);
  const uses = held.flatMap(({ last_call_at: call, last_message_at: text }) => [call, text]);
  const times = [account.last_opened_at, ...uses].flatMap((at) => (at ? [+new Date(at)] : []));
  return new Date(Math.max(...times));
}

/** How an account stands (A26): on a paid plan nothing is ever removed. @throws ApiError `not_found` */
export async function getInactivity(t: TxCtx): Promise<Answer<typeof contract.getCaddyInactivity>> {
  const account = (await accountRow(t.tx, t.companyId)) ?? notFound();
  return { data: await standingOf(t, account) };
}

async function standingOf(t: TxCtx, account: AccountRow): Promise<Inactivity> {
  const last = await lastActivityOf(t, account);
  const lastActivityAt = last.toISOString();
  if ((await planOf(t.tx, t.companyId)).plan !== 'free')
    return { lastActivityAt, warnAt: null, removalAt: null, status: 'active', message: null };
  const warned = account.warned_at !== null && account.warned_at > last ? account.warned_at : null;
  const warnAt = warned ?? after(last, inactivity.warnDays);
  const removalAt = after(warnAt, inactivity.removalDays);
  const isNear = after(removalAt, -inactivity.scheduledDays) <= t.now;
  return {
    lastActivityAt,
    warnAt: warnAt.toISOString(),
    removalAt: removalAt.toISOString(),
    status: warned === null ? 'active' : isNear ? 'scheduled' : 'warned',
    message:
      warned === null
        ? null
        : `You haven’t used your number for a while. Call or text with it before ${await dayFor(t.tx, account, removalAt)}, or it’s removed.`,
  };
}

/** Job by the clock: looks at each account whose app wasn't opened for so long. */
export async function findInactive(ctx: Ctx): Promise<void> {
  const before = after(ctx.now, -inactivity.warnDays);
  for (const companyId of await unopenedAccounts(ctx.db.unscoped, before))
    await enqueueIn(ctx.db.unscoped, checkInactivityJob, { companyId });
}

/** Job: warns an account that no one uses, and removes its numbers 30 days later. */
export async function checkInactivity(ctx: Ctx): Promise<void> {
  await ctx.transaction(async (t) => {
    const account = await lockAccount(t.tx, t.companyId);
    if (!account || account.erase_at) return;
    const { warnAt, removalAt, status, message } = await standingOf(t, account);
    if (!warnAt || !removalAt || new Date(warnAt) > t.now) return;
    if (status === 'active') {
      await changeAccount(t.tx, t.companyId, { warned_at: t.now });
      const { message: warning } = await standingOf(t, { ...account, warned_at: t.now });
      return mailAccount(t, account, {
        ...{ subject: 'Use your number to keep it', text: warning ?? '' },
        key: `caddy-inactive:${t.companyId}:${t.now.toISOString()}`,
      });
    }
    if (new Date(removalAt) > t.now || message === null) return;
    for (const { id, status: state } of await heldNumbers(t.tx, t.companyId))
      if (state === 'active')
        await releaseOrRestore(t, id, { undo: false, reason: 'Not used', keepDays: 0 });
    await publishUsage(t);
  });
}
