import type { Selectable } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';
import { hasFolded } from '../../../platform/folded.ts';
import { sql } from 'kysely';

export type CannedReplyRow = Selectable<Tables['canned_reply']>;
/** The user's own and the shared replies that hold the words, in shortcut, title or text. */
export const cannedRepliesOf = (
  tx: Tx,
  companyId: number,
  userId: number,
  search: string | undefined,
): Promise<CannedReplyRow[]> => {
  let q = tx
    .selectFrom('canned_reply')
    .selectAll()
    .where('company_id', '=', companyId)
    .where((e) => e.or([e('shared', '=', true), e('owner_id', '=', userId)]));
  if (search)
    q = q.where((e) =>
      e.or(['shortcut', 'title', 'body'].map((column) => hasFolded(sql.ref(column), search))),
    );
  return q.orderBy('shortcut').orderBy('id').limit(1000).execute();
};
/** A reply of anyone in the company. Undefined: none of this ID. */
export const cannedReplyById = (tx: Tx, companyId: number, id: number) =>
  tx
    .selectFrom('canned_reply')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst();
/** How many replies the user owns, shared ones included. */
export const countCannedReplies = async (
  tx: Tx,
  companyId: number,
  userId: number,
): Promise<number> =>
  Number(
    (
      await tx
        .selectFrom('canned_reply')
        .select((e) => e.fn.countAll().as('n'))
        .where('company_id', '=', companyId)
        .where('owner_id', '=', userId)
        .executeTakeFirstOrThrow()
    ).n,
  );
/** `undefined`: the shortcut is taken. */
export const insertCannedReply = (
  tx: Tx,
  row: {
    company_id: number;
    owner_id: number;
    owner_name: string;
    shared: boolean;
    shortcut: string;
    title: string;
    body: string;
    created_at: Date;
    updated_at: Date;
  },
): Promise<CannedReplyRow | undefined> =>
  tx
    .insertInto('canned_reply')
    .values(row)
    .onConflict((c) => c.doNothing())
    .returningAll()
    .executeTakeFirst();
/** Changes columns of a reply and returns it. Fails when it doesn't exist. */
export const updateCannedReplyRow = (
  tx: Tx,
  companyId: number,
  id: number,
  set: Partial<{
    shared: boolean;
    shortcut: string;
    title: string;
    body: string;
    updated_at: Date;
  }>,
): Promise<CannedReplyRow> =>
  tx
    .updateTable('canned_reply')
    .set(set)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
/** Deletes a reply. */
export const deleteCannedReply = (tx: Tx, companyId: number, id: number) =>
  tx.deleteFrom('canned_reply').where('company_id', '=', companyId).where('id', '=', id).execute();
/** Whether another reply that the same people see has this shortcut. */
export const isShortcutTaken = async (
  tx: Tx,
  companyId: number,
  by: { shortcut: string; shared: boolean; ownerId: number; but: number },
): Promise<boolean> =>
  Boolean(
    await tx
      .selectFrom('canned_reply')
      .select('id')
      .where('company_id', '=', companyId)
      .where('id', '<>', by.but)
      .where('shortcut', '=', by.shortcut)
      .where('shared', '=', by.shared)
      .where((e) => (by.shared ? e.lit(true) : e('owner_id', '=', by.ownerId)))
      .executeTakeFirst(),
  );
