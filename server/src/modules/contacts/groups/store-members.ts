import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';

/** Who is in which group (`contact_group_member`). */

/**
 * Locks contacts in the order of their IDs before their memberships change. Every change of a contact
 * locks the contact first, so that two changes never deadlock.
 */
const lockedContacts = (companyId: number, ids: readonly number[]) =>
  sql`select k.id from contact k where k.company_id = ${companyId}
    and k.id = any(${[...ids]}::bigint[]) order by k.id for share`;

/** Adds contacts to the group; returns those that were not in it. */
export const insertMembers = async (
  tx: Tx,
  companyId: number,
  groupId: number,
  contactIds: readonly number[],
  at: Date,
): Promise<number[]> =>
  (
    await sql<{
      contact_id: number;
    }>`insert into contact_group_member (company_id, group_id, contact_id, added_at)
      select ${companyId}, ${groupId}, h.id, ${at} from (${lockedContacts(companyId, contactIds)}) h
      on conflict do nothing returning contact_id`.execute(tx)
  ).rows.map((r) => r.contact_id);
/** Adds each contact to its group. */
export const insertMemberships = async (
  tx: Tx,
  companyId: number,
  pairs: readonly { groupId: number; contactId: number }[],
  at: Date,
): Promise<void> => {
  if (pairs.length)
    await sql`with h as materialized (${lockedContacts(companyId, [...new Set(pairs.map((p) => p.contactId))])})
    insert into contact_group_member (company_id, group_id, contact_id, added_at) select
      ${companyId}, m.g, h.id, ${at} from h join unnest(${pairs.map((p) => p.groupId)}::bigint[],
        ${pairs.map((p) => p.contactId)}::bigint[]) m(g, i) on m.i = h.id
      order by h.id, m.g on conflict do nothing`.execute(tx);
};
/** Removes contacts from the group; returns those that were in it. */
export const deleteMembers = async (
  tx: Tx,
  companyId: number,
  groupId: number,
  contactIds: readonly number[],
): Promise<number[]> =>
  (
    await sql<{
      contact_id: number;
    }>`with h as materialized (${lockedContacts(companyId, contactIds)}) delete from contact_group_member m
      where m.company_id = ${companyId} and m.group_id = ${groupId}
      and m.contact_id in (select h.id from h) returning m.contact_id`.execute(tx)
  ).rows.map((r) => r.contact_id);
/** The groups of these contacts, by name. */
export const groupsOfContacts = async (
  tx: Tx,
  companyId: number,
  contactIds: readonly number[],
): Promise<{ contact_id: number; id: number; name: string }[]> =>
  contactIds.length
    ? (
        await sql<{
          contact_id: number;
          id: number;
          name: string;
        }>`select m.contact_id, g.id, g.name
          from contact_group_member m join contact_group g on g.company_id = m.company_id
          and g.id = m.group_id and g.deleted_at is null where m.company_id = ${companyId}
          and m.contact_id = any(${[...contactIds]}::bigint[]) order by g.name_key`.execute(tx)
      ).rows
    : [];
