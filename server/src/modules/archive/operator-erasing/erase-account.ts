import { auditPerson } from '../../../platform/audit.ts';
import { systemCtx, type Ctx, type Services } from '../../../platform/context.ts';
import { removeUser } from '../../companies/index.ts';
import { endPersonAccess } from '../../identity/index.ts';
import { ErasureRefusal } from './refusal.ts';
import { accountToErase, eraseAccountRows, setHeld } from './store.ts';

// The system role: an account belongs to no company, and erasing it goes through all tables.

const noAccount = (email: string): never => {
  throw new ErasureRefusal(`No account has the address ${email}.`);
};

/** A company's context for work that no one waits for. */
export const operatorCtx = (services: Services, companyId: number): Ctx =>
  systemCtx(services, companyId, { markDirty: () => {}, notify: () => {} }, 'operator');

/** What erasing an account does: the companies it leaves. @throws ErasureRefusal with what to do */
export async function checkAccount(services: Services, email: string) {
  const account = (await accountToErase(services.db.unscoped, email)) ?? noAccount(email);
  if (account.heldBecause !== null)
    throw new ErasureRefusal(`The account is under legal hold: ${account.heldBecause}`);
  if (account.isStaff)
    throw new ErasureRefusal('The account is platform staff. Take that away first.');
  if (account.isIndividual)
    throw new ErasureRefusal('The account is one of Caddy. It is deleted in the app.');
  const owned = account.companies.filter(({ role }) => role === 'owner');
  if (owned.length)
    throw new ErasureRefusal(
      `They own ${owned.map(({ name }) => name).join(', ')}. Transfer the ownership first.`,
    );
  if (account.organizations.length)
    throw new ErasureRefusal(
      `${account.organizations.join(', ')} would have no owner or administrator. Add one first.`,
    );
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
  for (const company of companies)
    await operatorCtx(services, company.id).transaction((t) => removeUser(t, id));
  await endPersonAccess(ctx, id);
  await ctx.db.systemTransaction(async (tx) => {
    const account = await accountToErase(tx, email);
    // A hold or a new company of a moment ago.
    if (!account) return;
    if (account.heldBecause !== null || account.companies.length)
      throw new ErasureRefusal('The account was changed meanwhile. Try again.');
    await eraseAccountRows(tx, account, ctx.now);
  });
  return { companies };
}

/** Holds an account, so that it can't be erased; null ends the hold. @throws ErasureRefusal */
export async function holdAccount(
  services: Services,
  email: string,
  because: string | null,
): Promise<void> {
  if (because !== null && (because.trim() === '' || because.length > 500))
    throw new ErasureRefusal('Enter a reason of at most 500 characters.');
  if (!(await setHeld(services.db.unscoped, email, because))) noAccount(email);
}
