import { expect, it } from 'vitest';
import type { ActivityKind } from '#contract/conversations/rules';
import { activityDefaults, toFilterGroups } from './activity-filters.ts';

const now = new Date('2026-11-21T03:30:00Z'); // still November 20 in New York
const of = (over: Partial<typeof activityDefaults>, kind: ActivityKind = 'call') =>
  toFilterGroups({ ...activityDefaults, ...over }, kind, now, 'America/New_York');

it('no filters give no groups', () => expect(of({})).toEqual([]));
it('all filters share one group', () => {
  expect(of({ direction: 'inbound', outcome: '2', number: '12', unread: true })).toEqual([
    [
      { field: 'direction', op: 'eq', value: 'inbound' },
      { field: 'outcome', op: 'eq', value: 2 },
      { field: 'number_id', op: 'eq', value: 12 },
      { field: 'unread', op: 'eq', value: true },
    ],
  ]);
});
it('what isn’t a number in the address is no filter', () => {
  expect(of({ group: 'number', number: 'main', outcome: 'all', phrases: 'x' })).toEqual([]);
});
it('missed calls that were not called back are a separate filter', () => {
  expect(of({ outcome: 'due' })).toEqual([[{ field: 'callback_due', op: 'eq', value: true }]]);
});
it('a period counts days in the user’s time zone, including today', () => {
  expect(of({ period: 'today' })).toEqual([[{ field: 'at', op: 'gte', value: '2026-11-20' }]]);
  expect(of({ period: 'week' })).toEqual([[{ field: 'at', op: 'gte', value: '2026-11-14' }]]);
});
it('a phone number search ignores spaces, dashes and brackets; words match senders, names and texts', () => {
  expect(of({ search: '(212) 555-0147' })).toEqual([
    [{ field: 'party', op: 'contains', value: '2125550147' }],
  ]);
  expect(of({ search: 'noon', direction: 'inbound' }).map((g) => g.map((f) => f.field))).toEqual([
    ['direction', 'party'],
    ['direction', 'contact'],
    ['direction', 'text'],
  ]);
});
it('a source is one filter, what people came from is looked for in campaign, keyword and page', () => {
  expect(of({ source: 'google_ads' })).toEqual([
    [{ field: 'source', op: 'eq', value: 'google_ads' }],
  ]);
  expect(
    of({ source: 'bing', from: 'implants', search: 'noon' }).map((g) => g.map((f) => f.field)),
  ).toEqual(
    ['party', 'contact', 'text'].flatMap((way) =>
      ['source_campaign', 'keyword', 'landing_page'].map((field) => ['source', way, field]),
    ),
  );
  expect(of({ from: 'implants' })).toHaveLength(3);
  expect(of({ source: 'bing' }, 'voicemail')).toHaveLength(1);
  expect(of({ source: 'bing', from: 'implants' }, 'fax')).toEqual([]);
});
it('a filter of another activity kind is ignored', () => {
  expect(of({ outcome: '2' }, 'message')).toEqual([]);
  expect(of({ state: 'trouble' }, 'message')).toEqual([
    [{ field: 'delivery_state', op: 'in', value: ['failed', 'undelivered', 'unknown'] }],
  ]);
});
