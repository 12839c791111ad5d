import { describe, expect, test } from 'vitest';
import { callAnalytics as contract } from '#contract';
import {
  callGroups,
  callTargets,
  sentiments,
  timeGroups,
} from '#contract/analytics/call-analytics/rules';
import type { CallReportRow } from '#contract/analytics/call-analytics/schemas';
import {
  figuresOf,
  isAskedFor,
  keysOf,
  rowsOf,
  type Asked,
  type OwnedCall,
} from '../../../../test/support/expected-calls.ts';
import { companyWithCalls } from '../../../../test/support/company-with-calls.ts';
import { seeded } from '../../../../test/support/random-calls.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';

const app = await createTestApp();
const tz = 'America/New_York';
/** Clocks go back in between. */
const range = { start: '2026-10-20', end: '2026-11-12' };

const one = await companyWithCalls(app, 1);
const two = await companyWithCalls(app, 2);

async function ask(who: TestPerson, query: Record<string, unknown>) {
  const answer = await app
    .as(who)
    .request(contract.analyzeCalls, { query: { company_id: who.companyId, ...query } });
  expect(answer.status, JSON.stringify([query, answer.body])).toBe(200);
  return answer.body;
}
const targetOf = (figures: CallReportRow['figures'], target: string) =>
  figures[target as keyof typeof figures];

/** Compares an answer with what these calls come to. */
function check(body: Awaited<ReturnType<typeof ask>>, calls: readonly OwnedCall[], q: Asked) {
  const wanted = calls.filter((call) => isAskedFor(call, q));
  expect(body.totals, JSON.stringify(q)).toEqual(figuresOf(wanted));
  expect(body.meta.row_count).toBe(wanted.length);
  const expected = rowsOf(wanted, q);
  const series = q['series'] as string | undefined;
  for (const row of body.data) {
    const own = expected.get(row.key) ?? [];
    expect([row.key, row.figures], JSON.stringify(q)).toEqual([row.key, figuresOf(own)]);
    expect(row.value).toBe(targetOf(row.figures, q.target));
    for (const point of series ? (row.series ?? []) : []) {
      const there = own.filter((call) => keysOf(call, series ?? '', q.tz).includes(point.key));
      expect([row.key, point.key, point.value]).toEqual([
        row.key,
        point.key,
        targetOf(figuresOf(there), q.target),
      ]);
    }
    if (series)
      expect(new Set(row.series?.map(({ key }) => key))).toEqual(
        new Set([
          ...(row.series?.map(({ key }) => key) ?? []),
          ...own.flatMap((call) => keysOf(call, series, q.tz)),
        ]),
      );
  }
  const shown = new Set(body.data.map(({ key }) => key));
  expect(
    [...expected.keys()].filter((key) => !shown.has(key)),
    JSON.stringify(q),
  ).toEqual([]);
  expect(shown.size).toBe(body.data.length);
}

describe('figures are those of the calls, counted one by one', () => {
  test.each(callGroups)('by %s', async (group) => {
    for (const target of callTargets) {
      const q = { ...range, tz, group, target };
      check(await ask(one.owner, q), one.calls, q);
    }
  });

  test('without different callers everything else is the same', async () => {
    for (const group of ['none', 'source', 'tag'] as const) {
      const q = { ...range, tz, group, target: 'calls', series: 'day' };
      const whole = await ask(one.owner, q);
      const without = await ask(one.owner, { ...q, unique: false });
      const figures = (of: CallReportRow['figures']) => ({ ...of, unique: null });
      expect(without.totals).toEqual(figures(whole.totals));
      expect(without.data).toEqual(
        whole.data.map((row) => ({ ...row, figures: figures(row.figures) })),
      );
      expect(without.meta).toMatchObject({ checksum: null, filter_hash: whole.meta.filter_hash });
    }
    const { status, body } = await app.as(one.owner).request(contract.analyzeCalls, {
      query: { company_id: one.company.id, target: 'unique', unique: false },
    });
    expect([status, body]).toMatchObject([422, { errors: { unique: [expect.any(String)] } }]);
  });

  const filters: Record<string, unknown[]> = {
    direction: ['inbound', 'outbound', 'all'],
    number_ids: [one.numbers.slice(0, 1), one.numbers, two.numbers],
    tags: [one.tags.slice(0, 1), one.tags.slice(1), two.tags],
    answer_status: [['answered'], ['missed', 'voicemail'], ['blocked', 'running']],
    min_duration: [1, 30, 121],
    first_contact: [true, false],
    answered_by: [['user', 'app'], ['forward'], ['voicemail']],
    user_ids: [[one.users[0]?.id], one.users.map((u) => u.id)],
    geo_states: [['NY'], ['CA', 'TX']],
    geo_areas: [['212'], ['415', '305']],
    sources: [['google_ads'], ['bing', 'nothing']],
    campaigns: [['Implants'], ['Spring', 'Implants']],
    outcomes: [['appt_booked'], ['opportunity', 'unknown']],
    departments: [['sales'], ['parts', 'service']],
    qualified: [true, false],
    lead: [true, false],
    dni_pool_ids: [[81], [81, 82]],
    extension_labels: [['Sales']],
    sentiments: [sentiments.slice(0, 2), ['unknown']],
  };
  test.each(Object.entries(filters))('with the filter %s', async (name, values) => {
    for (const value of values) {
      const q = { ...range, tz, group: 'day', target: 'calls', [name]: value };
      check(await ask(one.owner, q), one.calls, q);
    }
  });

  test.each([11, 12, 13])('with groups, filters, zones and series combined (%i)', async (seed) => {
    const r = seeded(seed);
    for (let n = 0; n < 40; n++) {
      const q: Asked = {
        ...r.oneOf([range, { start: '2026-11-01', end: '2026-11-01' }]),
        tz: r.oneOf([tz, 'UTC', 'Asia/Kolkata', 'Pacific/Auckland']),
        group: r.oneOf(callGroups),
        target: r.oneOf(callTargets),
        ...(r.is(0.4) && { series: r.oneOf(timeGroups) }),
        ...Object.fromEntries(
          r.some(Object.keys(filters), 0.12).map((name) => [name, r.oneOf(filters[name] ?? [])]),
        ),
      };
      check(await ask(one.owner, q), one.calls, q);
    }
  });
});
