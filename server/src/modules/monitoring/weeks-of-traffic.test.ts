import { DateTime } from 'luxon';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { AlertKind } from '#contract/monitoring/rules';
import { inboxHelpers } from '../../../test/support/inbox.ts';
import { seeded } from '../../../test/support/random-calls.ts';
import { createTestApp } from '../../../test/support/test-app.ts';
import { systemCtx } from '../../platform/context.ts';
import { checkCompany, kindsOf } from './check-company.ts';

/**
 * An office with ordinary traffic, and faults that are planted in it: each is found, and little
 * else is said. `npm run test:faults alerts` checks eight weeks, `npm test` one.
 */
const weeks = Number(process.env['ALERT_WEEKS'] ?? 1);
const seed = Number(process.env['ALERT_SEED'] ?? 7);
const mostFalse = 2;

const app = await createTestApp();
const inbox = inboxHelpers(app);
const { db } = app.services;
const zone = 'America/New_York';
const { next: random } = seeded(seed);

/** How many come when so many are usual. */
function poisson(mean: number): number {
  const limit = Math.exp(-mean);
  let n = 0;
  for (let p = random(); p > limit; p *= random()) n++;
  return n;
}

interface Fault {
  kind: AlertKind;
  /** Week (from 0), ISO weekday, and the hours of that day that it lasts; without `to`: for good. */
  week: number;
  weekday: number;
  from: number;
  to?: number;
}
const planted: Fault[] = [
  { kind: 'sms_delivery_low', week: weeks > 1 ? 4 : 0, weekday: 1, from: 8, to: 18 },
  { kind: 'missed_rate_high', week: weeks > 1 ? 3 : 0, weekday: 2, from: 8, to: 18 },
  { kind: 'calls_drop', week: weeks > 1 ? 2 : 0, weekday: 3, from: 10, to: 14 },
  { kind: 'short_calls', week: weeks > 1 ? 1 : 0, weekday: 4, from: 11, to: 12 },
  ...(weeks > 6 ? [{ kind: 'number_silent', week: 5, weekday: 1, from: 0 } satisfies Fault] : []),
];

/** Calls in an hour that are usual for an office that is open from eight to six. */
const usualCalls = (at: DateTime): number => {
  const isOpen = at.hour >= 8 && at.hour < 18;
  if (at.weekday > 5) return isOpen ? 0.8 : 0.1;
  if (!isOpen) return at.hour >= 7 && at.hour < 20 ? 1.5 : 0.15;
  return at.hour === 12 ? 7 : 11;
};

interface Line {
  id: number;
  share: number;
}
interface Call {
  line: number;
  at: Date;
  outcome: number;
  talk: number;
}
/** The calls of a quarter of an hour; `active`: which faults are on. */
function callsOf(at: DateTime, lines: readonly Line[], active: ReadonlySet<AlertKind>): Call[] {
  const calls: Call[] = [];
  for (const [n, { id, share }] of lines.entries()) {
    if (active.has('number_silent') && n === 1) continue;
    const mean = (usualCalls(at) / 4) * share * (active.has('calls_drop') ? 0.02 : 1);
    for (let left = poisson(mean); left > 0; left--) {
      const chance = random();
      const missed = active.has('missed_rate_high') ? 0.7 : 0.1;
      const outcome =
        chance < missed ? 2 : chance < missed + 0.03 ? 3 : chance < missed + 0.04 ? 4 : 1;
      const talk = outcome === 1 ? 8 + Math.round(-Math.log(1 - random()) * 160) : 0;
      calls.push({ line: id, at: at.plus({ seconds: random() * 900 }).toJSDate(), outcome, talk });
    }
    if (active.has('short_calls') && n === 1 && at.minute === 15)
      for (let k = 0; k < 7; k++)
        calls.push({ line: id, at: at.plus({ minutes: 2 * k }).toJSDate(), outcome: 1, talk: 3 });
  }
  return calls;
}
const insertCalls = (companyId: number, calls: readonly Call[]) =>
  calls.length
    ? sql`insert into call (company_id, number_id, outbound, carrier, from_number, to_number, party,
          status, outcome, started_at, ended_at, talk_seconds, duration_seconds, created_at,
          updated_at)
        select ${companyId}, c.line, false, 'sandbox', '+12125550199', '+14155550100',
          '+12125550199', 1, c.outcome, c.at, c.at, c.talk, c.talk, c.at, c.at
        from unnest(${calls.map((c) => c.line)}::bigint[], ${calls.map((c) => c.at)}::timestamptz[],
          ${calls.map((c) => c.outcome)}::int[], ${calls.map((c) => c.talk)}::int[])
          c (line, at, outcome, talk)`.execute(db.unscoped)
    : undefined;
