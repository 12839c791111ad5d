/** Tables of calls. The record is here; what runs, what sounds and who is there stand in the three files beside it. */
import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';

export const owns = [
  'call',
  'live_call',
  'call_leg',
  'call_event',
  'call_history',
  'call_timer',
  'call_command',
  'recording',
  'voicemail',
  'transcription',
  'call_tag',
  'calling_person',
  'calling_device',
  'call_directory',
  'call_early_event',
  'caller_identity',
  'caller_lookup',
  'call_words',
] as const;

export interface CallRow {
  company_id: number;
  id: number;
  number_id: number;
  outbound: boolean;
  carrier: string;
  from_number: string;
  to_number: string;
  party: string;
  caller_name: string | null;
  caller_city: string | null;
  caller_state: string | null;
  contact_id: number | null;
  conversation_id: number | null;
  placed_by: number | null;
  status: number;
  outcome: number;
  because: string | null;
  abandoned: string | null;
  started_at: Date;
  ringing_at: Date | null;
  answered_at: Date | null;
  connected_at: Date | null;
  ended_at: Date | null;
  ring_seconds: number;
  talk_seconds: number;
  duration_seconds: number;
  first_contact: boolean;
  answered_by: unknown;
  extension: number | null;
  extension_label: string | null;
  alert_emails: string[];
  transcribe: boolean;
  transcribe_voicemail: boolean;
  recording_retention_days: number | null;
  note: string;
  qualified: boolean;
  lead: boolean;
  outcome_tags: string[];
  department: string;
  value_cents: number | null;
  spam: boolean;
  source: unknown;
  dni_pool_id: number | null;
  caller_identity: unknown;
  summary: string | null;
  created_at: Date;
  updated_at: Date;
}
/** A call with the names of what it points at. */
export interface CallWithNames extends CallRow {
  number: string;
  number_label: string;
  contact_name: string | null;
}

/** One call, among the numbers the reader may see. */
export async function visibleCall(
  tx: Tx,
  companyId: number,
  id: number,
  numbers: readonly number[] | null,
): Promise<CallWithNames | undefined> {
  const { rows } = await sql<CallWithNames>`
    select c.*, n.number, n.label number_label, ct.name contact_name from call c join number n on n.company_id = c.company_id and n.id = c.number_id
      left join contact ct on ct.company_id = c.company_id and ct.id = c.contact_id
    where c.company_id = ${companyId} and c.id = ${id} ${numbers ? sql`and c.number_id = any(${[...numbers]}::bigint[])` : sql``}`.execute(
    tx,
  );
  return rows[0];
}

/** The same row, held until the transaction ends, for a change that depends on what it says. */
export const lockCall = (tx: Tx, companyId: number, id: number) =>
  tx
    .selectFrom('call')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst() as Promise<CallRow | undefined>;

export const carrierOfCall = async (
  tx: Tx,
  companyId: number,
  id: number,
): Promise<string | undefined> =>
  (
    await tx
      .selectFrom('call')
      .select('carrier')
      .where('company_id', '=', companyId)
      .where('id', '=', id)
      .executeTakeFirst()
  )?.carrier;

export const insertCall = (
  tx: Tx,
  row: Partial<CallRow> & {
    company_id: number;
    id: number;
    number_id: number;
    outbound: boolean;
    carrier: string;
    from_number: string;
    to_number: string;
    party: string;
    started_at: Date;
  },
) =>
  tx
    .insertInto('call')
    .values(row as never)
    .execute();
export const patchCall = (tx: Tx, companyId: number, id: number, patch: Partial<CallRow>) =>
  tx
    .updateTable('call')
    .set(patch as never)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute();

export async function nextId(tx: Tx): Promise<number> {
  return (await sql<{ id: number }>`select next_id() id`.execute(tx)).rows[0]!.id;
}

/** Has the company been in a call with this party before? */
export async function hasCalledBefore(tx: Tx, companyId: number, party: string): Promise<boolean> {
  return Boolean(
    await tx
      .selectFrom('call')
      .select('id')
      .where('company_id', '=', companyId)
      .where('party', '=', party)
      .limit(1)
      .executeTakeFirst(),
  );
}

