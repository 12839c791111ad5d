import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx } from './context.ts';
import { job } from './jobs.ts';

/** How long the rows of a table are kept. Several may name the same table: a row goes as soon as one of them lets it. */
export interface Retention {
  table: string;
  /** Their age counts from here: a column, or an expression with an index. */
  since: string;
  /** A PostgreSQL interval; '0' where `since` is an expiry. */
  keep: string;
  /** SQL: only these rows go. */
  where?: string;
  why: string;
  /** Rows are taken in this order, which is about that of `since`: an index that is there anyway serves instead of one by age. */
  by?: string;
  /** Why walking the whole table costs nothing. */
  small?: string;
}

const processes = 'a row a process';
const ofADay = 'holds a day of calls';
const people = 'a row a person or device';

/** Every table whose rows go by themselves by age alone; docs/retention.md tells this list and what goes in another way. */
export const retentions: readonly Retention[] = [
  {
    table: 'outbox',
    since: 'at',
    keep: '7 days',
    where: 'seq is not null',
    by: 'seq',
    why: 'published events: browsers ask for the last five minutes, a week shows what happened',
  },
  {
    table: 'idempotency_key',
    since: 'at',
    keep: '1 day',
    why: 'a request is said again within 24 hours',
  },
  {
    table: 'session',
    since: 'least(ended_at, refresh_expires_at)',
    keep: '30 days',
    where:
      'exists (select from session newer where newer.person_id = r.person_id and newer.id > r.id)',
    why: 'who used an account, to look into a theft; the last one of a person tells when they were here',
  },
  {
    table: 'login_attempt',
    since: 'at',
    keep: '30 days',
    by: 'id',
    why: 'the lock looks at minutes, whoever looks into an attack at weeks',
  },
  {
    table: 'sent_code',
    since: 'expires_at',
    keep: '1 day',
    by: 'id',
    why: 'a code is of no use after its expiry; limits count those of an hour',
  },
  {
    table: 'mail_outbox',
    since: 'at',
    keep: '7 days',
    by: 'id',
    why: 'mail until it is sent, and what could not be delivered',
  },
  {
    table: 'worker_pulse',
    since: 'at',
    keep: '1 day',
    small: processes,
    why: 'a process that has not been heard of for a day is gone',
  },
  {
    table: 'campaign_dispatcher',
    since: 'at',
    keep: '1 day',
    small: processes,
    why: 'a process that has not been heard of for a day is gone',
  },
  {
    table: 'person_connected',
    since: 'seen_at',
    keep: '1 day',
    small: people,
    why: 'who has the app open is told every minute',
  },
  {
    table: 'push_device',
    since: 'gone_at',
    keep: '30 days',
    where: 'gone_at is not null',
    why: 'a device that took the app away',
  },
  {
    table: 'conversation_presence',
    since: 'at',
    keep: '10 minutes',
    small: people,
    why: 'who looks at a conversation says so twice a minute',
  },
  {
    table: 'calling_device',
    since: 'seen_at',
    keep: '1 day',
    small: people,
    why: 'a device that rings is heard of every minute',
  },
  {
    table: 'call_command',
    since: 'done_at',
    keep: '1 day',
    small: ofADay,
    why: 'only a running call needs them',
  },
  {
    table: 'live_call',
    since: 'heard_at',
    keep: '1 day',
    where: 'over',
    small: ofADay,
    why: 'only a running call needs it; the call itself stays',
  },
  {
    table: 'call_directory',
    since: 'at',
    keep: '1 day',
    where:
      'not exists (select from live_call l where l.company_id = r.company_id and l.call_id = r.call_id)',
    small: ofADay,
    why: 'carriers report a call until shortly after its end',
  },
  {
    table: 'call_early_event',
    since: 'at',
    keep: '1 day',
    small: ofADay,
    why: 'reports of calls that never were announced',
  },
  {
    table: 'call_event',
    since: 'received_at',
    keep: '30 days',
    why: 'reports of carriers as they came, known again when they come twice',
  },
  {
    table: 'carrier_report',
    since: 'came_at',
    keep: '7 days',
    by: 'id',
    why: 'reports that could not be stored: after a week no call or text waits for one',
  },
  {
    table: 'carrier_leg',
    since: 'created_at',
    keep: '1 day',
    where: `state = 'ended'`,
    why: 'an adapter’s notes of a leg',
  },
  {
    table: 'carrier_leg',
    since: 'created_at',
    keep: '8 days',
    why: 'the same of one whose end was never reported',
  },
  {
    table: 'carrier_thing',
    since: 'created_at',
    keep: '31 days',
    where: `kind not in ('registration', 'port')`,
    why: 'an adapter’s notes of texts and recordings; registrations and ports take months',
  },
  {
    table: 'number_hold',
    since: 'expires_at',
    keep: '0',
    small: 'numbers in carts',
    why: 'the hold is over',
  },
  {
    table: 'forward_attempt',
    since: 'at',
    keep: '31 days',
    why: 'the answer rate of a forward is that of 30 days',
  },
  {
    table: 'auto_text_sent',
    since: 'at',
    keep: '30 days',
    why: 'an automatic text is not said again within hours',
  },
  {
    table: 'tag',
    since: 'deleted_at',
    keep: '30 days',
    where: 'deleted_at is not null',
    why: 'a deleted tag comes back within thirty days',
  },
  {
    table: 'contact_bulk',
    since: 'at',
    keep: '30 days',
    why: 'what was done to many contacts is undone within thirty days',
  },
  {
    table: 'contact_import_chunk',
    since: 'at',
    keep: '30 days',
    why: 'what became of each row: undone within a day, the file of results lives thirty',
  },
  {
    table: 'batch',
    since: 'finished_at',
    keep: '90 days',
    where: 'finished_at is not null',
    why: 'how far a long job is, and how it ended',
  },
  {
    table: 'sandbox.push',
    since: 'at',
    keep: '7 days',
    by: 'id',
    why: 'pushes that the sandbox keeps instead of sending',
  },
  {
    table: 'sandbox.text',
    since: 'at',
    keep: '90 days',
    by: 'id',
    why: 'what the sandbox’s phones show',
  },
  { table: 'sandbox.picture', since: 'at', keep: '90 days', why: 'pictures of those texts' },
  {
    table: 'sandbox.fax',
    since: 'at',
    keep: '90 days',
    by: 'id',
    why: 'what the sandbox’s fax machines show',
  },
];

