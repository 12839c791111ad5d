/** Running calls for the live board, and parking slots. */
import { sql } from 'kysely';
import type { Tx } from '../../../platform/db.ts';
import type { CallState } from '../../routing/index.ts';

export interface LiveCallRow {
  id: number;
  company_id: number;
  number_id: number;
  number: string;
  number_label: string;
  outbound: boolean;
  party: string;
  contact_id: number | null;
  contact_name: string | null;
  caller_name: string | null;
  started_at: Date;
  answered_at: Date | null;
  carrier: string;
  state: CallState;
}
/**
 * Running calls of these numbers (null = all), newest first. `id`: that call only; `mine`: also
 * calls this user is on, whatever their number; `parked`: parked calls only.
 */
export async function liveCalls(
  tx: Tx,
  companyId: number,
  numbers: readonly number[] | null,
  only: { id?: number; parked?: boolean; mine?: number } = {},
): Promise<LiveCallRow[]> {
  const own = only.mine
    ? sql`or exists (select from call_leg l where l.company_id = c.company_id
        and l.call_id = c.id and l.user_id = ${only.mine} and l.ended_at is null)`
    : sql``;
  const parked = sql`and exists (select from parked_call p
    where p.company_id = v.company_id and p.call_id = v.call_id)`;
  const { rows } = await sql<LiveCallRow>`
    select c.id, c.company_id, c.number_id, n.number, n.label number_label, c.outbound, c.party,
      c.contact_id, ct.name contact_name, c.caller_name, c.started_at, c.answered_at,
      v.carrier, v.state
    from live_call v
      join call c on c.company_id = v.company_id and c.id = v.call_id
      join number n on n.company_id = c.company_id and n.id = c.number_id
      left join contact ct on ct.company_id = c.company_id and ct.id = c.contact_id
    where v.company_id = ${companyId} and not v.ended
      ${numbers ? sql`and (c.number_id = any(${[...numbers]}::bigint[]) ${own})` : sql``}
      ${only.id ? sql`and c.id = ${only.id}` : sql``}
      ${only.parked ? parked : sql``}
    order by c.started_at desc, c.id desc limit 500`.execute(tx);
  return rows;
}

/** Claims the wanted parking slot, or the first free one of 1 to 99; null = none free. */
export async function claimSlot(
  tx: Tx,
  companyId: number,
  callId: number,
  wanted: number | undefined,
  until: Date,
): Promise<number | null> {
  const taken = new Set(
    (
      await tx
        .selectFrom('parked_call')
        .select('slot')
        .where('company_id', '=', companyId)
        .execute()
    ).map((r) => r.slot),
  );
  for (const slot of wanted ? [wanted] : Array.from({ length: 99 }, (_, i) => i + 1)) {
    if (taken.has(slot)) continue;
    // A concurrent call may claim it first: try the next.
    const row = await tx
      .insertInto('parked_call')
      .values({ company_id: companyId, slot, call_id: callId, until })
      .onConflict((c) => c.doNothing())
      .returning('slot')
      .executeTakeFirst();
    if (row) return row.slot;
  }
  return null;
}
/** Frees the call's parking slot. */
export const freeSlot = (tx: Tx, companyId: number, callId: number) =>
  tx
    .deleteFrom('parked_call')
    .where('company_id', '=', companyId)
    .where('call_id', '=', callId)
    .execute();

/** Forwarding contacts with a phone number or SIP address, by name, 500 at most. */
export const ringableContacts = (tx: Tx, companyId: number) =>
  tx
    .selectFrom('forward_contact')
    .select(['id', 'name', 'phone'])
    .where('company_id', '=', companyId)
    .where('phone', 'is not', null)
    .where('deleted_at', 'is', null)
    .orderBy('name')
    .limit(500)
    .execute();
