import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import {
  analytics,
  callAnalytics,
  dashboard as contract,
  exporting,
  type Body,
  type BodyIn,
} from '#contract';
import { companyWithCalls } from '../../../../test/support/company-with-calls.ts';
import { figuresOf, isAskedFor, localOf } from '../../../../test/support/expected-calls.ts';
import { inboxHelpers, uniquePhone } from '../../../../test/support/inbox.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';

const app = await createTestApp();
const inbox = inboxHelpers(app);
const tz = 'America/New_York';
const one = await companyWithCalls(app, 21);
const two = await companyWithCalls(app, 22);
app.clock.value = new Date('2026-11-13T18:00:00Z');

type Asked = Partial<BodyIn<typeof contract.getDashboard>>;
const request = (who: TestPerson, body: Asked) =>
  app.as(who).request(contract.getDashboard, {
    body: { company_id: who.companyId, type: 'calls', tz, ...body },
  });
async function show(who: TestPerson, body: Asked) {
  const answer = await request(who, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}
async function fileOf(who: TestPerson, query: Record<string, unknown>) {
  const begun = await app.as(who).request(callAnalytics.analyzeCalls, {
    query: { company_id: who.companyId, tz, format: 'csv' as const, ...query },
  });
  await app.drainJobs();
  const done = await app.as(who).request(exporting.exportProgress, {
    params: { batchId: String(begun.body.meta['batchId']) },
    query: { companyId: who.companyId },
  });
  const file = await app.server.inject({
    method: 'GET',
    url: String(done.body.data.resultUrl),
    headers: { authorization: `Bearer ${who.token}` },
  });
  return parse(file.body, { bom: true, columns: true }) as Record<string, string>[];
}

describe('one question has one answer', () => {
  const [first = 0] = one.numbers;
  const ranges = [
    { start: '2026-10-25', end: '2026-11-08' },
    { start: '2026-11-01', end: '2026-11-01' },
    { start: '2026-11-05', end: '2026-11-05' },
  ];
  test.each(ranges)('on home, dashboard, report and file: %j', async (range) => {
    const limited = await app.createPerson(one.company.id, 'reporting', [first]);
    for (const who of [one.owner, limited]) {
      const { data: home } = (
        await app.as(who).request(analytics.callKpi, {
          params: { companyId: one.company.id },
          body: { currentRange: range, tz },
        })
      ).body;
      const group = range.start === range.end ? 'hour' : 'day';
      const board = await show(who, { ...range, groupBy: group, compare: 'previous' });
      const report = (
        await app.as(who).request(callAnalytics.analyzeCalls, {
          query: { company_id: who.companyId, ...range, tz, group },
        })
      ).body;
      const file = await fileOf(who, { ...range, group });
      expect(board.totals).toEqual(report.totals);
      expect(board.data.map(({ values }) => values)).toEqual(
        report.data.map(({ figures }) => figures),
      );
      expect(board.meta.checksum).toBe(report.meta.checksum);
      expect(
        file.map((row) => [row['Key'], Number(row['Calls']), Number(row['Talk (s)'])]),
      ).toEqual(report.data.map(({ key, figures }) => [key, figures.calls, figures.duration]));
      const mine = who === owner() ? one.calls : one.calls.filter((c) => c.number_id === first);
      const asked = { ...range, tz, group, target: 'calls' };
      expect(report.totals).toEqual(figuresOf(mine.filter((call) => isAskedFor(call, asked))));
      const { current } = home;
      expect(atHome(current)).toEqual(atHome(asOnHome(report.totals)));
      expect(atHome(home.previous)).toEqual(atHome(asOnHome(board.previous?.totals ?? {})));
      expect(
        home.series.map(({ at, total, answer_rate, missed, first_time }) => [
          group === 'hour' ? at.slice(11, 13) : at,
          total,
          answer_rate,
          missed,
          first_time,
        ]),
      ).toEqual(
        report.data.map(({ key, figures: f }) => [
          ...[key, f.calls, f.answer_rate, f.missed, f.first_time],
        ]),
      );
    }
  });
  const owner = () => one.owner;
});

const shared = [
  ...(['total', 'answered', 'missed', 'voicemail', 'blocked', 'unique_callers'] as const),
  ...(['first_time', 'avg_duration', 'total_minutes', 'answer_rate', 'avg_ring'] as const),
  ...(['qualified', 'leads'] as const),
];
const atHome = (figures: Record<string, number | null>) => shared.map((name) => figures[name]);
const asOnHome = (f: Record<string, number | null>): Record<string, number | null> => ({
  ...f,
  total: f['calls'] ?? null,
  unique_callers: f['unique'] ?? null,
  answer_rate: f['answer_rate'] ?? 0,
  total_minutes: Math.round((f['duration'] ?? 0) / 60),
});

describe('types', () => {
  const range = { start: '2026-10-20', end: '2026-11-12' };
  const mine = one.calls.filter((call) =>
    isAskedFor(call, { ...range, tz, group: 'none', target: 'calls' }),
  );

  test.each([
    ['numbers', 'number'],
    ['sources', 'source'],
    ['agents', 'user'],
    ['outcomes', 'outcome'],
    ['campaigns', 'campaign'],
  ] as const)('%s are calls by %s', async (type, group) => {
    const board = await show(one.owner, { ...range, type });
    const report = await app.as(one.owner).request(callAnalytics.analyzeCalls, {
      query: { company_id: one.company.id, ...range, tz, group },
    });
    expect(board.data).toEqual(
      report.body.data.map(({ key, label, figures }) => ({ key, label, values: figures })),
    );
    expect(board.totals['calls']).toBe(mine.length);
  });

  test('people are named, whoever asks', async () => {
    const reporting = await app.createPerson(one.company.id, 'reporting');
    for (const who of [one.owner, reporting]) {
      const { data } = await show(who, { ...range, type: 'agents' });
      const named = data.filter(({ key }) => key !== '(none)');
      expect(named.map(({ key }) => Number(key)).toSorted()).toEqual(
        one.users.map(({ id }) => id).toSorted(),
      );
      for (const { key, label } of named) expect([key, label]).not.toEqual([key, key]);
    }
  });

  test('a heatmap counts every hour of every weekday', async () => {
    const { data, totals } = await show(one.owner, { ...range, type: 'heatmap' });
    expect(data.map(({ label }) => label)).toEqual([
      ...['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'],
    ]);
    for (const { key, values } of data)
      for (const [at, n] of Object.entries(values))
        expect([key, at, n]).toEqual([
          key,
          at,
          mine.filter((call) => {
            const { weekday, hour } = localOf(call, tz);
            return String(weekday) === key && hour === at;
          }).length,
        ]);
    expect(Object.values(totals).reduce<number>((sum, n) => sum + (n ?? 0), 0)).toBe(mine.length);
  });

  test('texts are those of home, in and out, by day and number, and of one’s own write at once', async () => {
    const { company, owner } = await app.createCompany();
    const [a, b] = [await inbox.number(company.id), await inbox.number(company.id)];
    const limited = await app.createPerson(company.id, 'reporting', [b.id]);
    const day = app.clock.value.toISOString().slice(0, 10);
    const today = { start: day, end: day, tz: 'UTC', type: 'messages' as const };
    expect((await show(owner, today)).totals).toEqual({ total: 0, inbound: 0, outbound: 0 });
    await inbox.text(uniquePhone(), a.number, 'one');
    await inbox.text(uniquePhone(), a.number, 'two');
    await inbox.text(uniquePhone(), b.number, 'three');
    // Within the 15 seconds that an answer can be kept.
    const board = await show(owner, { ...today, groupBy: 'number' });
    expect(board.totals).toMatchObject({ inbound: 3 });
    expect(board.data.map(({ key, values }) => [key, values['inbound']])).toEqual([
      [String(a.id), 2],
      [String(b.id), 1],
    ]);
    expect((await show(limited, today)).totals['inbound']).toBe(1);
    const own = { ...today, filters: { number_ids: [a.id], direction: 'inbound' as const } };
    expect((await show(owner, own)).totals).toEqual({ total: 2, inbound: 2, outbound: 0 });
    const { data: home } = (
      await app.as(owner).request(analytics.callKpi, {
        params: { companyId: company.id },
        body: { currentRange: { start: day, end: day }, tz: 'UTC' },
      })
    ).body;
    expect(board.totals['total']).toBe(home.current.messages);
    expect((await show(two.owner, today)).totals['total']).toBe(0);
  });
});

test.each<[Asked['compare'], string, string]>([
  ['previous', '2026-10-12', '2026-10-31'],
  ['1_month', '2026-10-01', '2026-10-20'],
  ['3_months', '2026-08-01', '2026-08-20'],
  ['6_months', '2026-05-01', '2026-05-20'],
  ['1_year', '2025-11-01', '2025-11-20'],
])('a period can be set against %s', async (compare, start, end) => {
  const asked = { start: '2026-11-01', end: '2026-11-20' };
  const { totals, previous } = await show(one.owner, { ...asked, ...(compare && { compare }) });
  expect(previous).toMatchObject({ start, end });
  const alone = await show(one.owner, { start, end });
  expect(previous?.totals).toEqual(alone.totals);
  expect(previous?.data).toEqual(alone.data);
  const abs = (totals['calls'] ?? 0) - (alone.totals['calls'] ?? 0);
  expect(previous?.change['calls']?.abs).toBe(abs);
});

test('days that still run can be set against days that ran for as long', async () => {
  // 13:00 in New York, on the last of these days.
  const asked = { start: '2026-11-12', end: '2026-11-13' };
  const whole = (await show(one.owner, { ...asked, compare: 'previous' })).previous;
  const same = (await show(one.owner, { ...asked, compare: 'previous', sameTime: true })).previous;
  const before = (hour: number) =>
    one.calls.filter((call) => {
      const local = localOf(call, tz);
      return (
        isAskedFor(call, {
          ...{ start: '2026-11-10', end: '2026-11-11' },
          ...{ tz, group: 'none', target: 'calls' },
        }) &&
        (local.day === '2026-11-10' || Number(local.hour) < hour)
      );
    }).length;
  expect(before(13)).toBeLessThan(before(24));
  expect([whole?.totals['calls'], same?.totals['calls']]).toEqual([before(24), before(13)]);
  expect(same?.data.reduce((sum, { values }) => sum + (values['calls'] ?? 0), 0)).toBe(before(13));
  // Days that are over are compared whole.
  const over = { start: '2026-11-08', end: '2026-11-09', compare: 'previous' as const };
  expect((await show(one.owner, { ...over, sameTime: true })).previous).toEqual(
    (await show(one.owner, over)).previous,
  );
});

test.each<[Asked | Record<string, unknown>, string]>([
  [{ type: 'weather' }, 'type'],
  [{ groupBy: 'colour' }, 'groupBy'],
  [{ type: 'messages', groupBy: 'tag' }, 'groupBy'],
  [{ type: 'numbers', groupBy: 'day' }, 'groupBy'],
  [{ type: 'fax', filters: { qualified: true } }, 'filters.qualified'],
  [{ compare: 'never' }, 'compare'],
  [{ tz: '+05:00' }, 'tz'],
])('%j is refused by name', async (body, field) => {
  const answer = await request(one.owner, body as Body<typeof contract.getDashboard>);
  expect(answer.status).toBe(422);
  expect(Object.keys((answer.body as unknown as { errors: object }).errors)).toEqual([field]);
});

test('a filter that doesn’t exist is refused', async () => {
  const body = { filters: { colour: 'red' } } as unknown as Asked;
  expect((await request(one.owner, body)).status).toBe(422);
});
