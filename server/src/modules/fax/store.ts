/** SQL for faxes; the only file of this module that contains SQL. */
import type { Selectable } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import type { Tables } from '../../platform/tables.ts';
import type { VisibleNumbers } from '../conversations/index.ts';

export type FaxRow = Selectable<Tables['fax']>;
/** A rendered page; width and height are in pixels as displayed. */
export interface PageImage {
  fileId: number;
  width: number;
  height: number;
}

interface NewFax {
  company_id: number;
  number_id: number;
  outgoing: boolean;
  party: string;
  state: string;
  name: string;
  cover: string | null;
  source_file_ids: number[];
  source_url: string | null;
  pages: number;
  carrier: string;
  provider_id: string | null;
  actor_id: number | null;
  actor_name: string | null;
  queued_at: Date;
  created_at: Date;
}
/** Inserts a fax; `undefined` if the carrier reported this incoming one before. */
export const insertFax = (tx: Tx, fax: NewFax): Promise<FaxRow | undefined> =>
  tx
    .insertInto('fax')
    .values(fax)
    .onConflict((c) => c.doNothing())
    .returningAll()
    .executeTakeFirst();

/**
 * A fax by id; `undefined` if it is missing or its number is not among `visibleNumbers` (null:
 * all). `lock` locks the row.
 */
export const faxById = (
  tx: Tx,
  companyId: number,
  id: number,
  visibleNumbers: VisibleNumbers,
  lock = false,
): Promise<FaxRow | undefined> => {
  let q = tx.selectFrom('fax').selectAll().where('company_id', '=', companyId).where('id', '=', id);
  if (visibleNumbers)
    q = q.where('number_id', 'in', visibleNumbers.length ? [...visibleNumbers] : [0]);
  return (lock ? q.forUpdate() : q).executeTakeFirst();
};
/** The fax that the carrier knows by this ID. Undefined: none. */
export const faxByProviderRef = (
  tx: Tx,
  companyId: number,
  carrier: string,
  providerId: string,
): Promise<FaxRow | undefined> =>
  tx
    .selectFrom('fax')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('carrier', '=', carrier)
    .where('provider_id', '=', providerId)
    .executeTakeFirst();
/**
 * The fax with a carrier's id. Runs as the system role, because the company is not known yet.
 * Undefined: none.
 */
export const outboundFaxByProviderId = (db: Tx, carrier: string, providerId: string) =>
  db
    .selectFrom('fax')
    .select(['company_id', 'id', 'attempts'])
    .where('provider_id', '=', providerId)
    .where('carrier', '=', carrier)
    .where('outgoing', '=', true)
    .executeTakeFirst();

export type FaxPatch = Partial<{
  state: string;
  conversation_id: number;
  item_id: number;
  pages: number;
  page_images: string;
  pdf_file_id: number;
  tiff_file_id: number;
  error_code: string | null;
  error_text: string | null;
  attempts: number;
  tries: number;
  carrier: string;
  provider_id: string | null;
  queued_at: Date;
  ended_at: Date | null;
}>;
/** Changes columns of a fax and returns it. Fails when it doesn't exist. */
export const updateFax = (
  tx: Tx,
  companyId: number,
  id: number,
  change: FaxPatch,
): Promise<FaxRow> =>
  tx
    .updateTable('fax')
    .set(change)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Stored files in the order of the ids, leaving out deleted ones. */
export const storedFilesByIds = async (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<{ id: number; key: string; name: string }[]> => {
  if (!ids.length) return [];
  const rows = await tx
    .selectFrom('file')
    .select(['id', 'key', 'name'])
    .where('company_id', '=', companyId)
    .where('id', 'in', [...ids])
    .where('deleted_at', 'is', null)
    .execute();
  return ids.flatMap((id) => rows.find((r) => r.id === id) ?? []);
};
/** Whether the fax's item is still in its conversation. A deleted one is not sent. */
export const itemExists = async (
  tx: Tx,
  companyId: number,
  itemId: number | null,
): Promise<boolean> =>
  itemId !== null &&
  (await tx
    .selectFrom('conversation_item')
    .select('id')
    .where('company_id', '=', companyId)
    .where('id', '=', itemId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()) !== undefined;
