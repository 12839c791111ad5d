import { rowPerPerson, type Retention } from '../../platform/retention-rule.ts';

const oneDayOfCalls = 'limited to one day of calls';

/** How long the tables of this module are kept. */
export const retention: Retention = {
  rules: [
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
  ],
  kept: [
    {
      until: 'the company goes: what it works with',
      tables: [
        'calling_person',
        'caller_identity',
        'caller_gap',
        'caller_change',
        'phrase_list',
        'outcome_rule',
      ],
    },
    {
      until: 'the company goes: calls, conversations and campaigns',
      tables: [
        'call',
        'call_history',
        'call_leg',
        'call_tag',
        'call_interconnect',
        'call_search_text',
        'voicemail',
      ],
    },
    {
      until:
        'the bytes go as the setting of the number says; the row stays (`calls.deleteExpired`)',
      tables: ['recording', 'transcription', 'phrase_hit', 'call_reading'],
    },
    { until: 'for good: evidence', tables: ['caller_lookup'] },
    {
      until: 'done: the code that completes the work deletes the row',
      tables: ['call_timer', 'parked_call'],
    },
  ],
};
