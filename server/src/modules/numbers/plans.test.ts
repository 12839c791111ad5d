import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { maxReturnedRows, explainQueries } from '../../../test/support/query-plans.ts';
import { createTestApp } from '../../../test/support/test-app.ts';
import { numberPage } from './store-lists.ts';
import { type NumberFilter } from './store-filter.ts';
import { analyzeForNewCompanies } from '../../platform/statistics.ts';

/**
 * At this size a search with few matches must read few rows, as the application's role under
 * row-level security.
 */
const app = await createTestApp();
const size = 10_000;
const { company } = await app.createCompany();
beforeAll(async () => {
  await app.services.db.systemTransaction((tx) =>
    sql`insert into number (company_id, id, number, label, city, vanity_text)
    select ${company.id},
      n, '+1' || (2015000000 + n), (array['Front desk','Billing','Van 12'])[1 + n % 3] || ' ' || n,
      case when n = 777 then 'Zanzibar' else 'Salem' end, case when n = 778 then '1-800-FLOWERS' end
      from generate_series(1, ${size}::int) n`.execute(tx),
  );
  // As a database that was never analyzed is a minute later.
  await analyzeForNewCompanies(app.services.db.unscoped);
}, 120_000);

const plans = explainQueries(app, () => company.id);
const page = (filter: NumberFilter) => (tx: Parameters<typeof numberPage>[0]) =>
  numberPage(
    tx,
    company.id,
    filter,
    { sort: 'created_at', dir: 'desc', perPage: 25, page: 1, after: null },
    null,
    new Date(),
  );
const found = async (search: string) =>
  (await app.services.db.transaction({ companyId: company.id }, page({ search }))).rows
    .map((row) => row.id)
    .sort((a, b) => a - b);

test.each(['zanzibar', 'flowers', '(201) 500-0777', 'Van 12 7777', 'nowhere at all'])(
  'the search %s reads few rows',
  async (search) => {
    const seen = await plans(page({ search }));
    expect(maxReturnedRows(seen, /^number$/), seen.join('\n\n')).toBeLessThanOrEqual(200);
  },
);

test('search matches label, city, vanity text or digits, each on its own', async () => {
  expect(await found('ZANZI')).toEqual([777]);
  expect(await found('flowers')).toEqual([778]);
  expect(await found('(201) 500-0777')).toEqual([777]);
  expect(await found('van 12 7778')).toEqual([7778]);
  expect(await found('%')).toEqual([]);
  expect(await found('Salem +1')).toEqual([]);
  expect(
    (await app.services.db.transaction({ companyId: company.id }, page({ search: 'van' }))).total,
  ).toBe(Math.floor((size + 1) / 3));
});
