import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { analytics } from '#contract';
import { inboxHelpers } from '../../../../test/support/inbox.ts';
import { createTestApp } from '../../../../test/support/test-app.ts';
import type { Tx } from '../../../platform/db.ts';
import { foldCallerChanges, uniqueCallers } from './store-callers.ts';

/** Unique callers that are added up equal those that are counted, whatever happened to the calls. */
const app = await createTestApp();
const inbox = inboxHelpers(app);
const db = app.services.db;

/** The same numbers every time. */
function randomFrom(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}
type Random = ReturnType<typeof randomFrom>;
const HOUR = 3_600_000;
const from = Date.parse('2025-11-20T00:00:00Z');
const days = 150;
/** Often the same moment twice, often the ends of a day or a month. */
const moment = (random: Random) => new Date(from + random(days * 4) * 6 * HOUR + random(2) * 1000);
const party = (random: Random) => (random(4) === 0 ? 'anonymous' : `+1212555${1000 + random(25)}`);

const changes = [
  sql`update call set party = '+12125559999'`,
  sql`update call set party = (select min(party) from call)`,
  sql`update call set outbound = not outbound`,
  sql`update call set started_at = started_at - interval '40 days'`,
  sql`update call set started_at = '2026-02-01T00:00:00Z'`,
  sql`update call set note = 'moved', outcome = 2`,
  sql`delete from call`,
];
async function act(tx: Tx, company: number, number: number, random: Random) {
  if (random(4) === 0)
    await sql`${changes[random(changes.length)]!} where id % 5 = ${random(5)}`.execute(tx);
  else
    for (let n = random(6); n >= 0; n--)
      await sql`insert into call (company_id, number_id, carrier, outbound, from_number, to_number,
        party, started_at) values (${company}, ${number}, 'sandbox', ${random(5) === 0}, '', '',
        ${party(random)}, ${moment(random)})`.execute(tx);
}
const fold = (most: number) => db.systemTransaction((tx) => foldCallerChanges(tx, most));
const added = (companyId: number, span: { from: Date; to: Date }) =>
  db.transaction({ companyId }, (tx) =>
    uniqueCallers(tx, companyId, span, { only: null, calls: 1 }, 0),
  );
const counted = (companyId: number, span: { from: Date; to: Date }) =>
  db.systemTransaction(async (tx) => {
    const { rows } = await sql<{ n: number }>`select count(distinct party)::int n from call
      where company_id = ${companyId} and not outbound and started_at >= ${span.from}
        and started_at < ${span.to}`.execute(tx);
    return rows[0]!.n;
  });
async function create() {
  const { company, owner } = await app.createCompany();
  return { company, owner, number: (await inbox.number(company.id)).id };
}

test('unique callers of any span equal a recount after any history, however much is added up', async () => {
  const made = [
    { ...(await create()), random: randomFrom(7) },
    { ...(await create()), random: randomFrom(31) },
  ];
  let seen = 0;
  for (let round = 0; round < 50; round++)
    for (const { company, number, random } of made) {
      await db.transaction({ companyId: company.id }, (tx) => act(tx, company.id, number, random));
      if (random(3) === 0) await fold(1 + random(8));
      if (round > 40) await fold(10_000);
      for (let n = 0; n < 4; n++) {
        const start = from + random(days * 24) * HOUR + random(2) * 1_800_000;
        const span = { from: new Date(start), to: new Date(start + random(90 * 24) * HOUR) };
        const n = await counted(company.id, span);
        seen += n;
        expect(await added(company.id, span), `${round} ${span.from.toISOString()}`).toBe(n);
      }
    }
  expect(seen).toBeGreaterThan(2000);
});

test('gaps that are added up equal those that are counted anew, by however many at once', async () => {
  const { company, number } = await create();
  const random = randomFrom(3);
  for (let n = 0; n < 40; n++)
    await db.transaction({ companyId: company.id }, (tx) => act(tx, company.id, number, random));
  await Promise.all(
    Array.from({ length: 3 }, async () => {
      while (await fold(5)) {
        /* until none is left */
      }
    }),
  );
  const gaps = async () => {
    const { rows } = await db.systemTransaction((tx) =>
      sql`select * from caller_gap where company_id = ${company.id}
        order by seen_month, before_month, seen, before`.execute(tx),
    );
    return rows;
  };
  const folded = await gaps();
  expect(folded.length).toBeGreaterThan(50);
  await db.systemTransaction((tx) => sql`select recount_callers()`.execute(tx));
  expect(await gaps()).toEqual(folded);
});

test('the home page of a company with many calls shows its unique callers', async () => {
  const { company, owner, number } = await create();
  const other = await create();
  const many = (companyId: number, numberId: number, calls: number) =>
    db.systemTransaction((tx) =>
      sql`insert into call (company_id, number_id, carrier, outbound, from_number, to_number, party,
          started_at)
        select ${companyId}, ${numberId}, 'sandbox', false, '', '', '+1' || n % 777,
          timestamptz '2026-01-03T03:00:00Z' + n * interval '9 minutes'
        from generate_series(1, ${calls}::int) n`.execute(tx),
    );
  await many(company.id, number, 5400);
  await many(other.company.id, other.number, 20);
  const shown = async () => {
    const { body } = await app.as(owner).request(analytics.callKpi, {
      params: { companyId: company.id },
      body: { currentRange: { start: '2026-01-01', end: '2026-03-01' }, tz: 'America/New_York' },
    });
    return [body.data.current.total, body.data.current.unique_callers];
  };
  expect(await shown()).toEqual([5400, 777]);
  await fold(10_000);
  expect(await shown()).toEqual([5400, 777]);
  // Erased from the records: one caller fewer, at once.
  await db.systemTransaction((tx) =>
    sql`delete from call where company_id = ${company.id} and party = '+15'`.execute(tx),
  );
  expect((await shown())[1]).toBe(776);
  await fold(10_000);
  expect((await shown())[1]).toBe(776);
});
