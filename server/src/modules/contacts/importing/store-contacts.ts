import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { ExistingContact } from './plan-row.ts';
import { listColumns, textColumns, type ContactValues } from './rules.ts';

/** Contacts, groups and labels as an import reads and writes them: thousands in one statement. */

type ExistingContactRow = {
  found_by: string;
  id: number;
  number: string;
  unsubscribed_at: Date | null;
} & Record<(typeof textColumns)[number], string | null> &
  Record<(typeof listColumns)[number], string[]>;
const columns = [...textColumns, ...listColumns];
const selectedColumns = sql.join(columns.map((c) => sql.ref(`c.${c}`)));

/** Contacts with these numbers, or with these further numbers, held until the transaction ends (`hold`). */
export async function existingContactsByNumber(
  tx: Tx,
  companyId: number,
  numbers: readonly string[],
  lock: boolean,
): Promise<Map<string, ExistingContact>> {
  const { rows } =
    await sql<ExistingContactRow>`select c.number as found_by, c.id, c.number, c.unsubscribed_at, ${selectedColumns} from contact c where c.company_id = ${companyId} and c.number = any(${[...numbers]}::text[]) and c.deleted_at is null ${lock ? sql`order by c.number for update` : sql``}`.execute(
      tx,
    );
  // Two plain look-ups: joined, a book without statistics yet is read from end to end.
  const mergedNumbers = (
    await sql<{
      number: string;
      contact_id: number;
    }>`select n.number, n.contact_id from contact_number n where n.company_id = ${companyId} and n.number = any(${[...numbers]}::text[])`.execute(
      tx,
    )
  ).rows;
  const mergedContacts = new Map(
    mergedNumbers.length === 0
      ? []
      : (
          await sql<ExistingContactRow>`select c.number as found_by, c.id, c.number, c.unsubscribed_at, ${selectedColumns} from contact c where c.company_id = ${companyId} and c.id = any(${mergedNumbers.map((o) => o.contact_id)}::bigint[]) and c.deleted_at is null ${lock ? sql`order by c.number for update` : sql``}`.execute(
            tx,
          )
        ).rows.map((c) => [c.id, c]),
  );
  const byMergedNumber = mergedNumbers.flatMap((o) => {
    const c = mergedContacts.get(o.contact_id);
    return c ? [{ ...c, found_by: o.number }] : [];
  });
  const byId = new Map<number, ExistingContact>();
  const existingByNumber = new Map<string, ExistingContact>();
  for (const row of [...rows, ...byMergedNumber]) {
    let one = byId.get(row.id);
    if (!one) {
      const values: ContactValues = {};
      for (const c of textColumns) values[c] = row[c] ?? '';
      for (const c of listColumns) values[c] = row[c];
      byId.set(
        row.id,
        (one = {
          id: row.id,
          number: row.number,
          values,
          unsubscribed: row.unsubscribed_at !== null,
          groups: new Set(),
          labels: new Set(),
          custom: new Map(),
        }),
      );
    }
    existingByNumber.set(row.found_by, one);
  }
  return existingByNumber;
}

const recordsetColumns = sql.raw(
  `id bigint, number text, unsubscribed_at timestamptz, ${textColumns.map((c) => `${c} text`).join(', ')}, ${listColumns.map((c) => `${c} text[]`).join(', ')}`,
);
const emptyValueOf: Partial<Record<(typeof columns)[number], string>> = {
  gender: 'null',
  age_range: 'null',
  optin_type: 'null',
  type: "'Person'",
  alternative_names: "'{}'",
  secondary_emails: "'{}'",
};
const columnValue = (c: (typeof columns)[number]) =>
  `coalesce(${(listColumns as readonly string[]).includes(c) ? `x.${c}` : `nullif(x.${c}, '')`}, ${emptyValueOf[c] ?? "''"})`;
const insertColumns = sql.raw(columns.join(', '));
const insertValues = sql.raw(columns.map(columnValue).join(', '));

