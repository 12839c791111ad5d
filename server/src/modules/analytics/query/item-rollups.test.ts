import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { itemGroups } from '#contract/analytics/dashboard/rules';
import { changingItems, type CompanyOfItems } from '../../../../test/support/changing-items.ts';
import { inOrder } from '../../../../test/support/changing-calls.ts';
import { seeded } from '../../../../test/support/random-calls.ts';
import { createTestApp } from '../../../../test/support/test-app.ts';
import { itemRollupQuestion } from './item-rollup-question.ts';
import type { ItemsAsked } from './items-asked.ts';
import { dayAfter } from './question.ts';
import { spanOf } from './store-figures-of-calls.ts';
import { sumsOfItems } from './store-item-rollups.ts';
import { countOfItems, countOfItemsTogether } from './store-items.ts';
import { checkRollup, clearRollups, fillItemRollup, foldRollups } from './store-rollups-upkeep.ts';

/** Texts, voicemails and faxes that were added up answer as they themselves do, whatever became of them. */
const app = await createTestApp();
const db = app.services.db;
const { company, fold, fill, correct, forget, stored, recounted } = changingItems(app);
type Random = ReturnType<typeof seeded>;

function randomQuestion(r: Random, { numbers, users, tz }: CompanyOfItems) {
  const start = dayAfter('2026-02-15', r.below(260));
  const end = dayAfter(start, r.oneOf([0, 1, 30, 90, 250]));
  return {
    kind: r.oneOf(['message', 'message', 'voicemail', 'fax'] as const),
    tz: r.is(0.9) ? tz : 'UTC',
    range: { start, end, until: r.is(0.2) ? '14:30:07' : undefined },
    group: r.oneOf(itemGroups),
    direction: r.oneOf(['all', 'all', 'inbound', 'outbound'] as const),
    numberIds: r.is(0.2) ? r.oneOf([numbers.slice(0, 1), numbers, []]) : null,
    userIds: r.is(0.2) ? r.oneOf([users.slice(0, 1), users]) : null,
    fromCampaign: r.is(0.2) ? r.is(0.5) : null,
  };
}

/** Asks both ways; says whether the sums were asked. */
async function compareBoth(made: CompanyOfItems, r: Random): Promise<boolean> {
  const question = randomQuestion(r, made);
  const only = r.is(0.15) ? made.numbers.slice(1) : null;
  const place = { id: made.id, organizationId: r.oneOf([null, 77]), only };
  // As of one moment, whatever is written meanwhile.
  return db.snapshot({ companyId: made.id }, async (tx) => {
    const asked: ItemsAsked = { ...question, ...spanOf(question.range, question.tz) };
    const counted = await countOfItems(tx, place, asked, Infinity);
    const answered = await countOfItems(tx, place, asked, 0);
    expect(inOrder(answered), JSON.stringify({ question, only })).toEqual(inOrder(counted));
    const rollup = itemRollupQuestion(asked, only);
    const { organizationId } = place;
    const said = { companyId: made.id, organizationId };
    return rollup !== null && (await sumsOfItems(tx, said, asked, rollup, 0)) !== null;
  });
}

/** Asks of several companies in one statement, and of each one by one. */
async function compareTogether(all: readonly CompanyOfItems[], r: Random): Promise<void> {
  const [first] = all as [CompanyOfItems];
  const question = { ...randomQuestion(r, first), numberIds: null, userIds: null };
  const places = all.map((made) => ({
    id: made.id,
    name: '',
    organizationId: 77,
    only: r.is(0.3) ? made.numbers.slice(1) : null,
  }));
  await db.systemTransaction(async (tx) => {
    const asked: ItemsAsked = { ...question, ...spanOf(question.range, question.tz) };
    const sums = new Map<
      string | null,
      { key: string | null; inbound: number; outbound: number }
    >();
    for (const place of places)
      for (const { key, inbound, outbound } of await countOfItems(tx, place, asked, Infinity)) {
        const known = sums.get(key) ?? { key, inbound: 0, outbound: 0 };
        known.inbound += inbound;
        known.outbound += outbound;
        sums.set(key, known);
      }
    const together = await countOfItemsTogether(tx, places, asked);
    expect(inOrder(together), JSON.stringify(question)).toEqual(inOrder([...sums.values()]));
  });
}

