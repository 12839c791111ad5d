/** What is set of connected accounts, and the places they deliver to. */
import type { Selectable, Updateable } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';
import type { DestinationRow } from '../store.ts';

export type AccountRow = Selectable<Tables['oauth_integration']>;

/** What is set of the company's accounts, by the ID of their connection. */
export const accountRows = async (tx: Tx, companyId: number): Promise<Map<number, AccountRow>> => {
  const rows = await tx
    .selectFrom('oauth_integration')
    .selectAll()
    .where('company_id', '=', companyId)
    .execute();
  return new Map(rows.map((row) => [row.connection_id, row]));
};

/** The same of one, locked until the transaction ends. Undefined: it isn't set up yet. */
export const lockAccount = (
  tx: Tx,
  companyId: number,
  connectionId: number,
): Promise<AccountRow | undefined> =>
  tx
    .selectFrom('oauth_integration')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('connection_id', '=', connectionId)
    .forUpdate()
    .executeTakeFirst();

/** Makes sure that there is a row, and locks it; throws when the connection is gone. */
export async function ensureAccount(
  tx: Tx,
  companyId: number,
  connectionId: number,
  now: Date,
): Promise<AccountRow> {
  await tx
    .insertInto('oauth_integration')
    .values({
      company_id: companyId,
      connection_id: connectionId,
      state: 'connected',
      updated_at: now,
    })
    .onConflict((conflict) => conflict.columns(['company_id', 'connection_id']).doNothing())
    .execute();
  return tx
    .selectFrom('oauth_integration')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('connection_id', '=', connectionId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

/** Changes what is set of an account; none of this ID is no error. */
export const patchAccount = (
  tx: Tx,
  companyId: number,
  connectionId: number,
  values: Updateable<Tables['oauth_integration']>,
) =>
  tx
    .updateTable('oauth_integration')
    .set(values)
    .where('company_id', '=', companyId)
    .where('connection_id', '=', connectionId)
    .execute();

/** Forgets what was set of an account, with the places it delivered to and their logs. */
export async function deleteAccount(tx: Tx, companyId: number, connectionId: number) {
  await tx
    .deleteFrom('destination')
    .where('company_id', '=', companyId)
    .where('connection_id', '=', connectionId)
    .execute();
  await tx
    .deleteFrom('oauth_integration')
    .where('company_id', '=', companyId)
    .where('connection_id', '=', connectionId)
    .execute();
}

/** The places that the company's accounts deliver to, oldest first. */
export const accountPlaces = (tx: Tx, companyId: number): Promise<DestinationRow[]> =>
  tx
    .selectFrom('destination')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('connection_id', 'is not', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();

/** Adds a place of an account, or changes the one of its key. */
export const upsertPlace = (
  tx: Tx,
  row: {
    company_id: number;
    connection_id: number;
    place_key: string;
    provider: string;
    name: string;
    status: 'active' | 'inactive';
    config: string;
    rules: string;
    created_by: number | null;
    created_at: Date;
    updated_at: Date;
  },
) => {
  const { name, status, config, rules, updated_at } = row;
  return tx
    .insertInto('destination')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['company_id', 'connection_id', 'place_key'])
        .where('connection_id', 'is not', null)
        .doUpdateSet({ name, status, config, rules, updated_at }),
    )
    .execute();
};

/** Removes the places of an account whose keys aren't among these, with their logs. */
export const deleteOtherPlaces = (
  tx: Tx,
  companyId: number,
  connectionId: number,
  keys: readonly string[],
) =>
  tx
    .deleteFrom('destination')
    .where('company_id', '=', companyId)
    .where('connection_id', '=', connectionId)
    .where('place_key', 'not in', ['', ...keys])
    .execute();
