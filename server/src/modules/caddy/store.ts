import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import type { Tables } from '../../platform/tables.ts';

export type AccountRow = Selectable<Tables['caddy_account']>;
export type AccountPatch = Omit<Updateable<Tables['caddy_account']>, 'company_id' | 'id'>;

/** Opens an account. */
export const insertAccount = (tx: Tx, account: Insertable<Tables['caddy_account']>) =>
  tx.insertInto('caddy_account').values(account).returningAll().executeTakeFirstOrThrow();

/** An account; undefined: there is none, or it isn't this transaction's. */
export const accountRow = (tx: Tx, accountId: number): Promise<AccountRow | undefined> =>
  tx.selectFrom('caddy_account').selectAll().where('company_id', '=', accountId).executeTakeFirst();

/** The same, locked until the transaction ends; undefined as above. */
export const lockAccount = (tx: Tx, accountId: number): Promise<AccountRow | undefined> =>
  tx
    .selectFrom('caddy_account')
    .selectAll()
    .where('company_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst();

/** All accounts. */
export const accountIds = async (tx: Tx): Promise<number[]> =>
  (await tx.selectFrom('caddy_account').select('company_id').execute()).map(
    (row) => row.company_id,
  );

/** Changes an account and returns it. */
export const changeAccount = (tx: Tx, accountId: number, patch: AccountPatch) =>
  tx
    .updateTable('caddy_account')
    .set(patch)
    .where('company_id', '=', accountId)
    .returningAll()
    .executeTakeFirstOrThrow();
