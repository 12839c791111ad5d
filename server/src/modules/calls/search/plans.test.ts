import pg from 'pg';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  analyzeAs,
  explainQueries,
  withoutAutovacuum,
} from '../../../../test/support/query-plans.ts';
import { createTestApp } from '../../../../test/support/test-app.ts';
import type { Tx } from '../../../platform/db.ts';
import { inboxHelpers } from '../../../../test/support/inbox.ts';
import { readCallSearch } from './rules.ts';
import { searchPage, type SearchFilter } from './store-search.ts';

/**
 * Checks query plans rather than times, which vary with load: a search of many calls reads the word
 * index and the records of its page, as the application's role behind row-level security.
 */
const app = await createTestApp();
const inbox = inboxHelpers(app);
const size = Number(process.env['PLAN_CALLS'] ?? 21_000);
const { company } = await app.createCompany();
const number = await inbox.number(company.id);

beforeAll(async () => {
  await withoutAutovacuum(app, ['call', 'call_search_text']);
  const owner = new pg.Client({ connectionString: app.services.settings.databaseUrl! });
  await owner.connect();
  // Without triggers, which are tested elsewhere: they would be slow for so many rows.
  await owner.query(
    `alter table call disable trigger user; alter table transcription disable trigger user`,
  );
  await owner.query(
    `insert into call (company_id, id, number_id, outbound, carrier, from_number, to_number, party,
        status, outcome, started_at, talk_seconds, duration_seconds, note)
    select $1, n, $2, false, 'sandbox', '+1' || (2120000000 + n), '+14155552368', '+1'
      || (2120000000 + n), 12, 1, now() - n * interval '1 minute', 60, 70, ''
      from generate_series(1, $3::int) n`,
    [company.id, number.id, size],
  );
  await owner.query(
    `insert into call_search_text (company_id, call_id, number_id, started_at, party,
        words, agent, client)
    select company_id, id, number_id, started_at, party, t, ''::tsvector, t from call
      cross join lateral (select to_tsvector('english', 'good morning about ' || md5(id::text)
          || ' ' || md5((id * 7)::text) || case when id % 2 = 0 then ' appointment' else '' end
          || case when id = 777 then ' zanzibar' else '' end) t) x
      where company_id = $1`,
    [company.id],
  );
  await owner.query(
    'alter table call enable trigger user; alter table transcription enable trigger user',
  );
  await owner.end();
}, 180_000);

const plans = explainQueries(app, () => company.id);
const planOf = async (ask: (tx: Tx) => Promise<unknown>) => (await plans(ask))[0]!;
const looked = (q: string, more: Partial<SearchFilter> = {}): SearchFilter => ({
  companyId: company.id,
  terms: readCallSearch(q),
  numbers: null,
  since: new Date(0),
  before: new Date('9999-01-01'),
  direction: undefined,
  outcome: undefined,
  minDuration: undefined,
  tags: undefined,
  qualified: undefined,
  sources: undefined,
  phraseLists: undefined,
  ...more,
});
/** Database pages the plan read. */
const read = (plan: string) =>
  Math.max(
    ...[...plan.matchAll(/shared hit=(\d+)(?: read=(\d+))?/g)].map(
      (m) => Number(m[1]) + Number(m[2] ?? 0),
    ),
  );

describe.each(['never analysed', 'analysed'])('a database %s', (state) => {
  beforeAll(async () => {
    if (state === 'analysed') await analyzeAs(app, ['call', 'call_search_text']);
  });
  test('a rare word is found by the word index, without reading the calls', async () => {
    const plan = await planOf((tx) => searchPage(tx, looked('zanzibar'), { limit: 25, offset: 0 }));
    expect(plan).not.toMatch(/Seq Scan on (call|call_search_text)\b/);
    expect(read(plan)).toBeLessThan(200);
  });
  test('part of a phone number is found by its index', async () => {
    expect(
      read(await planOf((tx) => searchPage(tx, looked('2120000777'), { limit: 25, offset: 0 }))),
    ).toBeLessThan(400);
  });
  test('a common word is met in the order of time, and counted no further than a thousand', async () => {
    const asked = await plans((tx) =>
      searchPage(tx, looked('appointment'), { limit: 25, offset: 0 }),
    );
    const page = asked.at(-1)!;
    // A sample, how far back, and the page: the index of words isn't asked.
    expect(asked).toHaveLength(4);
    expect(asked.join('\n')).not.toContain('calls_matching');
    expect(asked.join('\n')).not.toMatch(/Seq Scan on call\b/);
    const records =
      /Index Scan using call_pkey on call(?: c)? \(actual rows=[\d.]+ loops=(\d+)/.exec(page);
    expect(Number(records?.[1] ?? 9999), page).toBeLessThanOrEqual(25);
    expect(/Function Scan on calls_newest m \(actual rows=(\d+)/.exec(page)?.[1]).toBe('3001');
    const all = size / 10; // Pages of the table and its indexes are many more.
    expect(read(page), page).toBeLessThan(all);
  });
  test('a common word and a condition on the record read the records by their keys at once', async () => {
    const asked = await plans((tx) =>
      searchPage(tx, looked('appointment', { outcome: 1 }), { limit: 25, offset: 0 }),
    );
    const page = asked.at(-1)!;
    // Half of the newest 20,000 calls: one by one, each would begin at the top of the index.
    expect(page).toMatch(/ on call[^(]*\(actual rows=10000/);
    expect(page).not.toMatch(/ on call[^(]*\(actual rows=[\d.]+ loops=\d{3,}\)/);
    expect(read(page), page).toBeLessThan(size / 4);
  });
});
test('only the newest calls are looked through for a word that many have, and it says so', async () => {
  const ask = (more: Partial<SearchFilter> = {}) =>
    app.services.db.transaction({ companyId: company.id }, (tx) =>
      searchPage(tx, looked('appointment', more), { limit: 25, offset: 0 }),
    );
  expect(await ask()).toMatchObject({ total: 1001 - 1, capped: true, searchedSince: null });
  // Outgoing calls there are none: all that may be looked through has been.
  expect(await ask({ direction: 'outbound' })).toMatchObject({
    total: 0,
    capped: true,
    searchedSince: expect.any(Date),
  });
  // Three thousand and fewer are all listed.
  const recent = { since: new Date(Date.now() - 4000 * 60_000) };
  expect(await ask(recent)).toMatchObject({ capped: false, searchedSince: null });
});
