import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx } from './context.ts';
import { defineJob } from './jobs.ts';
import { InvalidSettingsError } from './settings.ts';

/**
 * How long the rows of a table are kept. Several rules may name the same table: a row is deleted as
 * soon as one of them allows it.
 */
export interface RetentionRule {
  table: string;
  /** When a row's age begins: a column, or an expression with an index. */
  ageColumn: string;
  /** A PostgreSQL interval; '0' where `ageColumn` is an expiry. */
  keepFor: string;
  /** SQL: only these rows are deleted. */
  where?: string;
  reason: string;
  /**
   * Deletes in this order, which roughly follows `ageColumn`, so that an existing index serves
   * instead of one by age.
   */
  orderBy?: string;
  /** Why scanning the whole table is cheap. */
  smallBecause?: string;
  /** The least number of days that `RETENTION_DAYS` may set. Undefined: the time cannot be set. */
  atLeastDays?: number;
}

const rowPerProcess = 'one row per process';
const oneDayOfCalls = 'limited to one day of calls';
const rowPerPerson = 'one row per person or device';

/**
 * Every table whose rows are deleted by age alone. docs/retention.md lists them, and what is
 * deleted in other ways.
 */
export const retentionRules: readonly RetentionRule[] = [
  {
    table: 'outbox',
    ageColumn: 'at',
    keepFor: '7 days',
    atLeastDays: 1,
    where: 'seq is not null',
    orderBy: 'seq',
    reason: 'published events: browsers ask for the last five minutes, a week helps to investigate',
  },
  {
    table: 'idempotency_key',
    ageColumn: 'at',
    keepFor: '1 day',
    reason: 'requests are retried within 24 hours',
  },
  {
    table: 'session',
    ageColumn: 'least(ended_at, refresh_expires_at)',
    keepFor: '30 days',
    atLeastDays: 1,
    where:
      'exists (select from session newer where newer.person_id = r.person_id and newer.id > r.id)',
    reason:
      'sign-in history, to investigate a theft; the last session of a person shows when they were last active',
  },
  {
    table: 'login_attempt',
    ageColumn: 'at',
    keepFor: '30 days',
    atLeastDays: 1,
    orderBy: 'id',
    reason: 'the lockout looks back minutes; an investigation looks back weeks',
  },
  {
    table: 'sent_code',
    ageColumn: 'expires_at',
    keepFor: '1 day',
    orderBy: 'id',
    reason: 'a code is useless after it expires; limits count the last hour',
  },
  {
    table: 'mail_outbox',
    ageColumn: 'at',
    keepFor: '7 days',
    atLeastDays: 1,
    orderBy: 'id',
    reason: 'email until it is sent, and what could not be delivered',
  },
  {
    table: 'lease',
    ageColumn: 'until',
    keepFor: '1 day',
    smallBecause: rowPerProcess,
    reason: 'its owner has ended, and what it owned was taken over long ago',
  },
  {
    table: 'online_person',
    ageColumn: 'seen_at',
    keepFor: '1 day',
    smallBecause: rowPerPerson,
    reason: 'open apps report every minute',
  },
  {
    table: 'push_device',
    ageColumn: 'expired_at',
    keepFor: '30 days',
    atLeastDays: 1,
    where: 'expired_at is not null',
    reason: 'devices that uninstalled the app',
  },
  {
    table: 'conversation_presence',
    ageColumn: 'at',
    keepFor: '10 minutes',
    smallBecause: rowPerPerson,
    reason: 'viewers of a conversation report twice a minute',
  },
  {
    table: 'calling_device',
    ageColumn: 'seen_at',
    keepFor: '1 day',
    smallBecause: rowPerPerson,
    reason: 'ringing devices report every minute',
  },
  {
    table: 'call_command',
    ageColumn: 'done_at',
    keepFor: '1 day',
    smallBecause: oneDayOfCalls,
    reason: 'needed only by running calls',
  },
  {
    table: 'live_call',
    ageColumn: 'last_event_at',
    keepFor: '1 day',
    where: 'ended',
    smallBecause: oneDayOfCalls,
    reason: 'needed only by running calls; the call record stays',
  },
  {
    table: 'carrier_call_index',
    ageColumn: 'at',
    keepFor: '1 day',
    where:
      'not exists (select from live_call l where l.company_id = r.company_id and l.call_id = r.call_id)',
    smallBecause: oneDayOfCalls,
    reason: 'carriers report on a call until shortly after its end',
  },
  {
    table: 'unmatched_call_event',
    ageColumn: 'at',
    keepFor: '1 day',
    smallBecause: oneDayOfCalls,
    reason: 'reports on calls that were never announced',
  },
  {
    table: 'call_event',
    ageColumn: 'received_at',
    keepFor: '30 days',
    atLeastDays: 7,
    reason: 'webhooks as received, to detect duplicates',
  },
  {
    table: 'webhook_retry',
    ageColumn: 'received_at',
    keepFor: '7 days',
    atLeastDays: 1,
    orderBy: 'id',
    reason: 'webhooks that could not be stored: after a week no call or text waits for one',
  },
  {
    table: 'carrier_leg',
    ageColumn: 'created_at',
    keepFor: '1 day',
    where: `state = 'ended'`,
    reason: 'adapter state of a leg',
  },
  {
    table: 'carrier_leg',
    ageColumn: 'created_at',
    keepFor: '8 days',
    reason: 'the same, for legs whose end was never reported',
  },
  {
    table: 'carrier_object',
    ageColumn: 'created_at',
    keepFor: '31 days',
    where: `kind not in ('registration', 'port')`,
    reason: 'adapter state of texts and recordings; registrations and ports take months',
  },
  {
    table: 'number_reservation',
    ageColumn: 'expires_at',
    keepFor: '0',
    smallBecause: 'numbers in carts',
    reason: 'the reservation has expired',
  },
  {
    table: 'forward_attempt',
    ageColumn: 'at',
    keepFor: '31 days',
    reason: 'the answer rate of a forward covers 30 days',
  },
  {
    table: 'auto_reply_sent',
    ageColumn: 'at',
    keepFor: '30 days',
    reason: 'an automatic text is not repeated within hours',
  },
  {
    table: 'tag',
    ageColumn: 'deleted_at',
    keepFor: '30 days',
    where: 'deleted_at is not null',
    reason: 'deleted tags can be restored for 30 days',
  },
  {
    table: 'contact_bulk_change',
    ageColumn: 'at',
    keepFor: '30 days',
    reason: 'bulk actions on contacts can be undone for 30 days',
  },
  {
    table: 'contact_import_chunk',
    ageColumn: 'at',
    keepFor: '30 days',
    atLeastDays: 1,
    reason: 'the result of each row: undo works for a day, the results file lives 30 days',
  },
  {
    table: 'connection_attempt',
    ageColumn: 'expires_at',
    keepFor: '0',
    reason: 'connecting an account takes less than ten minutes',
  },
  {
    table: 'connection',
    ageColumn: 'disconnected_at',
    keepFor: '90 days',
    atLeastDays: 1,
    where: 'disconnected_at is not null',
    reason: 'which account was connected, and until when; its tokens are deleted at once',
  },
  {
    table: 'batch',
    ageColumn: 'finished_at',
    keepFor: '90 days',
    atLeastDays: 1,
    where: 'finished_at is not null',
    reason: 'progress and result of long jobs',
  },
  {
    table: 'sandbox.push',
    ageColumn: 'at',
    keepFor: '7 days',
    atLeastDays: 1,
    orderBy: 'id',
    reason: 'pushes the sandbox stores instead of sending',
  },
  {
    table: 'sandbox.text',
    ageColumn: 'at',
    keepFor: '90 days',
    atLeastDays: 1,
    orderBy: 'id',
    reason: 'what the sandbox’s phones show',
  },
  {
    table: 'sandbox.picture',
    ageColumn: 'at',
    keepFor: '90 days',
    atLeastDays: 1,
    reason: 'pictures in those texts',
  },
  {
    table: 'sandbox.fax',
    ageColumn: 'at',
    keepFor: '90 days',
    atLeastDays: 1,
    orderBy: 'id',
    reason: 'what the sandbox’s fax machines show',
  },
];

