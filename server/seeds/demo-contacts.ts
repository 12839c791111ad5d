import { sql } from 'kysely';
import type { Tx } from '../src/platform/db.ts';

/**
 * Groups, labels and a dynamic group over the contacts of a company's history; some contacts are
 * invalid. Chosen by the digits of their numbers, so that the data is the same on every machine.
 */
export async function seedContacts(
  tx: Tx,
  company_id: number,
  by: { id: number; name: string },
  now: Date,
): Promise<void> {
  const made = new Date(now.getTime() - 60 * 86_400_000);
  const groups = await tx
    .insertInto('contact_group')
    .values(
      [{ name: 'Regulars' }, { name: 'Newsletter' }, { name: 'Waiting list' }].map((g, i) => ({
        company_id,
        ...g,
        user_id: by.id,
        created_at: new Date(made.getTime() + i * 60_000),
        updated_at: made,
      })),
    )
    .returning('id')
    .execute();
  const labels = await tx
    .insertInto('contact_label')
    .values(
      ['VIP', 'New', 'Call back', 'Referred'].map((label, i) => ({
        company_id,
        label,
        created_by: by.id,
        created_at: new Date(made.getTime() + i * 60_000),
      })),
    )
    .returning('id')
    .execute();
  await sql`insert into contact_group_member (company_id, group_id, contact_id, added_at)
    select c.company_id, g.id, c.id, ${made}
      from contact c, unnest(${groups.map((g) => g.id)}::bigint[]) with ordinality g(id, n)
    where c.company_id = ${company_id}
      and c.deleted_at is null and right(c.number, 2)::int % (3 + g.n::int) = g.n::int`.execute(tx);
  await sql`insert into contact_label_use (company_id, label_id, contact_id, added_at)
    select c.company_id, l.id, c.id, ${made}
      from contact c, unnest(${labels.map((l) => l.id)}::bigint[]) with ordinality l(id, n)
    where c.company_id = ${company_id}
      and c.deleted_at is null and right(c.number, 2)::int % (7 + 2 * l.n::int) = 0`.execute(tx);
  await insertDynamicGroup(tx, { company_id, userId: by.id, regulars: groups[0]!.id, made });
  await sql`update contact set invalid = true where company_id = ${company_id}
    and id in (select id from contact where company_id = ${company_id} and unsubscribed_at is null
      order by number limit 2)`.execute(tx);
  await insertActivity(tx, company_id);
}

/** The regulars of the area code that most contacts have, as a dynamic group. */
async function insertDynamicGroup(
  tx: Tx,
  of: { company_id: number; userId: number; regulars: number; made: Date },
): Promise<void> {
  const { company_id, made } = of;
  const areas = (
    await sql<{
      area: string;
    }>`select substr(number, 3, 3) area from contact where company_id = ${company_id}
      and number like '+1%' group by 1 order by count(*) desc, 1 limit 1`.execute(tx)
  ).rows[0]!.area;
  await tx
    .insertInto('contact_group')
    .values({
      company_id,
      name: `Regulars nearby (${areas})`,
      rule: JSON.stringify({
        all: [
          { field: 'group', op: 'has', value: of.regulars },
          { field: 'areaCode', op: 'is', value: areas },
          { field: 'unsubscribed', op: 'is', value: false },
        ],
      }),
      user_id: of.userId,
      created_at: made,
      updated_at: made,
    })
    .execute();
}

/** When each contact last called and last texted. */
async function insertActivity(tx: Tx, company_id: number): Promise<void> {
  await sql`insert into contact_activity (company_id, number, last_called_at)
    select company_id, party, max(started_at) from call
    where company_id = ${company_id} and not outbound and party like '+%' group by company_id, party
    on conflict (company_id, number) do update
      set last_called_at = excluded.last_called_at`.execute(tx);
  await sql`insert into contact_activity as t (company_id, number, last_texted_at)
    select c.company_id, c.party, max(i.created_at)
    from conversation c join conversation_item i on i.company_id = c.company_id
    and i.conversation_id = c.id and i.kind = 'message' and i.is_inbound
    where c.company_id = ${company_id} and c.party like '+%'
      group by c.company_id, c.party on conflict (company_id, number) do update
      set last_texted_at = excluded.last_texted_at`.execute(tx);
}
