import { sql } from 'kysely';
import type { ActivityKind } from '#contract/conversations/rules';
import { oneRow, type Tx } from '../../../platform/db.ts';
import { activityCondition, type ActivityFilter } from '../store-activity.ts';

/** Columns of the call's own record, joined only when one is chosen. */
interface CallColumns {
  caller_name: string | null;
  caller_city: string | null;
  caller_state: string | null;
  ring_seconds: number | null;
  talk_seconds: number | null;
  duration_seconds: number | null;
  answered_at: Date | null;
  ended_at: Date | null;
  first_contact: boolean | null;
  extension: number | null;
  extension_label: string | null;
  note: string | null;
  qualified: boolean | null;
  lead: boolean | null;
  outcome_tags: string[] | null;
  department: string | null;
  value_cents: number | null;
  spam: boolean | null;
  summary: string | null;
}
export const callFacts = [
  'caller_name',
  'caller_city',
  'caller_state',
  'ring_seconds',
  'talk_seconds',
  'duration_seconds',
  'answered_at',
  'ended_at',
  'first_contact',
  'extension',
  'extension_label',
  'note',
  'qualified',
  'lead',
  'outcome_tags',
  'department',
  'value_cents',
  'spam',
  'summary',
] as const satisfies readonly (keyof CallColumns)[];
export type CallFact = (typeof callFacts)[number];
/**
 * One row of an export: the item, with the fields that its kind stores elsewhere. Reads only, in
 * SQL of ../store.ts.
 */
export interface ExportRow extends Partial<CallColumns> {
  id: number;
  kind: ActivityKind;
  is_inbound: boolean;
  created_at: Date;
  read_at: Date | null;
  actor_name: string | null;
  delivery_state: string | null;
  details: Record<string, unknown>;
  conversation_id: number;
  number: string;
  number_label: string;
  party: string;
  contact: string | null;
  archived: boolean;
  tags?: string | null;
  transcript?: string | null;
  recorded?: boolean | null;
  /** How often the visitor that a call or text was matched to had been on the website. */
  visits?: number | null;
}

/** What the chosen columns need of other tables. */
export interface RequiredJoins {
  call: readonly CallFact[];
  tags: boolean;
  transcript: boolean;
  recorded: boolean;
  visits: boolean;
}

const exportSource = (f: ActivityFilter, until: Date) =>
  sql`from conversation_item i join conversation c on c.company_id = i.company_id
    and c.id = i.conversation_id where ${activityCondition(f)} and i.created_at <= ${until}`;

/** How many rows an export has, up to this time. */
export const countExport = async (tx: Tx, f: ActivityFilter, until: Date): Promise<number> =>
  (await oneRow(tx, sql<{ n: number }>`select count(*)::int n ${exportSource(f, until)}`)).n;

/** Visits of the matched visitor in the year up to the call or text of `p`; null: none is known. */
const visitsOf = (company: ReturnType<typeof sql>, callId: ReturnType<typeof sql>) =>
  sql`(select case when m.visitor_id is not null then (select count(*)::int from tracking_visit v
        where v.company_id = ${company} and v.visitor_id = m.visitor_id and v.started_at <= m.at
          and v.started_at > m.at - interval '365 days') end
      from tracking_match m where m.company_id = ${company}
        and m.kind = case p.kind when 'call' then 'call' else 'text' end
        and m.subject_id = case p.kind when 'call' then ${callId} else p.id end)`;

/**
 * The next rows after the item `after`, newest first. The page is found first, by the activity
 * index alone; the rest is looked up row by row (`offset 0`, subqueries): with joins, the planner
 * walks all calls of the company for every page.
 */
export async function exportPage(
  tx: Tx,
  f: ActivityFilter,
  needs: RequiredJoins,
  until: Date,
  after: number | null,
  limit: number,
): Promise<ExportRow[]> {
  // The timestamp with microseconds: milliseconds would skip neighbors.
  const where = after
    ? sql`and (i.created_at, i.id) < ((select x.created_at from conversation_item x
          where x.company_id = ${f.companyId} and x.id = ${after}), ${after})`
    : sql``;
  const company = sql`${f.companyId}::bigint`;
  const callId = sql`(p.details ->> 'callId')::bigint`;
  const { rows } = await sql<ExportRow>`
    with p as materialized (
      select i.id, i.kind, i.is_inbound, i.created_at, i.read_at, i.actor_name,
        i.delivery_state, i.details, i.conversation_id, i.number_id, c.party, c.contact_id,
        c.archived_at is not null archived
      ${exportSource(f, until)} ${where} order by i.created_at desc, i.id desc limit ${limit})
    select p.id, p.kind, p.is_inbound, p.created_at, p.read_at, p.actor_name, p.delivery_state,
      p.details, p.conversation_id, p.party, p.archived, n.number, n.label number_label,
      (select ct.name from contact ct where ct.company_id = ${company}
          and ct.id = p.contact_id and ct.deleted_at is null) contact
      ${needs.call.length ? sql`, k.*` : sql``}
      ${
        needs.tags
          ? sql`, (select string_agg(t.name, '; ' order by t.name)
          from call_tag g join tag t on t.company_id = g.company_id and t.id = g.tag_id
          where g.company_id = ${company} and g.call_id = ${callId}) tags`
          : sql``
      }
      ${
        needs.transcript
          ? sql`, (select w.text from transcription w
          join recording r on r.company_id = w.company_id and r.id = w.recording_id
          where w.company_id = ${company} and w.call_id = ${callId} and r.kind = p.kind
          order by w.id desc limit 1) transcript`
          : sql``
      }
      ${
        needs.recorded
          ? sql`, exists (select from recording r where r.company_id = ${company}
          and r.call_id = ${callId} and r.state = 'ready') recorded`
          : sql``
      }
      ${needs.visits ? sql`, ${visitsOf(company, callId)} visits` : sql``}
    from p join number n on n.company_id = ${company} and n.id = p.number_id
      ${
        needs.call.length
          ? sql`left join lateral (select
          ${sql.join(needs.call.map((fact) => sql.ref(fact)))}
          from call where company_id = ${company} and id = ${callId} offset 0) k on true`
          : sql``
      }
    order by p.created_at desc, p.id desc`.execute(tx);
  return rows;
}