/**
 * Tables that are never deleted from by age, and when their rows are deleted instead. Together with
 * the rules, all tables.
 */
export const keptTables: readonly { until: string; tables: readonly string[] }[] = [
  {
    until: 'the company goes: what it works with',
    tables: [
      ...['company', 'membership', 'person', 'organization', 'organization_admin'],
      ...['organization_field', 'organization_field_value', 'organization_tag'],
      ...['field', 'field_override', 'field_value', 'field_history'],
      ...['column_preset', 'column_preset_default', 'inbox_view', 'canned_reply', 'block'],
      ...['notification_block', 'notification_setting'],
      ...['contact', 'contact_number', 'contact_group', 'contact_group_member', 'contact_label'],
      ...['contact_label_use', 'contact_group_count', 'contact_activity', 'contact_merge'],
      ...['contact_import', 'contact_import_mapping'],
      ...['number', 'number_event', 'number_activity', 'number_auto_text', 'number_directory'],
      ...['number_limit', 'number_limit_request', 'number_menu', 'number_tag', 'number_template'],
      ...['number_trigger', 'number_trigger_reply', 'number_usage_day'],
      ...['route', 'route_last_answer', 'route_round_robin', 'schedule', 'greeting', 'flow_draft'],
      ...['flow_version', 'forward', 'forward_contact'],
      ...['calling_person', 'carrier_failover', 'send_rate', 'caller_identity'],
      ...['port_request', 'port_number', 'port_document', 'port_event'],
      ...['marketplace_number', 'marketplace_offer', 'marketplace_inquiry', 'marketplace_event'],
      ...['marketplace_view', 'sms_brand', 'sms_campaign', 'sms_campaign_number'],
    ],
  },
  {
    until: 'the company goes: calls, conversations and campaigns',
    tables: [
      ...[
        'call',
        'call_history',
        'call_leg',
        'call_tag',
        'call_interconnect',
        'call_search_text',
        'voicemail',
      ],
      ...['fax', 'conversation', 'conversation_party', 'conversation_item', 'note'],
      ...['campaign', 'campaign_requeue', 'campaign_batch', 'campaign_recipient', 'campaign_text'],
    ],
  },
  {
    until: 'the bytes go as the setting of the number says; the row stays (`calls.deleteExpired`)',
    tables: ['recording', 'transcription', 'file'],
  },
  {
    until: 'for good: evidence',
    tables: [
      ...[
        'audit_log',
        'opt_out',
        'opt_out_history',
        'optin_proof',
        'registration_event',
        'registration_review',
      ],
      ...['caller_lookup'],
    ],
  },
  {
    until: 'done: the code that completes the work deletes the row',
    tables: ['call_timer', 'parked_call', 'notification_digest'],
  },
  {
    until: 'for good: few rows, or the books of the simulated carrier',
    tables: [
      ...['migration', 'outbox_cursor', 'secret_check', 'carrier_account'],
      ...['sandbox_order', 'sandbox.phone', 'sandbox.port', 'sandbox.registration'],
    ],
  },
];

