import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { ItemRow, VisibleNumbers } from '../store.ts';

/**
 * One entry of a contact's timeline before it is presented: newest first by (at, rank, id), which
 * is unique.
 */
export interface Line {
  at: Date;
  rank: number;
  id: number;
  kind: 'item' | 'added' | 'opted_out' | 'opted_in' | 'merged' | 'note';
  number: string | null;
  text: string;
  by: string;
  note: string;
  undone_at: Date | null;
}
export interface Place {
  at: Date;
  rank: number;
  id: number;
}

/**
 * Each kind contributes at most a page from its own index, and the newest of them all are returned:
 * a contact with ten thousand texts costs no more than one with ten.
 */
export async function linesOfContact(
  tx: Tx,
  companyId: number,
  contact: { id: number; numbers: readonly string[] },
  kinds: readonly string[],
  notes: boolean,
  sight: VisibleNumbers,
  after: Place | null,
  limit: number,
): Promise<Line[]> {
  const before = (at: string, rank: number, id: string) =>
    after
      ? sql`and ${sql.raw(at)} <= ${after.at} and (${sql.raw(at)}, ${rank}::int,
          ${sql.raw(id)}) < (${after.at}::timestamptz, ${after.rank}::int, ${after.id}::bigint)`
      : sql``;
  const seen = sight ? sql`and c.number_id = any(${[...sight]}::bigint[])` : sql``;
  const none = sql`null::text number, '' "text", '' "by", '' note, null::timestamptz undone_at`;
  const { rows } = await sql<Line>`
    (select i.created_at at, 5 rank, i.id, 'item' kind, ${none}
        from conversation c cross join lateral (
        select i.id, i.created_at
          from conversation_item i where i.company_id = c.company_id and i.conversation_id = c.id
          and i.deleted_at is null and i.kind = any(${[...kinds]}::text[])
          and not (i.kind = 'scheduledmessage'
              and i.details ->> 'state' = 'sent') ${before('i.created_at', 5, 'i.id')}
            order by i.created_at desc, i.id desc limit ${limit}) i
      where c.company_id = ${companyId} and c.contact_id = ${contact.id}
        and c.deleted_at is null ${seen} order by 1 desc, 3 desc limit ${limit})
    union all (select n.created_at, 4, n.id, 'note', null, n.body, n.user_name, '', null
        from note n where ${notes} and n.company_id = ${companyId} and n.model_type = 'contact'
        and n.model_id = ${contact.id} and n.deleted_at is null ${before('n.created_at', 4, 'n.id')}
        order by n.id desc limit ${limit})
    union all (select h.at, 3, h.id, case h.action when 'out' then 'opted_out' else 'opted_in' end,
        h.number, h.source, coalesce(h.actor_name, ''),
        case when h.source in ('manual', 'api') then coalesce(h.proof, '') else '' end, null
        from opt_out_history h where h.company_id = ${companyId}
        and h.number = any(${[...contact.numbers]}::text[]) ${before('h.at', 3, 'h.id')}
        order by h.at desc, h.id desc limit ${limit})
    union all (select m.at, 2, m.id, 'merged', m.gone_number, coalesce(m.gone_name, ''),
        m.user_name, '', m.undone_at from (select m.*, k.name gone_name from contact_merge m
          left join contact k on k.company_id = m.company_id and k.id = m.source_id) m
        where m.company_id = ${companyId} and m.target_id = ${contact.id}
        ${before('m.at', 2, 'm.id')} order by m.id desc limit ${limit})
    union all (select k.created_at, 1, k.id, 'added', null, k.source, '', '', null
        from contact k where k.company_id = ${companyId}
        and k.id = ${contact.id} ${before('k.created_at', 1, 'k.id')})
    order by 1 desc, 2 desc, 3 desc limit ${limit}`.execute(tx);
  return rows;
}
/** Items in no order, deleted ones included. */
export const itemsByIds = (tx: Tx, companyId: number, ids: readonly number[]): Promise<ItemRow[]> =>
  ids.length
    ? tx
        .selectFrom('conversation_item')
        .selectAll()
        .where('company_id', '=', companyId)
        .where('id', 'in', [...ids])
        .execute()
    : Promise.resolve([]);
