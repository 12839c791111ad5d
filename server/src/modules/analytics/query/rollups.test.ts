import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { callGroups, callTargets, timeGroups } from '#contract/analytics/call-analytics/rules';
import {
  changingCalls,
  inOrder,
  type CompanyOfCalls,
} from '../../../../test/support/changing-calls.ts';
import { seeded } from '../../../../test/support/random-calls.ts';
import { createTestApp } from '../../../../test/support/test-app.ts';
import { figuresOfQuestion } from './choose-table.ts';
import { dayAfter, readQuestion } from './question.ts';
import { rollupQuestion } from './rollup-question.ts';
import { figuresAddedUp, figuresOfCalls, spanOf } from './store-figures-of-calls.ts';
import { checkRollup, clearRollups, fillRollup, foldRollups } from './store-rollups-upkeep.ts';

/** Calls that were added up answer as the calls themselves do, whatever happened to them. */
const app = await createTestApp();
const db = app.services.db;
const { company, fold, fill, correct, forget, stored, recounted } = changingCalls(app);
type Random = ReturnType<typeof seeded>;

function randomQuestion(r: Random, { numbers, users, tz }: CompanyOfCalls) {
  const start = dayAfter('2026-02-15', r.below(260));
  const target = r.oneOf(callTargets);
  const filters = {
    direction: ['inbound', 'outbound', 'all'],
    number_ids: [numbers.slice(0, 1), numbers, []],
    user_ids: [[users[0]?.id], users.map((u) => u.id)],
    sources: [['google_ads'], ['bing', 'nothing']],
    campaigns: [['Implants'], ['Spring', 'Fall']],
    answer_status: [['answered'], ['missed', 'running']],
    geo_states: [['NY'], ['CA', 'TX']],
    sentiments: [['negative', 'unknown'], ['positive']],
    qualified: [true],
  };
  return readQuestion(
    {
      start,
      end: dayAfter(start, r.oneOf([0, 1, 30, 90, 250])),
      tz: r.is(0.9) ? tz : 'UTC',
      // What a call has in other tables is told to it by these, so it is asked for most.
      group: r.is(0.4)
        ? r.oneOf(['tag', 'phrase_list', 'sentiment', 'geo_state'])
        : r.oneOf(callGroups),
      target,
      ...(r.is(0.4) && { series: r.oneOf(timeGroups) }),
      ...(target !== 'unique' && r.is(0.5) && { unique: false }),
      ...Object.fromEntries(
        r
          .some(Object.keys(filters), 0.15)
          .map((name) => [name, r.oneOf<unknown>(filters[name as keyof typeof filters])]),
      ),
    },
    new Date('2026-11-20'),
  );
}

/** Asks both ways; says whether the sums were asked. */
async function compareBoth(made: CompanyOfCalls, r: Random): Promise<boolean> {
  const question = randomQuestion(r, made);
  if (r.is(0.2)) question.range.until = '14:30:07';
  const only = r.is(0.15) ? made.numbers.slice(1) : null;
  // As of one moment, whatever is written meanwhile.
  return db.snapshot({ companyId: made.id }, async (tx) => {
    const asked = {
      companyId: made.id,
      organizationId: null,
      only,
      ...spanOf(question.range, question.tz),
      question,
      credits: null,
      isSpread: r.is(0.3),
    };
    const rollup = rollupQuestion(question, only, asked.isSpread);
    const added = rollup && (await figuresAddedUp(tx, asked, rollup, 0));
    const counted = await figuresOfCalls(tx, asked);
    const answered = await figuresOfQuestion(tx, asked, 0);
    const [ours, theirs] = [inOrder(answered), inOrder(counted)];
    const differing = {
      wrong: ours.filter((row) => !theirs.includes(row)),
      missing: theirs.filter((row) => !ours.includes(row)),
    };
    expect(differing, JSON.stringify({ question, rollup })).toEqual({ wrong: [], missing: [] });
    expect(ours).toHaveLength(theirs.length);
    return added !== null;
  });
}

test('both answer alike after any history, in zones whose clocks change, of two companies', async () => {
  const one = await company(31, 'America/Chicago');
  const two = await company(32, 'Pacific/Auckland');
  const r = seeded(7);
  let added = 0;
  const compareSome = async () => {
    for (let n = 0; n < 40; n++) added += Number(await compareBoth(r.oneOf([one, two]), r));
  };
  await compareSome();
  expect(added, 'nothing is counted yet').toBe(0);
  // Changes that are added up before their days are counted are no harm.
  await fold();
  await correct(one, r);
  await fold();
  await db.systemTransaction((tx) => fillRollup(tx));
  await db.systemTransaction((tx) => fillRollup(tx));
  await compareSome();
  await fill();
  await compareSome();
  for (let round = 0; round < 10; round++) {
    for (const made of [one, two]) {
      await correct(made, r);
      await correct(made, r);
    }
    if (round === 4) await forget(two.id, two.lists[1]!);
    if (r.is(0.5)) await fold(r.oneOf([7, 1000]));
    await compareSome();
  }
  expect(added).toBeGreaterThan(100);
  one.tz = 'Asia/Kolkata';
  await db.systemTransaction((tx) =>
    sql`update company set timezone = ${one.tz} where id = ${one.id}`.execute(tx),
  );
  added = Number(await compareBoth(one, r));
  expect(added, 'the days of another zone are counted first').toBe(0);
  await fold();
  await fill();
  while ((await db.systemTransaction((tx) => clearRollups(tx, 100))) > 0);
  await compareSome();
  expect(added).toBeGreaterThan(3);
}, 120_000);

test('calls that come while others are counted, added up and checked are counted once', async () => {
  const made = await company(41, 'America/Sao_Paulo');
  const r = seeded(41);
  let working = true;
  const background = async (act: () => Promise<unknown>) => {
    while (working) await act();
  };
  const at = (n: number) => new Date(Date.UTC(2026, 10, 1 + n));
  const others = [
    background(() => db.systemTransaction((tx) => foldRollups(tx, 30))),
    background(() => db.systemTransaction((tx) => foldRollups(tx, 30))),
    background(() => db.systemTransaction((tx) => fillRollup(tx))),
    background(async () => {
      expect(await db.systemTransaction((tx) => checkRollup(tx, at(0), at(0)))).toBeOneOf([
        0,
        null,
      ]);
      await db.systemTransaction((tx) =>
        sql`update call_rollup_company set checked_at = null`.execute(tx),
      );
    }),
  ];
  const zones = ['Asia/Kolkata', 'America/Sao_Paulo'];
  // Each half by one of them, so that they don't wait for each other's calls.
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
