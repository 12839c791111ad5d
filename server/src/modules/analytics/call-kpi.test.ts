import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { analytics } from '#contract';
import { createTestApp } from '../../../test/support/test-app.ts';
import { inboxHelpers } from '../../../test/support/inbox.ts';
import { daysBefore } from './query/question.ts';

const app = await createTestApp();
const inbox = inboxHelpers(app);
interface Seen {
  at: string;
  outcome: number;
  party?: string;
  first?: boolean;
  talk?: number;
  ring?: number;
  outbound?: boolean;
  qualified?: boolean;
  lead?: boolean;
}
const call = (companyId: number, numberId: number, c: Seen) =>
  app.services.db.systemTransaction((tx) =>
    sql`insert into call (company_id, number_id, carrier, outbound, from_number, to_number, party,
        status, outcome, started_at, talk_seconds, ring_seconds, first_contact, qualified, lead)
  values (${companyId}, ${numberId}, 'sandbox', ${c.outbound ?? false}, '+12125550147',
      '+14155552368', ${c.party ?? '+12125550147'}, 12, ${c.outcome}, ${c.at}::timestamptz,
      ${c.talk ?? 0}, ${c.ring ?? 0}, ${c.first ?? false}, ${c.qualified ?? false},
      ${c.lead ?? false})`.execute(tx),
  );

test('periods are counted by days of their time zone, compared, and limited to visible numbers', async () => {
  const { company, owner } = await app.createCompany();
  const [a, b] = [await inbox.number(company.id), await inbox.number(company.id)];
  const limited = await app.createPerson(company.id, 'reporting', [b.id]);
  // New York, November: four hours past midnight UTC still belongs to the evening before.
  for (const c of [
    { at: '2026-11-10T15:00:00Z', outcome: 1, talk: 100, ring: 8, first: true, qualified: true },
    { at: '2026-11-11T04:30:00Z', outcome: 1, talk: 200, ring: 4, lead: true },
    { at: '2026-11-10T16:00:00Z', outcome: 2, party: '+12125550148', first: true },
    { at: '2026-11-10T17:00:00Z', outcome: 3, party: '+12125550149' },
    { at: '2026-11-10T18:00:00Z', outcome: 4, party: '+12125550150' },
    { at: '2026-11-10T19:00:00Z', outcome: 1, talk: 999, outbound: true },
    { at: '2026-11-11T05:30:00Z', outcome: 1, talk: 60 },
    { at: '2026-11-10T04:30:00Z', outcome: 2 },
  ])
    await call(company.id, a.id, c);
  await call(company.id, b.id, {
    at: '2026-11-10T15:00:00Z',
    outcome: 1,
    talk: 30,
    party: '+12125550151',
  });
  await inbox.text('+12125550147', a.number, 'hello');
  await app.drainJobs();
  const around = (days: number) =>
    new Date(app.clock.value.getTime() + days * 86_400_000).toISOString().slice(0, 10);
  const ask = (who: typeof owner, body: object) =>
    app.as(who).request(analytics.callKpi, {
      params: { companyId: company.id },
      body: { tz: 'America/New_York', ...body } as never,
    });
  const day = { start: '2026-11-10', end: '2026-11-10' };
  const { data } = (await ask(owner, { currentRange: day })).body;
  expect(data.current).toEqual({
    total: 6,
    answered: 3,
    missed: 1,
    voicemail: 1,
    blocked: 1,
    unique_callers: 5,
    first_time: 2,
    avg_duration: 110,
    total_minutes: 6,
    answer_rate: 60,
    avg_ring: 4,
    qualified: 1,
    leads: 1,
    messages: 0,
  });
  expect(data.previous).toMatchObject({ total: 1, missed: 1, answered: 0, answer_rate: 0 });
  expect(data.change).toMatchObject({
    total: { abs: 5, pct: 500 },
    answered: { abs: 3, pct: null },
    missed: { abs: 0, pct: 0 },
  });
  expect(
    (
      await ask(owner, {
        currentRange: day,
        previousRange: { start: '2026-11-11', end: '2026-11-11' },
      })
    ).body.data.previous,
  ).toMatchObject({ total: 1, answered: 1, avg_duration: 60 });
  expect((await ask(limited, { currentRange: day })).body.data.current).toMatchObject({
    total: 1,
    answered: 1,
    unique_callers: 1,
  });
  expect(
    (await ask(owner, { currentRange: { start: around(-1), end: around(1) }, tz: 'UTC' })).body.data
      .current,
  ).toMatchObject({ messages: 1 });
});

