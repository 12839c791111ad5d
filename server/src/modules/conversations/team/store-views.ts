import { sql, type Selectable } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';

export type ViewRow = Selectable<Tables['inbox_view']>;
/** The user's own views of the inbox, then the shared ones; at most 100. */
export const viewsOf = (tx: Tx, companyId: number, userId: number): Promise<ViewRow[]> =>
  tx
    .selectFrom('inbox_view')
    .selectAll()
    .where('company_id', '=', companyId)
    .where((e) => e.or([e('shared', '=', true), e('owner_id', '=', userId)]))
    .orderBy('shared')
    .orderBy('name')
    .limit(100)
    .execute();
/** A view of anyone in the company. Undefined: none of this ID. */
export const viewById = (tx: Tx, companyId: number, id: number) =>
  tx
    .selectFrom('inbox_view')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst();
/** Stores a view. Undefined: the name is taken. `filters`: JSON. */
export const insertView = (
  tx: Tx,
  row: {
    company_id: number;
    owner_id: number;
    owner_name: string;
    shared: boolean;
    name: string;
    filters: string;
    created_at: Date;
    updated_at: Date;
  },
): Promise<ViewRow | undefined> =>
  tx
    .insertInto('inbox_view')
    .values(row)
    .onConflict((c) => c.doNothing())
    .returningAll()
    .executeTakeFirst();
/** Changes columns of a view and returns it. Fails when it doesn't exist. */
export const updateView = (
  tx: Tx,
  companyId: number,
  id: number,
  set: Partial<{ shared: boolean; name: string; filters: string; updated_at: Date }>,
): Promise<ViewRow> =>
  tx
    .updateTable('inbox_view')
    .set(set)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
/** Deletes a view. */
export const deleteView = (tx: Tx, companyId: number, id: number) =>
  tx.deleteFrom('inbox_view').where('company_id', '=', companyId).where('id', '=', id).execute();
/** Whether another view has the name in any case: among shared ones, or among the owner's. */
export const isViewNameTaken = async (
  tx: Tx,
  companyId: number,
  by: { name: string; shared: boolean; ownerId: number; but: number },
): Promise<boolean> =>
  Boolean(
    await tx
      .selectFrom('inbox_view')
      .select('id')
      .where('company_id', '=', companyId)
      .where('id', '<>', by.but)
      .where(sql<boolean>`lower(name) = lower(${by.name})`)
      .where('shared', '=', by.shared)
      .where((e) => (by.shared ? e.lit(true) : e('owner_id', '=', by.ownerId)))
      .executeTakeFirst(),
  );
