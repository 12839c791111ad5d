import { sql, type Selectable } from 'kysely';
import { oneRow, type Tx } from '../../../platform/db.ts';
import type { Tables } from '../../../platform/tables.ts';
import { hasFolded } from '../../../platform/folded.ts';

export type LabelRow = Selectable<Tables['contact_label']>;

/** A contact label. Undefined: none of this ID. */
export const labelById = (tx: Tx, companyId: number, id: number): Promise<LabelRow | undefined> =>
  tx
    .selectFrom('contact_label')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst();
/** Contact labels in no order; unknown IDs are left out. */
export const labelsByIds = (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<LabelRow[]> =>
  ids.length
    ? tx
        .selectFrom('contact_label')
        .selectAll()
        .where('company_id', '=', companyId)
        .where('id', 'in', [...ids])
        .execute()
    : Promise.resolve([]);
/** The label of this name in any case. Undefined: none. */
export const labelByName = (
  tx: Tx,
  companyId: number,
  label: string,
): Promise<LabelRow | undefined> =>
  tx
    .selectFrom('contact_label')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('label_key', '=', label.trim().toLowerCase())
    .executeTakeFirst();
/** The labels of these names in any case; unknown names are left out. */
export const labelsByNames = (
  tx: Tx,
  companyId: number,
  names: readonly string[],
): Promise<LabelRow[]> =>
  names.length
    ? tx
        .selectFrom('contact_label')
        .selectAll()
        .where('company_id', '=', companyId)
        .where(
          'label_key',
          'in',
          names.map((name) => name.trim().toLowerCase()),
        )
        .execute()
    : Promise.resolve([]);
/** Creates the labels of these names that don't exist yet. */
export async function insertLabels(
  tx: Tx,
  companyId: number,
  names: readonly string[],
  by: number | null,
  at: Date,
): Promise<void> {
  if (!names.length) return;
  await sql`insert into contact_label (company_id, label, created_by, created_at)
    select ${companyId}, name, ${by}, ${at} from unnest(${[...names].sort()}::text[]) name
    on conflict (company_id, label_key) do nothing`.execute(tx);
}
/** The IDs of all contact labels. */
export const labelIds = async (tx: Tx, companyId: number): Promise<number[]> =>
  (
    await tx.selectFrom('contact_label').select('id').where('company_id', '=', companyId).execute()
  ).map((r) => r.id);

/** A page of labels with their number of contacts, and how many labels there are. */
export async function labelPage(
  tx: Tx,
  companyId: number,
  filter: {
    search: string | undefined;
    sort: 'label' | 'createdAt';
    dir: 'asc' | 'desc';
    limit: number;
    offset: number;
  },
): Promise<{ rows: (LabelRow & { contacts: number })[]; total: number }> {
  const where = filter.search
    ? sql`l.company_id = ${companyId}
      and ${hasFolded(sql`l.label`, filter.search)}`
    : sql`l.company_id = ${companyId}`;
  const direction = sql.raw(filter.dir);
  const order =
    filter.sort === 'label'
      ? sql`folded(l.label) ${direction}, l.id ${direction}`
      : sql`l.created_at ${direction}, l.id ${direction}`;
  const { rows } = await sql<
    LabelRow & { contacts: number }
  >`select l.*, (select count(*)::int from contact_label_use u
      join contact c on c.company_id = u.company_id and c.id = u.contact_id and c.deleted_at is null
      where u.company_id = l.company_id and u.label_id = l.id) contacts
    from contact_label l
      where ${where} order by ${order} limit ${filter.limit} offset ${filter.offset}`.execute(tx);
  const total = (
    await oneRow(tx, sql<{ n: number }>`select count(*)::int n from contact_label l where ${where}`)
  ).n;
  return { rows, total };
}
/** How many contacts have the label, without deleted ones. */
export const countUses = async (tx: Tx, companyId: number, labelId: number): Promise<number> =>
  (
    await oneRow(
      tx,
      sql<{
        n: number;
      }>`select count(*)::int n from contact_label_use u
      join contact c on c.company_id = u.company_id and c.id = u.contact_id and c.deleted_at is null
      where u.company_id = ${companyId} and u.label_id = ${labelId}`,
    )
  ).n;
/** Creates a label; undefined: the name is taken. */
export const insertLabel = (
  tx: Tx,
  row: { company_id: number; label: string; created_by: number | null; created_at: Date },
): Promise<LabelRow | undefined> =>
  tx
    .insertInto('contact_label')
    .values(row)
    .onConflict((c) => c.columns(['company_id', 'label_key']).doNothing())
    .returningAll()
    .executeTakeFirst();
/** Renames a label and returns it. Fails when it doesn't exist. */
export const renameLabel = (
  tx: Tx,
  companyId: number,
  id: number,
  label: string,
): Promise<LabelRow> =>
  tx
    .updateTable('contact_label')
    .set({ label })
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
/** Deletes a label. Undefined: there was none. */
export const deleteLabel = (tx: Tx, companyId: number, id: number) =>
  tx
    .deleteFrom('contact_label')
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst();

/** Gives contacts a label and returns the IDs of those that didn't have it. */
export const insertUses = async (
  tx: Tx,
  companyId: number,
  labelId: number,
  contactIds: readonly number[],
  at: Date,
): Promise<number[]> =>
  (
    await sql<{
      contact_id: number;
    }>`insert into contact_label_use (company_id, label_id, contact_id, added_at)
      select ${companyId}, ${labelId}, i, ${at}
      from unnest(${[...contactIds].sort((a, b) => a - b)}::bigint[]) i
      on conflict do nothing returning contact_id`.execute(tx)
  ).rows.map((r) => r.contact_id);
/** Gives contacts their labels; those they already have stay. */
export const insertManyUses = async (
  tx: Tx,
  companyId: number,
  pairs: readonly { labelId: number; contactId: number }[],
  at: Date,
): Promise<void> => {
  if (pairs.length)
    await sql`insert into contact_label_use (company_id, label_id, contact_id, added_at)
      select ${companyId}, l, i, ${at} from unnest(${pairs.map((p) => p.labelId)}::bigint[],
        ${pairs.map((p) => p.contactId)}::bigint[]) m(l, i) on conflict do nothing`.execute(tx);
};
/** Takes a label off contacts and returns the IDs of those that had it. */
export const deleteUses = async (
  tx: Tx,
  companyId: number,
  labelId: number,
  contactIds: readonly number[],
): Promise<number[]> =>
  (
    await sql<{
      contact_id: number;
    }>`delete from contact_label_use where company_id = ${companyId} and label_id = ${labelId}
      and contact_id = any(${[...contactIds]}::bigint[]) returning contact_id`.execute(tx)
  ).rows.map((r) => r.contact_id);
/** The labels of these contacts, by name. */
export const labelsOfContacts = async (
  tx: Tx,
  companyId: number,
  contactIds: readonly number[],
): Promise<{ contact_id: number; id: number; label: string }[]> =>
  contactIds.length
    ? (
        await sql<{
          contact_id: number;
          id: number;
          label: string;
        }>`select u.contact_id, l.id, l.label from contact_label_use u join contact_label l
          on l.company_id = u.company_id and l.id = u.label_id where u.company_id = ${companyId}
          and u.contact_id = any(${[...contactIds]}::bigint[]) order by folded(l.label)`.execute(tx)
      ).rows
    : [];