/** Days of an interval such as `7 days`; null for other units. */
function daysOf(keepFor: string): number | null {
  const days = /^(\d+) days?$/.exec(keepFor)?.[1];
  return days === undefined ? null : Number(days);
}

/**
 * The rules with the times that `RETENTION_DAYS` sets.
 * @throws InvalidSettingsError for a table whose time can't be set, or a time that is too short
 */
export function retentionRulesFor(
  days: Readonly<Record<string, number>>,
): readonly RetentionRule[] {
  const adjustable = retentionRules.filter((rule) => rule.atLeastDays !== undefined);
  const problems = Object.entries(days).flatMap(([table, wanted]) => {
    const rule = adjustable.find((one) => one.table === table);
    const names = adjustable.map((one) => one.table).join(', ');
    if (!rule) return [`RETENTION_DAYS may name ${names}; ${table} is none of them`];
    const { atLeastDays = 0, keepFor } = rule;
    if (wanted >= atLeastDays) return [];
    const example = `RETENTION_DAYS=${table}=${daysOf(keepFor)}`;
    return [`RETENTION_DAYS keeps ${table} for at least ${atLeastDays} days. Try ${example}`];
  });
  if (problems.length > 0) throw new InvalidSettingsError(problems);
  return retentionRules.map((rule) => {
    const wanted = rule.atLeastDays === undefined ? undefined : days[rule.table];
    return wanted === undefined ? rule : { ...rule, keepFor: `${wanted} days` };
  });
}

/** Rows per statement: each statement is a short transaction. */
const BATCH_ROWS = 2000;
/** Per table and run; the rest waits for the next hour. */
const MAX_BATCHES = 500;

/** The statement that deletes some expired rows. `now`: a placeholder or a time. */
export function deleteExpiredSql(o: RetentionRule, now: ReturnType<typeof sql>) {
  const table = sql.table(o.table);
  const isOld = sql`${sql.raw(o.ageColumn)} < ${now}::timestamptz - ${sql.lit(o.keepFor)}::interval`;
  const where = o.where ? sql` and (${sql.raw(o.where)})` : sql``;
  // With `orderBy`, the first rows in that order are read and the expired ones among them deleted:
  // the scan ends at the first young rows.
  const oldest = o.orderBy
    ? sql`select r.ctid, ${sql.raw(o.ageColumn)} as since from ${table} r where true${where} order by ${sql.raw(o.orderBy)} limit ${sql.lit(BATCH_ROWS)}`
    : sql`select r.ctid, ${sql.raw(o.ageColumn)} as since from ${table} r where ${isOld}${where} limit ${sql.lit(BATCH_ROWS)}`;
  return sql`delete from ${table} where ctid = any(array(select oldest.ctid from (${oldest}) oldest where oldest.since < ${now}::timestamptz - ${sql.lit(o.keepFor)}::interval))`;
}

/** Runs hourly: deletes expired rows, table by table, at background priority. */
export async function deleteExpiredRows(ctx: Ctx): Promise<void> {
  const { unscoped: directory } = ctx.inBackground().db;
  for (const rule of retentionRulesFor(ctx.settings.retentionDays)) {
    for (let n = 0; n < MAX_BATCHES; n++) {
      const { numAffectedRows } = await deleteExpiredSql(rule, sql`${ctx.now}`).execute(directory);
      if (Number(numAffectedRows ?? 0) < BATCH_ROWS) break;
    }
  }
}

export const jobs = [
  defineJob(
    'retention.sweep',
    z.object({}),
    { queue: 'default', timeoutSeconds: 3000, overlap: 'never', retries: 0 },
    deleteExpiredRows,
  ),
];