/** Make these contacts. Those whose number somebody took meanwhile are missing from the answer. */
export async function insertImportedContacts(
  tx: Tx,
  companyId: number,
  contacts: readonly (ContactValues & { number: string; unsubscribed_at: Date | null })[],
  at: Date,
): Promise<Map<string, number>> {
  if (!contacts.length) return new Map();
  const sorted = [...contacts].sort((a, b) => (a.number < b.number ? -1 : 1));
  const { rows } = await sql<{
    id: number;
    number: string;
  }>`insert into contact (company_id, number, unsubscribed_at, source, created_at, updated_at, ${insertColumns})
    select ${companyId}, x.number, x.unsubscribed_at, 'Import', ${at}, ${at}, ${insertValues} from json_to_recordset(${JSON.stringify(sorted)}::json) as x(${recordsetColumns})
    on conflict (company_id, number) where deleted_at is null do nothing returning id, number`.execute(
    tx,
  );
  return new Map(rows.map((r) => [r.number, r.id]));
}
const updateAssignments = sql.raw(columns.map((c) => `${c} = ${columnValue(c)}`).join(', '));
/** Give these contacts these values, all of them. */
export async function updateImportedContacts(
  tx: Tx,
  companyId: number,
  contacts: readonly (ContactValues & { id: number; unsubscribed_at: Date | null })[],
  at: Date,
): Promise<void> {
  if (contacts.length)
    await sql`update contact c set ${updateAssignments}, unsubscribed_at = coalesce(c.unsubscribed_at, x.unsubscribed_at), updated_at = ${at} from json_to_recordset(${JSON.stringify(contacts)}::json) as x(${recordsetColumns}) where c.company_id = ${companyId} and c.id = x.id`.execute(
      tx,
    );
}
/** Those of them that nobody touched since `at`; they go where deleted contacts are. */
export async function deleteImportedContacts(
  tx: Tx,
  companyId: number,
  ids: readonly number[],
  by: number | null,
  now: Date,
): Promise<number> {
  const { rows } = await sql<{
    id: number;
  }>`update contact set deleted_at = ${now}, deleted_by = ${by} where company_id = ${companyId} and id = any(${[...ids]}::bigint[]) and deleted_at is null returning id`.execute(
    tx,
  );
  return rows.length;
}
export const lockContactsForUndo = async (tx: Tx, companyId: number, ids: readonly number[]) =>
  (
    await sql<
      ExistingContactRow & { updated_at: Date }
    >`select c.number as found_by, c.id, c.number, c.unsubscribed_at, c.updated_at, ${selectedColumns} from contact c where c.company_id = ${companyId} and c.id = any(${[...ids]}::bigint[]) and c.deleted_at is null order by c.number for update`.execute(
      tx,
    )
  ).rows;

// ---- groups and labels ---------------------------------------------------------------------------------------------

