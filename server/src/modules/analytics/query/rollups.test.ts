import { sql, type RawBuilder } from 'kysely';
import { expect, test } from 'vitest';
import { callGroups, callTargets, timeGroups } from '#contract/analytics/call-analytics/rules';
import { companyWithCalls } from '../../../../test/support/company-with-calls.ts';
import { randomCalls, seeded } from '../../../../test/support/random-calls.ts';
import { createTestApp } from '../../../../test/support/test-app.ts';
import { chooseTable, figuresOfQuestion } from './choose-table.ts';
import { dayAfter, readQuestion } from './question.ts';
import { figuresOfCalls, spanOf } from './store-figures-of-calls.ts';
import { checkRollup, clearRollups, fillRollup, foldRollups } from './store-rollups-upkeep.ts';

/** Calls that were added up answer as the calls themselves do, whatever happened to them. */
const app = await createTestApp();
const db = app.services.db;
type Random = ReturnType<typeof seeded>;
type Made = Awaited<ReturnType<typeof company>>;

async function company(seed: number, tz: string) {
  const made = await companyWithCalls(app, seed, 150);
  const {
    numbers,
    users,
    tags,
    company: { id },
  } = made;
  await randomCalls(
    app,
    id,
    { numbers, users: users.map((u) => u.id), tags, from: '2026-02-20T00:00:00Z', days: 280 },
    { count: 350, seed: seed + 50 },
  );
  await db.systemTransaction((tx) =>
    sql`update company set timezone = ${tz} where id = ${id}`.execute(tx),
  );
  return { ...made, id, tz };
}
const fold = async (most = 1000) => {
  while ((await db.systemTransaction((tx) => foldRollups(tx, most))) > 0);
};
const fill = async () => {
  while (await db.systemTransaction((tx) => fillRollup(tx)));
};

/** Changes some calls in one of the ways that calls change. */
async function correct({ id, numbers, users }: Made, r: Random, which = sql`true`) {
  const ways = [
    () => sql`update call set outcome = ${r.below(5)}, talk_seconds = ${r.below(400)}`,
    () => sql`update call set qualified = not qualified, lead = ${r.is(0.5)}`,
    () => sql`update call set value_cents = ${r.oneOf([null, 5000])}`,
    () => sql`update call set source = jsonb_build_object('key', 'bing', 'label',
      ${r.oneOf(['Bing', 'Microsoft Bing'])}::text, 'campaign', ${r.oneOf(['', 'Fall'])}::text)`,
    () => sql`update call set source = null, spam = true`,
    () => sql`update call set number_id = ${r.oneOf(numbers)}::bigint`,
    () => sql`update call set answered_user_id = ${r.oneOf(users).id}::bigint, ring_seconds = 3`,
    () => sql`update call set started_at = started_at + ${r.below(90) - 45} * interval '1 day'`,
    () => sql`update call set outbound = not outbound, first_contact = not first_contact`,
  ];
  await db.systemTransaction((tx) =>
    sql`${r.oneOf(ways)()} where company_id = ${id} and id % 13 = ${r.below(13)} and ${which}`.execute(
      tx,
    ),
  );
  if (r.is(0.4)) await remove(id, r.below(41), which);
}
/** Deletes one call in 41. */
const remove = (id: number, rest: number, which: RawBuilder<unknown>) =>
  db.systemTransaction(async (tx) => {
    const gone = sql`select id from call
      where company_id = ${id} and id % 41 = ${rest} and ${which}`;
    for (const table of ['transcription', 'recording', 'call_tag'])
      await sql`delete from ${sql.table(table)} where company_id = ${id} and call_id in (${gone})`.execute(
        tx,
      );
    await sql`delete from call where company_id = ${id} and id in (${gone})`.execute(tx);
  });