const fold = () => sql`select fold_figures(1000000)`.execute(db.unscoped);

test(`in ${weeks} weeks of an office each planted fault is found, and at most ${mostFalse} others`, async () => {
  const { company } = await app.createCompany();
  await sql`update company set timezone = ${zone} where id = ${company.id}`.execute(db.unscoped);
  const numbers = [];
  for (let n = 0; n < 3; n++) numbers.push(await inbox.number(company.id));
  const lines = numbers.map(({ id }, n) => ({ id, share: [0.7, 0.25, 0.05][n] ?? 0 }));
  await inbox.text('+12125559904', numbers[0]!.number, 'Hello');
  // A Monday; the clock only ever goes forward.
  const start = DateTime.fromJSDate(app.clock.value, { zone })
    .plus({ weeks: 1 })
    .startOf('week')
    .plus({ weeks: 9 });
  const history: Call[] = [];
  for (let at = start.minus({ weeks: 8, days: 1 }); at < start; at = at.plus({ minutes: 15 }))
    history.push(...callsOf(at, lines, new Set()));
  await insertCalls(company.id, history);
  await fold();

  const spans = planted.map(({ kind, week, weekday, from, to }) => {
    const day = start.plus({ weeks: week, days: weekday - 1 });
    return { kind, from: day.set({ hour: from }), to: to ? day.set({ hour: to }) : null };
  });
  const activeAt = (at: DateTime): Set<AlertKind> =>
    new Set(spans.filter((s) => at >= s.from && (!s.to || at < s.to)).map(({ kind }) => kind));
  const texts = (at: DateTime, count: number, state: string) =>
    sql`insert into conversation_item (company_id, conversation_id, number_id, kind, is_inbound,
        created_at, details, delivery_state)
      select c.company_id, c.id, c.number_id, 'message', false, ${at.toJSDate()}, '{}', ${state}
      from conversation c, generate_series(1, ${count}) where c.company_id = ${company.id}`.execute(
      db.unscoped,
    );
  const check = (at: DateTime, kinds: readonly AlertKind[]) => {
    app.clock.value = at.toJSDate();
    return systemCtx(app.services, company.id, app.notifier).transaction((t) =>
      checkCompany(t, kinds),
    );
  };
  const end = start.plus({ weeks });
  for (let at = start; at < end; at = at.plus({ minutes: 15 })) {
    const active = activeAt(at);
    await insertCalls(company.id, callsOf(at, lines, active));
    const isDay = at.weekday < 6 && at.hour >= 8 && at.hour < 18;
    if (isDay && at.minute === 0) {
      const sent = poisson(9);
      const failed = Math.round(sent * (active.has('sms_delivery_low') ? 0.3 : 0.03));
      await texts(at, sent - failed, 'delivered');
      if (failed) await texts(at, failed, 'undelivered');
    }
    const next = at.plus({ minutes: 15 });
    const isHour = next.minute === 0;
    // At night nothing moves within an hour.
    if (!isDay && !isHour) continue;
    await fold();
    await check(
      next.plus({ minutes: 1 }),
      kindsOf([
        'five_minutes',
        'quarter',
        ...(isHour ? (['hour'] as const) : []),
        ...(isHour && next.hour === 3 ? (['day'] as const) : []),
      ]),
    );
  }

  const { rows } = await sql<{ kind: AlertKind; at: Date; message: string }>`
    select kind, first_seen_at as at, message from alert
    where company_id = ${company.id} order by first_seen_at`.execute(db.unscoped);
  const within = (row: { kind: AlertKind; at: Date }, span: (typeof spans)[number]): boolean =>
    row.kind === span.kind &&
    row.at >= span.from.toJSDate() &&
    // What a fault did is still in a day's figures for a day.
    (!span.to || row.at <= span.to.plus({ days: 1 }).toJSDate());
  const missed = spans.filter((span) => !rows.some((row) => within(row, span)));
  const others = rows.filter((row) => !spans.some((span) => within(row, span)));
  const told = (row: (typeof rows)[number]): string =>
    `${row.kind} ${DateTime.fromJSDate(row.at, { zone }).toFormat('ccc d HH:mm')}: ${row.message}`;
  const found = spans.length - missed.length;
  console.log(
    `${weeks} weeks, seed ${seed}: ${found} of ${spans.length} faults found, ${others.length} false alerts`,
  );
  for (const row of others) console.log(`  ${told(row)}`);
  expect(missed.map(({ kind }) => kind)).toEqual([]);
  expect(others.length, others.map(told).join('\n')).toBeLessThanOrEqual(mostFalse);
}, 900_000);
