import { callRetentionRules } from './call-retention-rules.ts';
import { rowPerPerson, type RetentionRule } from './retention-rule.ts';

const rowPerProcess = 'one row per process';

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
    table: 'oauth_record',
    ageColumn: 'expires_at',
    keepFor: '1 day',
    reason: 'codes, tokens and pending consents of programs are useless after they expire',
  },
  {
    table: 'oauth_authorization',
    ageColumn: 'least(revoked_at, expires_at)',
    keepFor: '30 days',
    atLeastDays: 1,
    reason: 'which program had access to a company, to investigate a theft',
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
  ...callRetentionRules,
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
