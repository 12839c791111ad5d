import { rowPerPerson, type RetentionRule } from './retention-rule.ts';

const oneDayOfCalls = 'limited to one day of calls';

/** Running calls, what carriers report about them, and adapter state. */
export const callRetentionRules: readonly RetentionRule[] = [
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
];
