import type { Services, TxCtx } from '../../../platform/context.ts';
import { systemCtx, withTx } from '../../../platform/context.ts';
import { audit } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/db.ts';
import { resumeTimers } from '../../conversations/index.ts';
import { eraseAgain } from '../erasing/erased-numbers.ts';
import type { OpenArchive } from './open-archive.ts';
import { removeUser } from '../../companies/index.ts';
import { eraseAccountRowsIn } from '../operator-erasing/store.ts';
import { refuse } from './refusal.ts';
import { countWaiting, erasedPeople, roleIn } from './store-import.ts';

/**
 * Campaigns and scheduled texts that will be sent from here, and texts whose time was before the
 * import: nobody knows whether they were sent, so they aren't.
 */
export interface Waiting {
  campaigns: number;
  scheduled: number;
  overdue: number;
}

/** The staff member who imports, for the audit log of the company. */
export interface ImportedBy {
  userId: number;
  name: string;
  reason: string;
}

interface Resumed {
  services: Services;
  archive: Pick<OpenArchive, 'manifest'>;
  tx: Tx;
  by: ImportedBy | undefined;
}

/** What the archive doesn't have: the audit log's row of the import, and the jobs of what waits. */
export async function resume({
  services,
  archive,
  tx,
  by,
}: Resumed): Promise<{ waiting: Waiting; erasedNumbers: number; erasedAccounts: number }> {
  const { company, created_at } = archive.manifest;
  // The relay polls, so nothing needs to wake it.
  const asleep = { markDirty: () => {}, notify: () => {} };
  const t = withTx(systemCtx(services, company.id, asleep, 'operator'), tx, asleep);
  const change = { after: { created_at } };
  await audit(by ? actingFor(t, by) : t, 'archive.imported', `company:${company.id}`, change);
  const erasedNumbers = await eraseAgain(t, new Date(created_at));
  const erasedAccounts = await eraseAccountsAgain(t);
  const waiting = { campaigns: await countWaiting(tx, company.id), ...(await resumeTimers(t)) };
  return { waiting, erasedNumbers, erasedAccounts };
}

/** The same for a staff member in admin mode, whom the log then names. */
function actingFor(t: TxCtx, { userId, name, reason }: ImportedBy): TxCtx {
  const entry = { id: 0, staffId: userId, reason, endsAt: t.now, mayWrite: true };
  const admin = { ...entry, openedCompanyIds: [], isRemote: false };
  return { ...t, actor: { ...t.actor, kind: 'user', userId, name, staff: true, admin } };
}

/** Erases again whose account was erased here after the archive was written. Returns how many. */
async function eraseAccountsAgain(t: TxCtx): Promise<number> {
  const people = await erasedPeople(t.tx);
  for (const person of people) {
    const role = await roleIn(t.tx, t.companyId, person.id);
    if (role === 'owner')
      refuse(
        'The account of the company’s owner was erased here. Import an archive that was written after the ownership was transferred.',
      );
    if (role) await removeUser(t, person.id);
    await eraseAccountRowsIn(t.tx, t.companyId, person);
  }
  return people.length;
}
