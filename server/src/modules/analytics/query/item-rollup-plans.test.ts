import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { inboxHelpers } from '../../../../test/support/inbox.ts';
import {
  analyzeAs,
  explainQueries,
  maxReturnedRows,
  withoutAutovacuum,
} from '../../../../test/support/query-plans.ts';
import { createTestApp } from '../../../../test/support/test-app.ts';
import type { Tx } from '../../../platform/db.ts';
import type { ItemsAsked } from './items-asked.ts';
import { spanOf } from './store-figures-of-calls.ts';
import { countOfItems, countOfItemsTogether, fewestItemsAddedUp } from './store-items.ts';
import { foldRollups } from './store-rollups-upkeep.ts';

/** A year of many texts is read from what was added up of it, and not one text. */
const app = await createTestApp();
const { company } = await app.createCompany();
const db = app.services.db;
const inbox = inboxHelpers(app);
const numbers = [(await inbox.number(company.id)).id, (await inbox.number(company.id)).id];
const tz = 'America/New_York';
const tables = ['conversation_item', 'item_rollup', 'item_rollup_change', 'item_rollup_company'];
const size = 9_000;
/** The year until the last of these texts. */
const range = { start: '2025-11-11', end: '2026-11-10' };
const within = 364 * 24 + 7;

beforeAll(async () => {
  await withoutAutovacuum(app, tables);
  await db.systemTransaction(async (tx) => {
    await sql`update company set timezone = ${tz} where id = ${company.id}`.execute(tx);
    await sql`insert into conversation (company_id, id, number_id, party, created_at, last_activity_at)
      select ${company.id}, 1, ${numbers[0]}::bigint, '+12125550100', now(), now()`.execute(tx);
    await sql`insert into conversation_item (company_id, id, conversation_id, number_id, kind,
        is_inbound, created_at, details)
      select ${company.id}, n, 1, (${numbers}::bigint[])[1 + n % 2], 'message', n % 3 = 0,
        timestamptz '2026-11-10T12:00:00Z' - n * interval '1 hour', '{}'
      from generate_series(1, ${size}::int) n`.execute(tx);
    while ((await foldRollups(tx, 5000, 'item')) > 0);
  });
}, 120_000);

const askedOf = (group: ItemsAsked['group']): ItemsAsked => ({
  ...{
    kind: 'message',
    tz,
    range,
    group,
    direction: 'all',
    numberIds: null,
    userIds: null,
    fromCampaign: null,
  },
  ...spanOf(range, tz),
});
const place = { id: company.id, organizationId: null, only: null };
const plans = explainQueries(app, () => company.id);

test.each(['never analysed', 'analysed'])('%s', async (state) => {
  if (state === 'analysed') await analyzeAs(app, tables);
  for (const [group, found, rows] of [
    ['day', 365, 366],
    // A year has eleven months, and days at its ends.
    ['number', 2, 2 * 41],
    ['hour', 24, 24 * 41],
    ['none', 1, 41],
  ] as const)
    for (const [as, ask] of [
      ['application', async (tx: Tx) => countOfItems(tx, place, askedOf(group), 1000)],
      [
        'system',
        async (tx: Tx) => countOfItemsTogether(tx, [{ ...place, name: '' }], askedOf(group)),
      ],
    ] as const) {
      const asked = await plans(async (tx) => {
        const parts = await ask(tx);
        expect(parts.length).toBe(found);
        expect(parts.reduce((sum, { inbound, outbound }) => sum + inbound + outbound, 0)).toBe(
          within,
        );
      }, as);
      const brief = asked.join('\n');
      expect(maxReturnedRows(asked, /^conversation_item$/), brief).toBe(0);
      expect(maxReturnedRows(asked, /^item_rollup$/), brief).toBeLessThanOrEqual(rows);
      expect(brief).not.toMatch(/Seq Scan on item_rollup /);
    }
});

test('many texts are read from their sums, fewer are counted', async () => {
  const readWith = (fewest: number) =>
    plans(async (tx) => countOfItems(tx, place, askedOf('number'), fewest));
  expect(maxReturnedRows(await readWith(within), /^conversation_item$/)).toBe(0);
  expect(maxReturnedRows(await readWith(within + 1), /^conversation_item$/)).toBeGreaterThanOrEqual(
    within,
  );
  expect(fewestItemsAddedUp).toBe(10_000);
});
