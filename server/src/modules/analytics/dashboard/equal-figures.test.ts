import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { analytics, dashboard, exporting } from '#contract';
import type { ItemType } from '#contract/analytics/dashboard/rules';
import { changingItems } from '../../../../test/support/changing-items.ts';
import { seeded } from '../../../../test/support/random-calls.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { spanOf } from '../query/store-figures-of-calls.ts';
import { countOfItems } from '../query/store-items.ts';

/** How many texts, voicemails and faxes there are is the same at home, on dashboards, in sums and in files. */
const app = await createTestApp();
const { company, correct, fold } = changingItems(app);
const tz = 'America/Chicago';
const r = seeded(93);
const made = await company(r, tz);
const other = await company(r, tz);
app.clock.value = new Date('2026-11-28T18:00:00Z');

const types = {
  messages: { kind: 'message', endpoint: exporting.exportMessages },
  voicemails: { kind: 'voicemail', endpoint: exporting.exportVoicemails },
  fax: { kind: 'fax', endpoint: exporting.exportFaxes },
} as const;

/** The rows of a file of all that a person can export of a type. */
async function fileOf(who: TestPerson, type: ItemType) {
  // Of voicemails all come in, so their files don't say it.
  const knowsDirection = type !== 'voicemails';
  const begun = await app.as(who).request(types[type].endpoint, {
    body: {
      companyId: made.id,
      columns: ['at' as const, ...(knowsDirection ? ['direction' as const] : [])],
      tz,
    },
  });
  expect(begun.status, JSON.stringify(begun.body)).toBe(202);
  await app.drainJobs();
  const done = await app.as(who).request(exporting.exportProgress, {
    params: { batchId: begun.body.data.batchId },
    query: { companyId: made.id },
  });
  const file = await app.server.inject({
    method: 'GET',
    url: done.body.data.resultUrl!,
    headers: { authorization: `Bearer ${who.token}` },
  });
  const [, ...rows] = parse(file.body, { bom: true }) as string[][];
  return rows.map(([at = '', direction = '']) => ({ day: at.slice(0, 10), direction }));
}

const show = async (who: TestPerson, body: Record<string, unknown>) => {
  const answer = await app.as(who).request(dashboard.getDashboard, {
    body: { company_id: made.id, type: 'messages', tz, ...body },
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
};

test('a question has one answer on home, on dashboards, from sums and in the file', async () => {
  const one = made.numbers.slice(0, 1);
  const askers = [
    { who: made.owner, only: null },
    { who: await app.createPerson(made.id, 'user', [...one]), only: one },
  ];
  for (let round = 0; round < 2; round++) {
    for (const { who, only } of askers)
      for (const type of ['messages', 'voicemails', 'fax'] as const) {
        const rows = await fileOf(who, type);
        for (const range of [
          { start: '2026-02-01', end: '2026-11-27' },
          { start: '2026-09-07', end: '2026-10-11' },
          { start: '2026-11-01', end: '2026-11-01' },
        ]) {
          const inRange = rows.filter(({ day }) => day >= range.start && day <= range.end);
          const inbound = inRange.filter(({ direction }) => direction === 'inbound').length;
          const board = await show(who, { ...range, type, groupBy: 'day' });
          const all = board.totals;
          expect(all['total']).toBe(inRange.length);
          if (type !== 'voicemails') expect(all['inbound']).toBe(inbound);
          for (const { key, values } of board.data)
            expect([key, values['total']]).toEqual([
              key,
              inRange.filter(({ day }) => day === key).length,
            ]);
          for (const groupBy of ['number', 'user', 'hour', 'month', 'none'] as const)
            expect((await show(who, { ...range, type, groupBy })).totals).toEqual(all);
          expect(await fromSums(only, type, range)).toEqual(all);
          if (type === 'messages') await compareTexts(who, range, board.data);
        }
      }
    for (const changed of [made, made, made, other]) await correct(changed, r);
    await fold(5);
  }
}, 120_000);

/** What the sums say, though so few items are counted one by one elsewhere. */
const fromSums = (
  only: readonly number[] | null,
  type: ItemType,
  range: { start: string; end: string },
) =>
  app.services.db.readOnly({ companyId: made.id }, async (tx) => {
    const rows = await countOfItems(
      tx,
      { id: made.id, organizationId: null, only },
      {
        ...{ kind: types[type].kind, tz, range, group: 'month', direction: 'all' },
        ...{ numberIds: null, userIds: null, fromCampaign: null },
        ...spanOf(range, tz),
      },
      0,
    );
    const [inbound, outbound] = (['inbound', 'outbound'] as const).map((name) =>
      rows.reduce((sum, row) => sum + row[name], 0),
    ) as [number, number];
    return { total: inbound + outbound, inbound, outbound };
  });

/** Home has the same texts as the dashboard, in all and each day; campaigns' are some of them. */
async function compareTexts(
  who: TestPerson,
  range: { start: string; end: string },
  days: readonly { key: string; values: Record<string, number | null> }[],
) {
  const answer = await app.as(who).request(analytics.callKpi, {
    params: { companyId: made.id },
    body: { currentRange: range, tz },
  });
  const { current, series } = answer.body.data;
  const total = days.reduce((sum, { values }) => sum + (values['total'] ?? 0), 0);
  expect(current.messages).toBe(total);
  if (range.start !== range.end)
    expect(series.map(({ at, messages }) => [at, messages])).toEqual(
      days.map(({ key, values }) => [key, values['total']]),
    );
  const ofCampaigns = async (from_campaign: boolean) =>
    (await show(who, { ...range, filters: { from_campaign } })).totals['total'] ?? 0;
  const [campaigns, others] = [await ofCampaigns(true), await ofCampaigns(false)];
  expect(campaigns + others).toBe(total);
  if (total > 100) for (const some of [campaigns, others]) expect(some).toBeGreaterThan(10);
}

test.each(['voicemails', 'fax', 'calls'] as const)(
  '%s have no campaigns of texts',
  async (type) => {
    const answer = await app.as(made.owner).request(dashboard.getDashboard, {
      body: { company_id: made.id, type, tz, filters: { from_campaign: true } },
    });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({ errors: { 'filters.from_campaign': expect.any(Array) } });
  },
);
