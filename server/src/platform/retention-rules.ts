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
