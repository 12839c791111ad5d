import { apiErrorText, type Answer, type ownAccount as contract } from '#contract';
import { auditPerson } from '../../../platform/audit.ts';
import { enqueueIn, type Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { fail, notFound } from '../../../platform/errors.ts';
import { endPersonAccess } from '../../identity/index.ts';
import { whatStops } from '../operator-erasing/erase-account.ts';
import { accountErasureJob } from '../operator-erasing/job-kinds.ts';
import { accountToErase, markErasing, type AccountToErase } from '../operator-erasing/store.ts';
import { whatStaysOfAccounts } from '../operator-erasing/traces.ts';

// The system role: an account belongs to no company.

/** Locked in a transaction. `not_found`: another's. */
async function accountOf(ctx: Ctx, tx: Tx, userId: number): Promise<AccountToErase> {
  if (userId !== ctx.actor.userId) notFound();
  return (await accountToErase(tx, { id: userId })) ?? notFound();
}

/** Why someone can't delete their account, and the companies or organizations it is about. */
function stopOf(account: AccountToErase) {
  const stop = whatStops(account);
  if (stop) return { code: `account.${stop.why}` as const, names: stop.names };
  // Whoever manages an account decides when it ends; the operator can still erase it.
  return account.managedBy.length
    ? { code: 'account.managed' as const, names: account.managedBy }
    : null;
}

/** What deleting one's own account does, and what is in its way. `not_found`: another's. */
export async function previewOwnErasure(
  ctx: Ctx,
  userId: number,
): Promise<Answer<typeof contract.previewOwnErasure>> {
  const account = await accountOf(ctx, ctx.db.unscoped, userId);
  const stop = stopOf(account);
  return {
    data: {
      email: account.email,
      companies: account.companies.map(({ id, name }) => ({ id, name })),
      stop: stop && { ...stop, message: apiErrorText(stop.code, {}) },
      stays: whatStaysOfAccounts.map(({ what, why }) => ({ what, why })),
    },
  };
}

/**
 * Ends one's own account at once, and queues the job that erases what is theirs. `not_found`,
 * `account.other_email`, and why it can't be deleted.
 */
export async function eraseOwnAccount(ctx: Ctx, userId: number, email: string): Promise<void> {
  await ctx.db.systemTransaction(async (tx) => {
    const account = await accountOf(ctx, tx, userId);
    if (email.toLowerCase() !== account.email.toLowerCase()) fail('account.other_email');
    const stop = stopOf(account);
    if (stop) fail(stop.code);
    await auditPerson(ctx, tx, userId, 'user.erased_own');
    await markErasing(tx, userId, ctx.now);
    await enqueueIn(tx, accountErasureJob, { personId: userId });
  });
  await endPersonAccess(ctx, userId);
}