export async function adjacentCallIds(
  tx: Tx,
  companyId: number,
  call: { id: number; started_at: Date },
  numbers: readonly number[] | null,
): Promise<{ newer: number | null; older: number | null }> {
  const seen = numbers ? sql`and number_id = any(${[...numbers]}::bigint[])` : sql``;
  const { rows } = await sql<{ newer: number | null; older: number | null }>`select
    (select id from call where company_id = ${companyId} and (started_at, id) > (${call.started_at}, ${call.id}) ${seen} order by started_at, id limit 1) newer,
    (select id from call where company_id = ${companyId} and (started_at, id) < (${call.started_at}, ${call.id}) ${seen} order by started_at desc, id desc limit 1) older`.execute(
    tx,
  );
  return rows[0]!;
}

export interface HistoryRow {
  kind: 'history' | 'path';
  at: Date;
  code: number | null;
  label: string;
  leg: string | null;
  target: string | null;
  detail: string | null;
  actor: string | null;
  actor_id?: number | null;
  node: string | null;
  matched: boolean | null;
  before?: unknown;
  after?: unknown;
}
export async function addHistory(
  tx: Tx,
  companyId: number,
  callId: number,
  rows: readonly HistoryRow[],
): Promise<void> {
  if (!rows.length) return;
  await tx
    .insertInto('call_history')
    .values(
      rows.map((r) => ({
        ...r,
        company_id: companyId,
        call_id: callId,
        before: r.before === undefined ? null : JSON.stringify(r.before),
        after: r.after === undefined ? null : JSON.stringify(r.after),
      })),
    )
    .execute();
}
export const historyOf = (tx: Tx, companyId: number, callId: number) =>
  tx
    .selectFrom('call_history')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('call_id', '=', callId)
    .orderBy('id')
    .execute();

export const tagsOfCall = (tx: Tx, companyId: number, callId: number) =>
  tx
    .selectFrom('call_tag')
    .innerJoin('tag', (j) =>
      j.onRef('tag.company_id', '=', 'call_tag.company_id').onRef('tag.id', '=', 'call_tag.tag_id'),
    )
    .select(['tag.id', 'tag.name', 'tag.color'])
    .where('tag.deleted_at', 'is', null)
    .where('call_tag.company_id', '=', companyId)
    .where('call_tag.call_id', '=', callId)
    .orderBy('tag.name')
    .execute();
export const tagCall = (
  tx: Tx,
  companyId: number,
  callId: number,
  tagIds: readonly number[],
  by: number | null,
  at: Date,
) =>
  tx
    .insertInto('call_tag')
    .values(
      tagIds.map((tag_id) => ({
        company_id: companyId,
        call_id: callId,
        tag_id,
        added_by: by,
        added_at: at,
      })),
    )
    .onConflict((c) => c.doNothing())
    .execute();
export const untagCall = (tx: Tx, companyId: number, callId: number, tagIds: readonly number[]) =>
  tx
    .deleteFrom('call_tag')
    .where('company_id', '=', companyId)
    .where('call_id', '=', callId)
    .where('tag_id', 'in', [...tagIds])
    .execute();

export const numberBrief = (tx: Tx, companyId: number, numberId: number) =>
  tx
    .selectFrom('number')
    .select(['id', 'number', 'label'])
    .where('company_id', '=', companyId)
    .where('id', '=', numberId)
    .executeTakeFirst();

export const setConversation = (
  tx: Tx,
  companyId: number,
  callId: number,
  conversationId: number,
) =>
  tx
    .updateTable('call')
    .set({ conversation_id: conversationId })
    .where('company_id', '=', companyId)
    .where('id', '=', callId)
    .execute();
/** Who calls from this number is known now: calls that knew nobody learn it. */
export const assignCallsToContact = (tx: Tx, companyId: number, party: string, contactId: number) =>
  tx
    .updateTable('call')
    .set({ contact_id: contactId })
    .where('company_id', '=', companyId)
    .where('party', '=', party)
    .where('contact_id', 'is', null)
    .execute();
/** The contact a call points at, by name. */
export const contactWithName = async (
  tx: Tx,
  companyId: number,
  id: number | null,
): Promise<{ id: number; name: string } | null> =>
  id === null
    ? null
    : ((await tx
        .selectFrom('contact')
        .select(['id', 'name'])
        .where('company_id', '=', companyId)
        .where('id', '=', id)
        .executeTakeFirst()) ?? null);
