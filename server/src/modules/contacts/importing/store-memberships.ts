import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import { insertManyUses } from '../labels/store-labels.ts';

/** A contact in a group, or with a label. */
interface Membership {
  listId: number;
  contactId: number;
}
interface Lists {
  groups: readonly Membership[];
  labels: readonly Membership[];
}
const unnest = (memberships: readonly Membership[]) =>
  sql`unnest(${memberships.map((one) => one.listId)}::bigint[],
    ${memberships.map((one) => one.contactId)}::bigint[]) m (list, contact)`;

/** Which of these groups and labels the contacts are in. */
export async function membershipsOf(
  tx: Tx,
  companyId: number,
  contactIds: readonly number[],
  lists: { groups: readonly number[]; labels: readonly number[] },
): Promise<{ groups: Membership[]; labels: Membership[] }> {
  const ofContacts = async (
    table: 'contact_group_member' | 'contact_label_use',
    column: 'group_id' | 'label_id',
    listIds: readonly number[],
  ): Promise<Membership[]> => {
    if (!contactIds.length || !listIds.length) return [];
    const { rows } = await sql<Membership>`
      select contact_id "contactId", ${sql.ref(column)} "listId" from ${sql.table(table)}
      where company_id = ${companyId} and contact_id = any(${[...contactIds]}::bigint[])
        and ${sql.ref(column)} = any(${[...listIds]}::bigint[])`.execute(tx);
    return rows;
  };
  return {
    groups: await ofContacts('contact_group_member', 'group_id', lists.groups),
    labels: await ofContacts('contact_label_use', 'label_id', lists.labels),
  };
}

/** Adds contacts that this transaction has locked to groups and labels. */
export async function insertMemberships(
  tx: Tx,
  companyId: number,
  { groups, labels }: Lists,
  at: Date,
): Promise<void> {
  if (groups.length)
    await sql`
      insert into contact_group_member (company_id, group_id, contact_id, added_at)
      select ${companyId}, m.list, m.contact, ${at} from ${unnest(groups)}
      order by 2, 3 on conflict do nothing`.execute(tx);
  await insertManyUses(
    tx,
    companyId,
    labels.map(({ listId, contactId }) => ({ labelId: listId, contactId })),
    at,
  );
}
/** Removes contacts that this transaction has locked from groups and labels. */
export async function deleteMemberships(
  tx: Tx,
  companyId: number,
  { groups, labels }: Lists,
): Promise<void> {
  if (groups.length)
    await sql`
      delete from contact_group_member g using ${unnest(groups)}
      where g.company_id = ${companyId}
        and g.group_id = m.list and g.contact_id = m.contact`.execute(tx);
  if (labels.length)
    await sql`
      delete from contact_label_use u using ${unnest(labels)}
      where u.company_id = ${companyId}
        and u.label_id = m.list and u.contact_id = m.contact`.execute(tx);
}