function randomQuestion(r: Random, { numbers, users, tz }: Made) {
  const start = dayAfter('2026-02-15', r.below(260));
  const target = r.oneOf(callTargets);
  const filters = {
    direction: ['inbound', 'outbound', 'all'],
    number_ids: [numbers.slice(0, 1), numbers, []],
    user_ids: [[users[0]?.id], users.map((u) => u.id)],
    sources: [['google_ads'], ['bing', 'nothing']],
    campaigns: [['Implants'], ['Spring', 'Fall']],
    answer_status: [['answered'], ['missed', 'running']],
    qualified: [true],
  };
  return readQuestion(
    {
      start,
      end: dayAfter(start, r.oneOf([0, 1, 30, 90, 250])),
      tz: r.is(0.9) ? tz : 'UTC',
      group: r.oneOf(callGroups),
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
async function compareBoth(made: Made, r: Random): Promise<boolean> {
  const question = randomQuestion(r, made);
  if (r.is(0.2)) question.range.until = '14:30:07';
  const only = r.is(0.15) ? made.numbers.slice(1) : null;
  // As of one moment, whatever is written meanwhile.
  return db.snapshot({ companyId: made.id }, async (tx) => {
    const asked = {
      companyId: made.id,
      organizationId: null,
      only,
      ...(await spanOf(tx, question.range, question.tz)),
      question,
      credits: null,
      isSpread: r.is(0.3),
    };
    const rollup = await chooseTable(tx, asked, 0);
    const counted = await figuresOfCalls(tx, asked, null);
    const answered = await figuresOfQuestion(tx, asked, 0);
    const [ours, theirs] = [inOrder(answered), inOrder(counted)];
    const differing = {
      wrong: ours.filter((row) => !theirs.includes(row)),
      missing: theirs.filter((row) => !ours.includes(row)),
    };
    expect(differing, JSON.stringify({ question, rollup })).toEqual({ wrong: [], missing: [] });
    expect(ours).toHaveLength(theirs.length);
    return rollup !== null;
  });
}

const inOrder = (rows: object[]) => rows.map((row) => JSON.stringify(row)).toSorted();

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

/** All of a company’s sums that say anything, and what isn’t added up. */
const stored = (id: number) =>
  db.systemTransaction(async (tx) => {
    const { rows } = await sql<object>`select r.* from call_rollup r
      join call_rollup_company s using (company_id, edition)
      where company_id = ${id} and calls <> 0`.execute(tx);
    const { rows: pending } = await sql`select from call_rollup_change
      where company_id = ${id}`.execute(tx);
    return { rows: inOrder(rows), pending: pending.length };
  });
/** The sums that a company has when its calls are counted anew. */
async function recounted(id: number) {
  await db.systemTransaction((tx) =>
    sql`delete from call_rollup where company_id = ${id}`.execute(tx),
  );
  await db.systemTransaction((tx) =>
    sql`update call_rollup_company set counted_from = 'infinity' where company_id = ${id}`.execute(
      tx,
    ),
  );
  await fill();
  return stored(id);
}

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

test('a wrong sum is found and put right, and that is noted', async () => {
  const made = await company(51, 'Europe/Berlin');
  const other = await company(52, 'Europe/Berlin');
  await fold();
  await fill();
  const right = await stored(made.id);
  const since = new Date('2026-11-20T00:00:00Z');
  const now = new Date('2026-11-20T02:00:00Z');
  const checkAll = async () => {
    let differing = 0;
    for (let n: number | null = 0; n !== null; differing += n ?? 0)
      n = await db.systemTransaction((tx) => checkRollup(tx, since, now));
    return differing;
  };
  expect(await checkAll()).toBe(0);
  await db.systemTransaction(async (tx) => {
    await sql`update call_rollup_company set checked_at = null`.execute(tx);
    await sql`update call_rollup set talk = talk + 1 where company_id = ${made.id}
      and dimension = 3 and by_month and key = 'bing' and day = '2026-10-01'
      and outbound`.execute(tx);
    await sql`delete from call_rollup where company_id = ${made.id}
      and dimension = 0 and day = '2026-10-28' and not by_month and not outbound`.execute(tx);
  });
  expect(await checkAll()).toBe(2);
  expect(await stored(made.id)).toEqual(right);
  const { rows } = await db.systemTransaction((tx) =>
    sql<object>`select company_id, checked_at, repaired_at, repaired from call_rollup_company
      where company_id in (${made.id}, ${other.id}) order by company_id`.execute(tx),
  );
  expect(rows).toEqual([
    { company_id: made.id, checked_at: now, repaired_at: now, repaired: 2 },
    { company_id: other.id, checked_at: now, repaired_at: null, repaired: 0 },
  ]);
}, 60_000);
