import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { analytics } from '#contract';
import { inboxHelpers } from '../../../test/support/inbox.ts';
import { createTestApp } from '../../../test/support/test-app.ts';
import type { Tx } from '../../platform/db.ts';
import { foldFigures } from './store-figures.ts';

/** Counted figures equal a recount of the calls and texts, whatever happened to them. */
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
const from = Date.parse('2026-03-05T00:00:00Z');
const moment = (random: Random) => new Date(from + random(80 * 86_400) * 1000);

async function newCall(tx: Tx, company: number, numbers: number[], random: Random) {
  await sql`insert into call (company_id, number_id, carrier, outbound, from_number, to_number,
      party, outcome, started_at, talk_seconds, ring_seconds, first_contact)
    values (${company}, ${numbers[random(3)]!}, 'sandbox', ${random(4) === 0}, '+12125550147',
      '+14155552368', ${'+1212555' + String(random(30)).padStart(4, '0')}, ${random(5)},
      ${moment(random)}, ${random(600)}, ${random(30)}, ${random(3) === 0})`.execute(tx);
}
async function newTexts(tx: Tx, company: number, numbers: number[], random: Random) {
  const number = numbers[random(3)]!;
  const { rows } = await sql<{ id: number }>`insert into conversation (company_id, number_id, party,
      created_at, last_activity_at) values (${company}, ${number}, '+1' || next_id(), now(), now())
    returning id`.execute(tx);
  await sql`insert into conversation_item (company_id, conversation_id, number_id, kind, is_inbound,
      created_at, details)
    select ${company}, ${rows[0]!.id}, ${number},
      (array['message', 'message', 'note', 'scheduledmessage'])[1 + n % 4], n % 3 = 0,
      ${moment(random)}::timestamptz + n * interval '7 minutes', '{}'
    from generate_series(1, ${1 + random(6)}::int) n`.execute(tx);
}
/** What happens to things later, to one in `n` of them. */
const changes = [
  sql`update call set outcome = (outcome + 1) % 5, talk_seconds = talk_seconds + 7`,
  sql`update call set qualified = not qualified, lead = qualified, note = 'x'`,
  sql`update call set started_at = started_at - interval '50 minutes', outbound = not outbound`,
  sql`update call set number_id = (select min(number_id) from call)`,
  sql`delete from call`,
  sql`update conversation_item set deleted_at = case when deleted_at is null then now() end`,
  sql`update conversation_item set read_at = now(), delivery_state = 'delivered'`,
  sql`update conversation_item set kind = 'message', created_at = created_at + interval '1 day'`,
  sql`update conversation_item set number_id = (select min(number_id) from conversation_item)`,
  sql`delete from conversation_item`,
];

async function history(company: number, numbers: number[], random: Random, steps: number) {
  for (let n = 0; n < steps; n++) {
    const kind = random(5);
    const act = async (tx: Tx) => {
      if (kind < 2) await newCall(tx, company, numbers, random);
      else if (kind < 4) await newTexts(tx, company, numbers, random);
      else await sql`${changes[random(changes.length)]!} where id % 7 = ${random(7)}`.execute(tx);
    };
    await db.transaction({ companyId: company }, act);
    if (random(9) === 0) await db.systemTransaction((tx) => foldFigures(tx, 1 + random(20)));
  }
}

/** The answer, counted from calls and texts as they are. */
async function recount(company: number, days: Days, tz: string, only: number[] | null) {
  const where = (at: string) => sql`company_id = ${company}
    and ${only === null ? sql`true` : sql`number_id = any (${only}::bigint[])`}
    and (${sql.ref(at)} at time zone ${tz})::date between ${days.start}::date and ${days.end}::date`;
  const { rows } = await db.systemTransaction((tx) =>
    sql<Record<string, number>>`select count(*)::int total,
      count(*) filter (where outcome = 1)::int answered,
      count(*) filter (where outcome = 2)::int missed,
      count(*) filter (where outcome = 3)::int voicemail,
      count(*) filter (where outcome = 4)::int blocked,
      count(distinct party)::int unique_callers,
      count(*) filter (where first_contact)::int first_time,
      coalesce(round(avg(talk_seconds) filter (where outcome = 1)), 0)::int avg_duration,
      coalesce(round(sum(talk_seconds) / 60.0), 0)::int total_minutes,
      coalesce(round(avg(ring_seconds) filter (where outcome = 1)), 0)::int avg_ring,
      count(*) filter (where qualified)::int qualified, count(*) filter (where lead)::int leads,
      (select count(*)::int from conversation_item where kind = 'message' and deleted_at is null
        and ${where('created_at')}) messages
    from call where not outbound and ${where('started_at')}`.execute(tx),
  );
  return rows[0]!;
}
interface Days {
  start: string;
  end: string;
}