test('both answer alike after any history, in zones whose clocks change, of two companies', async () => {
  const r = seeded(7);
  const one = await company(r, 'America/Chicago');
  const two = await company(r, 'Pacific/Auckland');
  for (const { id } of [one, two]) await forget(id);
  let added = 0;
  const compareSome = async () => {
    for (let n = 0; n < 40; n++) added += Number(await compareBoth(r.oneOf([one, two]), r));
    for (let n = 0; n < 5; n++) await compareTogether([one, two], r);
  };
  await compareSome();
  expect(added, 'nothing is counted yet').toBe(0);
  // Changes that are added up before their days are counted are no harm.
  await fold();
  await correct(one, r);
  await fold();
  await db.systemTransaction((tx) => fillItemRollup(tx, false));
  await db.systemTransaction((tx) => fillItemRollup(tx, false));
  await compareSome();
  await fill();
  await compareSome();
  for (let round = 0; round < 10; round++) {
    for (const made of [one, two]) {
      await correct(made, r);
      await correct(made, r);
    }
    if (r.is(0.5)) await fold(r.oneOf([7, 1000]));
    await compareSome();
  }
  expect(added).toBeGreaterThan(250);
  one.tz = 'Asia/Kolkata';
  await db.systemTransaction((tx) =>
    sql`update company set timezone = ${one.tz} where id = ${one.id}`.execute(tx),
  );
  expect(await compareBoth(one, r), 'the days of another zone are counted first').toBe(false);
  added = 0;
  await fold();
  while (await db.systemTransaction((tx) => fillItemRollup(tx, true)));
  while ((await db.systemTransaction((tx) => clearRollups(tx, 100, 'item'))) > 0);
  await compareSome();
  expect(added).toBeGreaterThan(20);
}, 120_000);

test('what comes while other items are counted, added up and checked is counted once', async () => {
  const r = seeded(41);
  const made = await company(r, 'America/Sao_Paulo');
  let working = true;
  const background = async (act: () => Promise<unknown>) => {
    while (working) await act();
  };
  const at = new Date('2026-11-01T00:00:00Z');
  const others = [
    background(() => db.systemTransaction((tx) => foldRollups(tx, 30, 'item'))),
    background(() => db.systemTransaction((tx) => foldRollups(tx, 30, 'item'))),
    background(() => db.systemTransaction((tx) => fillItemRollup(tx, false))),
    background(async () => {
      expect(await db.systemTransaction((tx) => checkRollup(tx, at, at, 'item'))).toBeOneOf([
        0,
        null,
      ]);
      await db.systemTransaction((tx) =>
        sql`update item_rollup_company set checked_at = null`.execute(tx),
      );
    }),
  ];
  const zones = ['Asia/Kolkata', 'America/Sao_Paulo'];
  // Each half by one of them, so that they don't wait for each other's items.
  const halves = [0, 1].map((rest) => sql`id % 2 = ${sql.lit(rest)}`);
  for (let n = 0; n < 25; n++) {
    await Promise.all([...halves.map((half) => correct(made, r, half)), compareBoth(made, r)]);
    if (n % 9 !== 5) continue;
    made.tz = zones[n % 2]!;
    await db.systemTransaction((tx) =>
      sql`update company set timezone = ${made.tz} where id = ${made.id}`.execute(tx),
    );
  }
  working = false;
  await Promise.all(others);
  await fold();
  await fill();
  const { rows, pending } = await stored(made.id);
  expect(pending).toBe(0);
  expect(rows.length).toBeGreaterThan(500);
  expect(rows).toEqual((await recounted(made.id)).rows);
}, 120_000);
