import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { callGroups } from '#contract/analytics/call-analytics/rules';
import {
  analyzeAs,
  explainQueries,
  maxReturnedRows,
  withoutAutovacuum,
} from '../../../../test/support/query-plans.ts';
import { createTestApp } from '../../../../test/support/test-app.ts';
import { readQuestion } from './question.ts';
import { figuresOfCompanies } from './store-companies.ts';
import { spanOf } from './store-figures-of-calls.ts';
import { countOfItemsTogether } from './store-items.ts';

/** A report on a day of several companies reads that day's calls and texts of just these. */
const app = await createTestApp();
const companies = 30;
const callsEach = 2_000;
const tables = ['call', 'call_tag', 'transcription', 'conversation_item', 'number'];
const day = { start: '2026-10-30', end: '2026-10-30' };
/** Calls of a company on that day: one every 500 seconds. */
const onThatDay = 173;
/** Two of the companies: one is read from its sums, the other, of another zone, call by call and text by text. */
const asked: { id: number; name: string; only: null; organizationId: null }[] = [];

beforeAll(async () => {
  await withoutAutovacuum(app, tables);
  await app.services.db.systemTransaction(async (tx) => {
    const { rows } = await sql<{ id: number }>`
      insert into company (name, slug, timezone, created_at)
      select 'Plan ' || n, 'plan-' || n, case n % 2 when 0 then 'UTC' else 'America/Denver' end, now()
      from generate_series(1, ${companies}::int) n returning id`.execute(tx);
    const ids = rows.map(({ id }) => id);
    asked.push(
      ...ids.slice(3, 5).map((id) => ({ id, name: '', only: null, organizationId: null })),
    );
    await sql`insert into number (company_id, id, number)
      select id, 1, '+1' || 3000000000 + id % 1000000000
      from unnest(${ids}::bigint[]) id`.execute(tx);
    await sql`insert into call (company_id, id, number_id, carrier, outbound, from_number, to_number,
        party, outcome, started_at, talk_seconds)
      select c, n, 1, 'sandbox', false, '', '', '+1212' || 1000000 + n % 4000, n % 5,
        timestamptz '2026-11-03T00:00:00Z' - n * interval '500 seconds', n % 400
      from unnest(${ids}::bigint[]) c, generate_series(1, ${callsEach}::int) n`.execute(tx);
    await sql`insert into conversation (company_id, id, number_id, party, created_at, last_activity_at)
      select c, 1, 1, '+12125550100', now(), now() from unnest(${ids}::bigint[]) c`.execute(tx);
    await sql`insert into conversation_item (company_id, id, conversation_id, number_id, kind,
        is_inbound, created_at, details)
      select c, n, 1, 1, 'message', true,
        timestamptz '2026-11-03T00:00:00Z' - n * interval '500 seconds', '{}'
      from unnest(${ids}::bigint[]) c, generate_series(1, ${callsEach}::int) n`.execute(tx);
  });
}, 240_000);

const plans = explainQueries(app, () => asked[0]?.id ?? 0);
test.each(['never analysed', 'analysed'])('%s', async (state) => {
  if (state === 'analysed') await analyzeAs(app, tables);
  const filters = { tags: [1], sentiments: ['unknown' as const], qualified: false };
  const found = await plans(async (tx) => {
    for (const group of callGroups)
      for (const more of [{}, filters]) {
        const question = readQuestion(
          { ...day, tz: 'UTC', group, target: 'unique' as const, ...more },
          new Date('2026-11-10'),
        );
        await figuresOfCompanies(tx, asked, {
          ...spanOf(question.range, 'UTC'),
          question,
          isSpread: true,
        });
      }
    for (const group of ['day', 'number', 'company'] as const) {
      const question = readQuestion(
        { ...day, tz: 'UTC', group, target: 'calls' as const },
        new Date('2026-11-10'),
      );
      await countOfItemsTogether(tx, asked, {
        kind: 'message',
        range: question.range,
        ...spanOf(question.range, 'UTC'),
        ...{
          tz: 'UTC',
          group,
          direction: 'all',
          numberIds: null,
          userIds: null,
          fromCampaign: null,
        },
      });
    }
  }, 'system');
  expect(found.length).toBeGreaterThan(callGroups.length);
  const ofCompanies = /^(call|call_tag|transcription|conversation_item)$/;
  for (const plan of found) {
    expect(plan).not.toMatch(/Seq Scan on (call|conversation_item) /);
    // Of all looks together no more than the day of these companies.
    expect(maxReturnedRows([plan], ofCompanies)).toBeLessThanOrEqual(asked.length * onThatDay);
  }
  // They were read, and not by way of others.
  expect(maxReturnedRows(found, /^call$/)).toBeGreaterThanOrEqual(onThatDay);
  expect(maxReturnedRows(found, /^conversation_item$/)).toBe(onThatDay);
});