test('figures equal a recount after any history, in any zone, whole or on some numbers', async () => {
  const zones = [
    'UTC',
    'America/New_York',
    'Asia/Kolkata',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
  ];
  app.clock.value = new Date('2026-06-30T12:00:00Z');
  const made = [];
  for (const seed of [11, 23]) {
    const { company, owner } = await app.createCompany();
    const numbers = [];
    for (let n = 0; n < 3; n++) numbers.push((await inbox.number(company.id)).id);
    const limited = await app.createPerson(company.id, 'reporting', numbers.slice(1));
    made.push({ company, owner, limited, numbers, random: randomFrom(seed) });
  }
  for (let round = 0; round < 4; round++)
    for (const { company, owner, limited, numbers, random } of made) {
      await history(company.id, numbers, random, 40);
      for (const tz of zones) {
        const day = (n: number) => new Date(from + n * 86_400_000).toISOString().slice(0, 10);
        const first = random(60);
        const days = { start: day(first), end: day(first + random(25)) };
        for (const [who, only] of [
          [owner, null],
          [limited, numbers.slice(1)],
        ] as const) {
          const { body } = await app.as(who).request(analytics.callKpi, {
            params: { companyId: company.id },
            body: { currentRange: days, tz },
          });
          const { answer_rate: _, ...current } = body.data.current;
          expect(current).toEqual(await recount(company.id, days, tz, only && [...only]));
          const sum = (key: 'total' | 'messages') =>
            body.data.series.reduce((all, point) => all + point[key], 0);
          expect([sum('total'), sum('messages')]).toEqual([current.total, current.messages]);
          const busiest = body.data.series.toSorted((a, b) => b.messages - a.messages)[0]!;
          if (busiest.at.length > 10) continue; // By the hour already.
          const that = { start: busiest.at, end: busiest.at };
          const alone = await recount(company.id, that, tz, only && [...only]);
          expect([busiest.total, busiest.missed, busiest.first_time, busiest.messages]).toEqual([
            alone['total'],
            alone['missed'],
            alone['first_time'],
            alone['messages'],
          ]);
        }
      }
    }
});

test('hours that are added up equal those that are counted anew, and nothing waits', async () => {
  const { company } = await app.createCompany();
  const numbers = [];
  for (let n = 0; n < 3; n++) numbers.push((await inbox.number(company.id)).id);
  await history(company.id, numbers, randomFrom(5), 120);
  const hours = async () => {
    const { rows } = await db.systemTransaction((tx) =>
      sql`select * from figure_hour where company_id = ${company.id} and calls + texts_in + texts_out > 0
        order by number_id, hour`.execute(tx),
    );
    return rows;
  };
  while (await db.systemTransaction((tx) => foldFigures(tx, 100))) {
    /* until none is left */
  }
  const folded = await hours();
  expect(folded.length).toBeGreaterThan(50);
  await db.systemTransaction((tx) => sql`select recount_figures()`.execute(tx));
  expect(await hours()).toEqual(folded);
});

test('two that add up at once add each change once', async () => {
  const { company } = await app.createCompany();
  const numbers = [];
  for (let n = 0; n < 3; n++) numbers.push((await inbox.number(company.id)).id);
  await history(company.id, numbers, randomFrom(8), 60);
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      while (await db.systemTransaction((tx) => foldFigures(tx, 7))) {
        /* until none is left */
      }
    }),
  );
  const { rows } = await db.systemTransaction((tx) =>
    sql<{ n: number; counted: number }>`select
      (select count(*)::int from call where company_id = ${company.id} and not outbound) n,
      (select sum(calls)::int from figure_hour
        where company_id = ${company.id} and number_id = 0) counted`.execute(tx),
  );
  expect(rows[0]!.n).toBeGreaterThan(10);
  expect(rows[0]!.counted).toBe(rows[0]!.n);
});
