import { auditPerson } from '../../../platform/audit.ts';
import { enqueueIn, systemCtx, type Ctx, type Services } from '../../../platform/context.ts';
import { removeUser } from '../../companies/index.ts';
import { endPersonAccess } from '../../identity/index.ts';
import { accountErasureJob } from './job-kinds.ts';
import { ErasureRefusal } from './refusal.ts';
import { accountToErase, eraseAccountRows, setHeld, type AccountToErase } from './store.ts';

// The system role: an account belongs to no company, and erasing it goes through all tables.

const noAccount = (email: string): never => {
  throw new ErasureRefusal(`No account has the address ${email}.`);
};

/** A company's context for work that no one waits for. */
export const operatorCtx = (services: Services, companyId: number): Ctx =>
  systemCtx(services, companyId, { markDirty: () => {}, notify: () => {} }, 'operator');

/** Why an account can't be erased; null: it can. `names`: the companies or organizations it is about. */
export function whatStops(
  account: AccountToErase,
): { why: 'held' | 'staff' | 'owner' | 'last_administrator'; names: string[] } | null {
  if (account.heldBecause !== null) return { why: 'held', names: [] };
  if (account.isStaff) return { why: 'staff', names: [] };
  const owned = account.companies.filter(({ role }) => role === 'owner');
  if (owned.length) return { why: 'owner', names: owned.map(({ name }) => name) };
  if (account.organizations.length)
    return { why: 'last_administrator', names: account.organizations };
  return null;
}

/** @throws ErasureRefusal with what the operator does first */
function refuseStopped(account: AccountToErase): void {
  if (account.isIndividual)
    throw new ErasureRefusal('The account is one of Caddy. It is deleted in the app.');
  const stop = whatStops(account);
  if (!stop) return;
  const names = stop.names.join(', ');
  throw new ErasureRefusal(
    {
      held: `The account is under legal hold: ${account.heldBecause}`,
      staff: 'The account is platform staff. Take that away first.',
      owner: `They own ${names}. Transfer the ownership first.`,
      last_administrator: `${names} would have no owner or administrator. Add one first.`,
    }[stop.why],
  );
}

/** What erasing an account does: the companies it leaves. @throws ErasureRefusal with what to do */
export async function checkAccount(services: Services, email: string) {
  const account = (await accountToErase(services.db.unscoped, { email })) ?? noAccount(email);
  refuseStopped(account);
  return account;
}

/**
 * Erases an account: it leaves its companies as one who is removed there, everything it signs in with
 * ends, and its name and address are replaced wherever they were written. Running it again after a
 * failure goes on. @throws ErasureRefusal
 */
export async function eraseAccount(
  services: Services,
  email: string,
): Promise<{ companies: { id: number; name: string }[] }> {
  const { id, companies } = await checkAccount(services, email);
  const ctx = operatorCtx(services, 0);
  await ctx.db.systemTransaction((tx) => auditPerson(ctx, tx, id, 'user.erased'));
  await eraseEverywhere(ctx, { id }, companies);
  return { companies };
}

/** Carries out what the account's person began; one that is erased already stays so. @throws ErasureRefusal */
export async function finishErasure(ctx: Ctx, personId: number): Promise<void> {
  const account = await accountToErase(ctx.db.unscoped, { id: personId });
  if (!account?.isErasing) return;
  refuseStopped(account);
  await eraseEverywhere(ctx, { id: personId }, account.companies);
}

async function eraseEverywhere(
  ctx: Ctx,
  whose: { id: number },
  companies: readonly { id: number }[],
): Promise<void> {
  for (const company of companies)
    await ctx.actingIn(company.id, ['platform']).transaction((t) => removeUser(t, whose.id));
  await endPersonAccess(ctx, whose.id);
  await ctx.db.systemTransaction(async (tx) => {
    const account = await accountToErase(tx, whose);
    if (!account) return;
    // A hold, a company or an organization of a moment ago.
    refuseStopped(account);
    if (account.companies.length)
      throw new ErasureRefusal('The account was changed meanwhile. Try again.');
    await eraseAccountRows(tx, account, ctx.now);
  });
}

/**
 * Holds an account, so that it can't be erased; null ends the hold, and erases the account if its
 * person deleted it meanwhile. @throws ErasureRefusal
 */
export async function holdAccount(
  services: Services,
  email: string,
  because: string | null,
): Promise<void> {
  if (because !== null && (because.trim() === '' || because.length > 500))
    throw new ErasureRefusal('Enter a reason of at most 500 characters.');
  await services.db.systemTransaction(async (tx) => {
    if (!(await setHeld(tx, email, because))) noAccount(email);
    const account = await accountToErase(tx, { email });
    if (because === null && account?.isErasing)
      await enqueueIn(tx, accountErasureJob, { personId: account.id });
  });
}
