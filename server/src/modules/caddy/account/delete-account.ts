import type { Answer, Body, caddy as contract } from '#contract';
import { graceDays } from '#contract/caddy/rules';
import type { Ctx } from '../../../platform/context.ts';
import { enqueueIn } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { fileKeysOf } from '../../../platform/files.ts';
import { deleteMailsTo, queueMail } from '../../../platform/mail.ts';
import type { Http } from '../../../platform/routes.ts';
import { forgetFailures, revokeSessionsIn } from '../../identity/index.ts';
import { heldNumbers, returnToCarrier } from '../../numbers/index.ts';
import { eraseAccountJob } from '../job-kinds.ts';
import { stopNumber } from '../numbers/manage-numbers.ts';
import { dayFor, planOf } from '../present.ts';
import { attemptKey, type Target } from '../rules.ts';
import { sendCode, useCode } from '../sign-in/send-code.ts';
import { accountRow, changeAccount, type AccountRow } from '../store.ts';
import { accountsToErase, eraseRows } from './store-due.ts';

// The system role: sessions and who signs in belong to no company, and erasing goes through all tables.

/** Where the code for the end goes: whatever the account signs in with. */
const targetsOf = ({ email, phone }: AccountRow): Target[] => [
  ...(email ? [{ channel: 'email' as const, subject: email.toLowerCase() }] : []),
  ...(phone ? [{ channel: 'phone' as const, subject: phone }] : []),
];

/**
 * Deletes the account in two steps. Its numbers stop and its sessions end at once; signing in again
 * within 30 days keeps it. @throws ApiError `caddy.code_wrong`, `caddy.code_over`
 */
export async function deleteAccount(
  ctx: Ctx,
  http: Http,
  body: Body<typeof contract.deleteCaddyAccount>,
): Promise<Answer<typeof contract.deleteCaddyAccount>> {
  const account = (await accountRow(ctx.db.unscoped, ctx.companyId)) ?? notFound();
  const target = targetsOf(account)[0] ?? notFound();
  const asked = { purpose: 'delete', target, accountId: ctx.companyId } as const;
  if (!body.code) return { data: await sendCode(ctx, http, asked, body.device?.id) };
  await useCode(ctx, asked, body.code);
  const eraseAt = new Date(ctx.now.getTime() + graceDays * 86_400_000);
  const { isPaid, day } = await ctx.transaction(async (t) => {
    for (const { id, status } of await heldNumbers(t.tx, t.companyId))
      if (status === 'active') await stopNumber(t, id, 'Account deleted');
    await changeAccount(t.tx, t.companyId, { erase_at: eraseAt, updated_at: t.now });
    return {
      isPaid: (await planOf(t.tx, t.companyId)).plan !== 'free',
      day: await dayFor(t.tx, account, eraseAt),
    };
  });
  await ctx.db.systemTransaction((tx) =>
    revokeSessionsIn(tx, { personId: account.person_id }, ctx.now),
  );
  const message = `Your account is erased on ${day}. Sign in before then to keep it.${isPaid ? ' A subscription of an app store goes on until you end it there.' : ''}`;
  if (account.email)
    await queueMail(ctx, {
      to: account.email,
      subject: 'Your account will be deleted',
      text: message,
      html: `<p>${message}</p>`,
      key: `caddy-deleted:${ctx.companyId}:${eraseAt.toISOString()}`,
    });
  return { data: { erasedAt: eraseAt.toISOString(), message } };
}

/** Job by the clock: erases accounts whose 30 days are over. */
export async function findErasable(ctx: Ctx): Promise<void> {
  for (const companyId of await accountsToErase(ctx.db.unscoped, ctx.now))
    await enqueueIn(ctx.db.unscoped, eraseAccountJob, { companyId });
}

/**
 * Job: erases an account: numbers go back to their carriers, then every row, then the files' bytes.
 * Throws while a number can't be returned or rows are left, so that it is tried again.
 */
export async function eraseAccount(ctx: Ctx): Promise<void> {
  const { companyId } = ctx;
  const account = await accountRow(ctx.db.unscoped, companyId);
  if (!account?.erase_at || account.erase_at > ctx.now) return;
  const held = await ctx.transaction((t) => heldNumbers(t.tx, companyId));
  for (const { id: numberId } of held) await returnToCarrier(ctx, { numberId });
  if ((await ctx.transaction((t) => heldNumbers(t.tx, companyId))).length)
    throw new Error(`numbers of account ${companyId} aren’t back at their carriers`);
  const keys = await ctx.db.systemTransaction(async (tx) => {
    const files = await fileKeysOf(tx, companyId);
    if (account.email) await deleteMailsTo(tx, account.email);
    for (const target of targetsOf(account)) await forgetFailures(tx, attemptKey(target));
    const left = await eraseRows(tx, companyId);
    if (left.length) throw new Error(`account ${companyId} has rows in ${left.join(', ')}`);
    return files;
  });
  for (const key of keys) await ctx.files.blobs.remove(key);
}
