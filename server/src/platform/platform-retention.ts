import type { Retention } from './retention-rule.ts';

const rowPerProcess = 'one row per process';

/** How long the tables of the platform are kept. */
export const retention: Retention = {
  rules: [
    {
      table: 'outbox',
      ageColumn: 'at',
      keepFor: '7 days',
      atLeastDays: 1,
      where: 'seq is not null',
      orderBy: 'seq',
      reason:
        'published events: browsers ask for the last five minutes, a week helps to investigate',
    },
    {
      table: 'idempotency_key',
      ageColumn: 'at',
      keepFor: '1 day',
      reason: 'requests are retried within 24 hours',
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
      table: 'exchange',
      ageColumn: 'ended_at',
      keepFor: '1 day',
      smallBecause: rowPerProcess,
      reason: 'its calls ended with it',
    },
    {
      table: 'sip_phone',
      ageColumn: 'expires_at',
      keepFor: '1 day',
      smallBecause: 'a row for each registered phone',
      reason: 'SIP phones register again every five minutes',
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
      table: 'webhook_retry',
      ageColumn: 'received_at',
      keepFor: '7 days',
      atLeastDays: 1,
      orderBy: 'id',
      reason: 'webhooks that could not be stored: after a week no call or text waits for one',
    },
    {
      table: 'backup_run',
      ageColumn: 'finished_at',
      keepFor: '365 days',
      atLeastDays: 7,
      reason: 'when the installation was backed up: a year shows how it went',
    },
  ],
  kept: [
    {
      until:
        'the bytes go as the setting of the number says; the row stays (`calls.deleteExpired`)',
      tables: ['file'],
    },
    {
      until:
        'AUDIT_KEEP_DAYS have passed (`audit.deleteOld`); no role of the application can delete it',
      tables: ['audit_log'],
    },
    {
      until: 'they are handled, within a second',
      tables: ['ordered_event'],
    },
    {
      until: 'for good: few rows, or the books of the simulated carrier',
      tables: ['migration', 'background_fill', 'outbox_cursor', 'secret_check'],
    },
  ],
};
