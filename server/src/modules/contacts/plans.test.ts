import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import type { ContactFilters } from '#contract/contacts/schemas';
import {
  maxSortedRows as sorted,
  maxScannedRows,
  explainQueries,
} from '../../../test/support/query-plans.ts';
import { createTestApp } from '../../../test/support/test-app.ts';
import type { Tx } from '../../platform/db.ts';
import type { FilterContext } from './store-conditions.ts';
import { contactPage, contactIdsAfter, membersAfter, type PageWindow } from './store-lists.ts';
import { contactCondition } from './store-filter.ts';
import { storedCounts } from './groups/store-groups.ts';
import { analyzeForNewCompanies } from '../../platform/statistics.ts';

/**
 * Query plans don't depend on a machine's load: at this size, no list or search reads a whole table
 * or sorts more than a thousand rows, as the application's role and under row-level security.
 */
const app = await createTestApp();
const size = Number(process.env['PLAN_CONTACTS'] ?? 20_000);
const { company } = await app.createCompany();
const [group, label] = [501, 601];

beforeAll(async () => {
  await app.services.db.systemTransaction(async (tx) => {
    await sql`insert into contact (company_id, id, number, name, email,
        city, unsubscribed_at, invalid) select ${company.id}, n, '+1' || (2120000000 + n), 'Person '
      || md5(n::text), case when n % 3 = 0 then md5((n * 7)::text) || '@mail.test' else '' end,
      case when n % 50 = 0 then 'Boston' else 'Salem' end, case when n % 40 = 0 then now() end,
      n % 97 = 0 from generate_series(1, ${size}::int) n`.execute(tx);
    await sql`insert into contact_group (company_id, id, name) values (${company.id}, ${group}, 'Big')`.execute(
      tx,
    );
    await sql`insert into contact_label (company_id, id, label) values (${company.id}, ${label}, 'Few')`.execute(
      tx,
    );
    await sql`insert into contact_group_member (company_id, group_id, contact_id)
      select ${company.id}, ${group}, n from generate_series(1, ${size}::int, 4) n`.execute(tx);
    await sql`insert into contact_label_use (company_id, label_id, contact_id)
      select ${company.id}, ${label}, n from generate_series(1, ${size}::int, 500) n`.execute(tx);
  });
  // As a database that was never analyzed is a minute later.
  await analyzeForNewCompanies(app.services.db.unscoped);
}, 300_000);

const plans = explainQueries(app, () => company.id);
const plansOf = async (ask: (tx: Tx) => Promise<unknown>) => (await plans(ask)).join('\n\n');
const facts: FilterContext = {
  companyId: company.id,
  now: new Date(),
  masked: false,
  custom: new Map(),
  rules: new Map(),
  eav: [],
};
const first: PageWindow = { sort: 'addedAt', dir: 'desc', limit: 50, offset: 0, after: null };
const page = (f: ContactFilters, w: Partial<PageWindow> = {}) =>
  plansOf((tx) => contactPage(tx, f, facts, { ...first, ...w }));
const mostSorted = (plan: string) => sorted([plan]);
/** Tables that grow with the company: none is read in full. */
const grows = /^contact(_group_member|_label_use)?$/;

test('a word that most contacts have is met in the order of the list, without listing them', async () => {
  const asked = await page({ search: 'person' });
  expect(asked).not.toContain('contacts_matching');
  expect(asked).not.toMatch(/Seq Scan on contact/);
  // One that few of the newest have is listed: walking for it could read them all.
  expect(await page({ search: 'ffff' })).toContain('contacts_matching');
});