export async function groupIdsByName(
  tx: Tx,
  companyId: number,
  names: readonly string[],
): Promise<Map<string, number | null>> {
  if (!names.length) return new Map();
  const { rows } = await sql<{
    id: number;
    name_key: string;
    ruled: boolean;
  }>`select id, name_key, rule is not null as ruled from contact_group where company_id = ${companyId} and deleted_at is null and name_key = any(${names.map((n) => n.toLowerCase())}::text[])`.execute(
    tx,
  );
  return new Map(rows.map((r) => [r.name_key, r.ruled ? null : r.id]));
}
/** Those of these groups that people can be put into. */
export const listGroupsAmong = async (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<number[]> =>
  ids.length === 0
    ? []
    : (
        await sql<{
          id: number;
        }>`select id from contact_group where company_id = ${companyId} and id = any(${[...ids]}::bigint[]) and deleted_at is null and rule is null`.execute(
          tx,
        )
      ).rows.map((r) => r.id);
export async function labelIdsByName(
  tx: Tx,
  companyId: number,
  names: readonly string[],
): Promise<Map<string, number>> {
  if (!names.length) return new Map();
  const { rows } = await sql<{
    id: number;
    label_key: string;
  }>`select id, label_key from contact_label where company_id = ${companyId} and label_key = any(${names.map((n) => n.toLowerCase())}::text[])`.execute(
    tx,
  );
  return new Map(rows.map((r) => [r.label_key, r.id]));
}
export const labelsAmong = async (
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<number[]> =>
  ids.length === 0
    ? []
    : (
        await sql<{
          id: number;
        }>`select id from contact_label where company_id = ${companyId} and id = any(${[...ids]}::bigint[])`.execute(
          tx,
        )
      ).rows.map((r) => r.id);
/** Make the groups and labels of these names that are missing; two at once make one. */
export async function insertGroups(
  tx: Tx,
  companyId: number,
  names: readonly string[],
  by: number | null,
  at: Date,
): Promise<void> {
  if (names.length)
    await sql`insert into contact_group (company_id, name, user_id, created_at, updated_at) select ${companyId}, n, ${by}, ${at}, ${at} from unnest(${[...names].sort()}::text[]) n on conflict (company_id, name_key) where deleted_at is null do nothing`.execute(
      tx,
    );
}
export async function insertLabels(
  tx: Tx,
  companyId: number,
  names: readonly string[],
  by: number | null,
  at: Date,
): Promise<void> {
  if (names.length)
    await sql`insert into contact_label (company_id, label, created_by, created_at) select ${companyId}, n, ${by}, ${at} from unnest(${[...names].sort()}::text[]) n on conflict (company_id, label_key) do nothing`.execute(
      tx,
    );
}
/** Which of these groups and labels the contacts are in already. */
export async function membershipsOf(
  tx: Tx,
  companyId: number,
  ids: readonly number[],
  groups: readonly number[],
  labels: readonly number[],
) {
  const none: { contact_id: number; place: number }[] = [];
  return {
    groups:
      !ids.length || !groups.length
        ? none
        : (
            await sql<{
              contact_id: number;
              place: number;
            }>`select contact_id, group_id as place from contact_group_member where company_id = ${companyId} and contact_id = any(${[...ids]}::bigint[]) and group_id = any(${[...groups]}::bigint[])`.execute(
              tx,
            )
          ).rows,
    labels:
      !ids.length || !labels.length
        ? none
        : (
            await sql<{
              contact_id: number;
              place: number;
            }>`select contact_id, label_id as place from contact_label_use where company_id = ${companyId} and contact_id = any(${[...ids]}::bigint[]) and label_id = any(${[...labels]}::bigint[])`.execute(
              tx,
            )
          ).rows,
  };
}
type Pair = readonly [place: number, contact: number];
const unnestPairs = (all: readonly Pair[]) =>
  sql`unnest(${all.map((p) => p[0])}::bigint[], ${all.map((p) => p[1])}::bigint[]) p (place, contact)`;
export async function insertMemberships(
  tx: Tx,
  companyId: number,
  groups: readonly Pair[],
  labels: readonly Pair[],
  at: Date,
): Promise<void> {
  if (groups.length)
    await sql`insert into contact_group_member (company_id, group_id, contact_id, added_at) select ${companyId}, p.place, p.contact, ${at} from ${unnestPairs(groups)} order by 2, 3 on conflict do nothing`.execute(
      tx,
    );
  if (labels.length)
    await sql`insert into contact_label_use (company_id, label_id, contact_id, added_at) select ${companyId}, p.place, p.contact, ${at} from ${unnestPairs(labels)} order by 2, 3 on conflict do nothing`.execute(
      tx,
    );
}
export async function deleteMemberships(
  tx: Tx,
  companyId: number,
  groups: readonly Pair[],
  labels: readonly Pair[],
): Promise<void> {
  if (groups.length)
    await sql`delete from contact_group_member m using ${unnestPairs(groups)} where m.company_id = ${companyId} and m.group_id = p.place and m.contact_id = p.contact`.execute(
      tx,
    );
  if (labels.length)
    await sql`delete from contact_label_use m using ${unnestPairs(labels)} where m.company_id = ${companyId} and m.label_id = p.place and m.contact_id = p.contact`.execute(
      tx,
    );
}
/** The names of the groups and labels of these contacts. */
export async function listNamesOfContacts(
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<{ groups: Map<number, string[]>; labels: Map<number, string[]> }> {
  const found = async (of: 'groups' | 'labels') => {
    const { rows } =
      of === 'groups'
        ? await sql<{
            contact_id: number;
            name: string;
          }>`select m.contact_id, g.name from contact_group_member m join contact_group g on g.company_id = m.company_id and g.id = m.group_id and g.deleted_at is null where m.company_id = ${companyId} and m.contact_id = any(${[...ids]}::bigint[]) order by g.name_key`.execute(
            tx,
          )
        : await sql<{
            contact_id: number;
            name: string;
          }>`select u.contact_id, l.label as name from contact_label_use u join contact_label l on l.company_id = u.company_id and l.id = u.label_id where u.company_id = ${companyId} and u.contact_id = any(${[...ids]}::bigint[]) order by l.label_key`.execute(
            tx,
          );
    const byContact = new Map<number, string[]>();
    for (const row of rows)
      byContact.set(row.contact_id, [...(byContact.get(row.contact_id) ?? []), row.name]);
    return byContact;
  };
  return ids.length
    ? { groups: await found('groups'), labels: await found('labels') }
    : { groups: new Map(), labels: new Map() };
}