test('the series is by day, or by hour for one day, and ends now', async () => {
  const { company, owner } = await app.createCompany();
  const a = await inbox.number(company.id);
  app.clock.value = new Date('2026-11-12T18:30:00Z');
  // 1:30 PM in New York. The second is of the evening before there, and of this day in UTC.
  for (const c of [
    { at: '2026-11-10T15:00:00Z', outcome: 1, first: true },
    { at: '2026-11-11T04:30:00Z', outcome: 2 },
    { at: '2026-11-10T16:00:00Z', outcome: 4 },
    { at: '2026-11-12T14:10:00Z', outcome: 1 },
    { at: '2026-11-12T14:50:00Z', outcome: 3 },
  ])
    await call(company.id, a.id, c);
  const series = async (start: string, end: string, tz: string) =>
    (
      await app.as(owner).request(analytics.callKpi, {
        params: { companyId: company.id },
        body: { currentRange: { start, end }, tz },
      })
    ).body.data.series;
  const none = { total: 0, answer_rate: null, missed: 0, first_time: 0, messages: 0 };
  expect(await series('2026-11-10', '2026-11-20', 'America/New_York')).toEqual([
    { at: '2026-11-10', total: 3, answer_rate: 50, missed: 1, first_time: 1, messages: 0 },
    { at: '2026-11-11', ...none },
    { ...none, at: '2026-11-12', total: 2, answer_rate: 50 },
  ]);
  expect((await series('2026-11-10', '2026-11-11', 'UTC')).map((p) => [p.at, p.total])).toEqual([
    ['2026-11-10', 2],
    ['2026-11-11', 1],
  ]);
  const hours = await series('2026-11-12', '2026-11-12', 'America/New_York');
  expect(hours.map(({ at }) => at).at(-1)).toBe('2026-11-12T13:00');
  expect(hours.filter((h) => h.total > 0).map((h) => [h.at, h.total])).toEqual([
    ['2026-11-12T09:00', 2],
  ]);
});

test('a running period can be compared with the same part of the other period', async () => {
  const { company, owner } = await app.createCompany();
  const a = await inbox.number(company.id);
  app.clock.value = new Date('2026-11-12T18:30:00Z');
  for (const at of ['2026-11-11T18:29:00Z', '2026-11-11T18:31:00Z', '2026-11-12T18:00:00Z'])
    await call(company.id, a.id, { at, outcome: 1 });
  const previous = async (day: string, sameTime?: boolean) =>
    (
      await app.as(owner).request(analytics.callKpi, {
        params: { companyId: company.id },
        body: {
          currentRange: { start: day, end: day },
          previousRange: { start: '2026-11-11', end: '2026-11-11' },
          tz: 'America/New_York',
          ...(sameTime === undefined ? {} : { sameTime }),
        },
      })
    ).body.data.previous.total;
  expect(await previous('2026-11-12')).toBe(2);
  expect(await previous('2026-11-12', true)).toBe(1);
  // A period that is over is compared whole.
  expect(await previous('2026-11-10', true)).toBe(2);
});

test('reversed ranges and unknown time zones are rejected at their field', async () => {
  const { company, owner } = await app.createCompany();
  const ask = (body: object) =>
    app
      .as(owner)
      .inject({ method: 'POST', url: `/api/companies/${company.id}/calls/kpi`, payload: body });
  const day = { start: '2026-11-10', end: '2026-11-10' };
  expect(
    (await ask({ currentRange: { start: '2026-11-10', end: '2026-11-09' } })).body.errors,
  ).toHaveProperty(['currentRange.end']);
  for (const tz of ['Mars/Olympus', '+05:00'])
    expect((await ask({ currentRange: day, tz })).body.errors).toEqual({
      tz: ['Choose a time zone from the list.'],
    });
});

test('the period before has as many days and ends the day before', () => {
  expect(daysBefore({ start: '2026-11-01', end: '2026-11-21' })).toEqual({
    start: '2026-10-11',
    end: '2026-10-31',
  });
  expect(daysBefore({ start: '2026-03-01', end: '2026-03-01' })).toEqual({
    start: '2026-02-28',
    end: '2026-02-28',
  });
});