describe(`${size.toLocaleString('en-US')} contacts`, () => {
  test.each<[string, ContactFilters, Partial<PageWindow>]>([
    ['the newest', {}, {}],
    ['by name', {}, { sort: 'name', dir: 'asc' }],
    ['by name, deep down', {}, { sort: 'name', dir: 'asc', after: { value: 'person 8', id: 1 } }],
    ['deep down', {}, { after: { value: null, id: Math.floor(size / 2) } }],
    ['a large group', { groupId: group }, {}],
    ['a large group by name', { groupId: group }, { sort: 'name', dir: 'asc' }],
    ['a small label', { labelId: label }, {}],
    ['unsubscribed', { state: 'unsubscribed' }, {}],
    ['invalid', { state: 'invalid' }, {}],
    ['a word that one has', { search: 'person 4f' + 'ab' }, {}],
    ['a word that everybody has', { search: 'person' }, {}],
    ['everybody’s word, by name', { search: 'person' }, { sort: 'name', dir: 'asc' }],
    ['part of a number', { search: '(212) 000-0777' }, {}],
    [
      'a rule',
      {
        rule: {
          all: [
            { field: 'city', op: 'is', value: 'Boston' },
            { field: 'unsubscribed', op: 'is', value: false },
          ],
        },
      },
      {},
    ],
    [
      'callers of late',
      { rule: { all: [{ field: 'lastCalledAt', op: 'within_days', value: 30 }] } },
      {},
    ],
  ])(
    '%s: no table is read in full, and at most a thousand rows are sorted',
    async (_, f, w) => {
      const plan = await page(f, w);
      expect(maxScannedRows([plan], grows), plan).toBeLessThanOrEqual(1000);
      expect(mostSorted(plan)).toBeLessThanOrEqual(1000);
    },
    180_000,
  );

  test('jobs walk contacts by ID, 1,000 at a time, and use stored counts', async () => {
    for (const f of [{}, { groupId: group }, { labelId: label }] satisfies ContactFilters[]) {
      const plan = await plansOf((tx) =>
        contactIdsAfter(tx, f, facts, {
          after: Math.floor(size / 2),
          createdBefore: new Date(Date.now() + 60_000),
          limit: 1000,
        }),
      );
      expect(maxScannedRows([plan], grows), plan).toBeLessThanOrEqual(1000);
      expect(mostSorted(plan)).toBeLessThanOrEqual(1000);
      expect(
        maxScannedRows(
          await plans((tx) =>
            membersAfter(tx, contactCondition(f, facts), company.id, Math.floor(size / 2), 1000),
          ),
          grows,
        ),
      ).toBeLessThanOrEqual(1000);
    }
    expect(await plansOf((tx) => storedCounts(tx, company.id, [0, group]))).not.toMatch(
      /on contact\b/,
    );
    const kept = await app.services.db.transaction({ companyId: company.id }, (tx) =>
      storedCounts(tx, company.id, [0, group]),
    );
    expect([kept.get(0)!.total, kept.get(group)!.total]).toEqual([size, Math.ceil(size / 4)]);
  }, 180_000);

  test('the search function uses the trigram index', async () => {
    const inside = await app.services.db.systemTransaction(async (tx) => {
      const body = (
        await sql<{
          prosrc: string;
        }>`select prosrc from pg_proc where proname = 'contacts_matching'`.execute(tx)
      ).rows[0]!.prosrc;
      const prepared = ['company', 'pattern', 'digits', 'most'].reduce(
        (text, word, i) => text.replace(new RegExp(`\\b${word}\\b`, 'g'), `$${i + 1}`),
        body,
      );
      await sql`select set_config('app.company_id', ${String(company.id)}, true),
        set_config('plan_cache_mode', 'force_generic_plan', true)`.execute(tx);
      await sql.raw(`prepare inside (bigint, text, text, int) as ${prepared}`).execute(tx);
      const { rows } = await sql
        .raw<{ 'QUERY PLAN': string }>(
          `explain (analyze, costs off, timing off, summary on) execute inside (${company.id}, '%4f1c%', '%20000777%', 1001)`,
        )
        .execute(tx);
      return rows.map((r) => r['QUERY PLAN']).join('\n');
    });
    if (process.env['SHOW_PLANS']) console.log(inside);
    expect(inside).toMatch(/contact_search /);
    expect(inside).toContain('contact_search_folded');
    expect(maxScannedRows([inside], grows)).toBeLessThanOrEqual(1000);
  }, 180_000);
});

test('a late page reads the rows that it shows; what it skips is skipped in the index', async () => {
  for (const sort of ['addedAt', 'name'] as const) {
    const plan = await page({}, { sort, dir: 'asc', offset: Math.floor(size / 2) });
    expect(plan).toMatch(/Index Only Scan using contact_(living|by_name)/);
    const rows =
      /Index Scan using contact_pkey on contact(?: c)? \(actual rows=[\d.]+ loops=(\d+)/.exec(plan);
    expect(Number(rows?.[1] ?? 9999), plan).toBeLessThanOrEqual(50);
    expect(mostSorted(plan)).toBeLessThanOrEqual(50);
  }
});