/** Rows of one statement: each is a short transaction of its own. */
const BATCH = 2000;
/** In one run of one table; what is left then waits for the next hour. */
const BATCHES = 500;

/** The statement that removes some old rows. `now`: a placeholder or a time. */
export function removal(o: Retention, now: ReturnType<typeof sql>) {
  const table = sql.table(o.table);
  const old = sql`${sql.raw(o.since)} < ${now}::timestamptz - ${sql.lit(o.keep)}::interval`;
  const where = o.where ? sql` and (${sql.raw(o.where)})` : sql``;
  // With `by`, the oldest by that order are looked at and those of them go that are old: the walk ends at the first young ones.
  const oldest = o.by
    ? sql`select r.ctid, ${sql.raw(o.since)} as since from ${table} r where true${where} order by ${sql.raw(o.by)} limit ${sql.lit(BATCH)}`
    : sql`select r.ctid, ${sql.raw(o.since)} as since from ${table} r where ${old}${where} limit ${sql.lit(BATCH)}`;
  return sql`delete from ${table} where ctid = any(array(select oldest.ctid from (${oldest}) oldest where oldest.since < ${now}::timestamptz - ${sql.lit(o.keep)}::interval))`;
}

/** Every hour: rows whose time is over go, table by table, behind everybody who waits for something. */
export async function sweepRetention(ctx: Ctx): Promise<void> {
  const { directory } = ctx.standBack().db;
  for (const one of retentions) {
    for (let n = 0; n < BATCHES; n++) {
      const { numAffectedRows } = await removal(one, sql`${ctx.now}`).execute(directory);
      if (Number(numAffectedRows ?? 0) < BATCH) break;
    }
  }
}

export const jobs = [job('retention.sweep', z.object({}), sweepRetention, '7 * * * *')];
