/**
 * What an upgrade leaves to count is counted in the background while people work, in steps that are
 * whole, one at a time; and a migration that builds on it waits for it.
 */
import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sql } from 'kysely';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { support } from '#contract';
import { fillStates, workOnFills } from '../src/platform/background-fills.ts';
import type { Tx } from '../src/platform/db.ts';
import { readInstallation } from '../src/platform/installation-metrics.ts';
import { metricsText } from '../src/platform/metrics.ts';
import { migrate } from '../src/platform/migrate.ts';
import { inboxHelpers } from './support/inbox.ts';
import { createTestApp } from './support/test-app.ts';

const asAdmin = { isadmin: '1' };
const app = await createTestApp();
const inbox = inboxHelpers(app);
const { db, log } = app.services;
const ctx = { db, log: { ...log, error: () => {} } as unknown as typeof log };
const system = <T>(work: (tx: Tx) => Promise<T>) => db.systemTransaction(work);

beforeEach(() => system((tx) => sql`delete from background_fill`.execute(tx)));

const addFill = (name: string, batch: number) =>
  system((tx) =>
    sql`insert into background_fill (name, batch, total) values (${name}, ${batch},
      (select count(*) from call where not outbound))`.execute(tx),
  );
const step = () =>
  system(async (tx) => {
    const { rows } = await sql<{ name: string | null }>`select step_background_fill() name`.execute(
      tx,
    );
    return rows[0]?.name ?? null;
  });

/** A company with calls and texts of two numbers over forty days. */
async function createBusy(): Promise<number> {
  const { company } = await app.createCompany();
  const numbers = [(await inbox.number(company.id)).id, (await inbox.number(company.id)).id];
  await addCalls(company.id, numbers, 120);
  return company.id;
}

const addCalls = (company: number, numbers: number[], n: number) =>
  system(async (tx) => {
    await sql`insert into call (company_id, number_id, carrier, outbound, from_number, to_number,
        party, outcome, started_at, talk_seconds, ring_seconds, first_contact)
      select ${company}, (${numbers}::bigint[])[1 + i % 2], 'sandbox', i % 9 = 0, '', '',
        '+1212555' || (1000 + i * 7 % 31), i % 5, '2026-05-01T00:10:00Z'::timestamptz
          + i * 17 % 960 * interval '1 hour', i % 70, i % 20, i % 3 = 0
      from generate_series(1, ${n}::int) i`.execute(tx);
    const { rows } = await sql<{ id: number }>`insert into conversation (company_id, number_id,
        party, created_at, last_activity_at)
      values (${company}, ${numbers[0]!}, '+1' || next_id(), now(), now()) returning id`.execute(
      tx,
    );
    await sql`insert into conversation_item (company_id, conversation_id, number_id, kind,
        is_inbound, created_at, details)
      select ${company}, ${rows[0]!.id}, ${numbers[0]!}, 'message', i % 3 = 0,
        '2026-05-01T00:40:00Z'::timestamptz + i * 11 % 960 * interval '1 hour', '{}'
      from generate_series(1, ${n}::int) i`.execute(tx);
  });

/** As an upgrade leaves them: the triggers are there, and nothing of before is counted. */
const forget = () =>
  system(async (tx) => {
    for (const table of ['figure_hour', 'figure_change', 'caller_gap', 'caller_change'])
      await sql`delete from ${sql.table(table)}`.execute(tx);
  });

/** All sums, with what is noted added up. */
async function sums(tx: Tx) {
  await sql`select fold_figures(100000), fold_callers(100000)`.execute(tx);
  const { rows } = await sql<{ line: string }>`
    select to_jsonb(h)::text line from figure_hour h
      where row(calls, answered, missed, voicemail, blocked, first_time, talk_seconds,
        answered_talk_seconds, answered_ring_seconds, qualified, leads, texts_in, texts_out)
        <> row(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    union all select to_jsonb(g)::text from caller_gap g where parties <> 0
    order by 1`.execute(tx);
  return rows.map(({ line }) => line);
}
const counted = () => system(sums);
const countedAnew = () =>
  system(async (tx) => {
    await sql`select recount_figures(), recount_callers()`.execute(tx);
    return sums(tx);
  });

test('older calls and texts are counted step by step while others come, change and go', async () => {
  const companies = [await createBusy(), await createBusy()];
  await forget();
  await addFill('figures', 20);
  await addFill('callers', 20);
  let steps = 0;
  for (; await step(); steps++) {
    const company = companies[steps % 2]!;
    const { rows } = await system((tx) =>
      sql<{ id: number }>`select id from number where company_id = ${company}`.execute(tx),
    );
    const numbers = rows.map(({ id }) => id);
    if (steps % 3 === 0) await addCalls(company, numbers, 3);
    await system(async (tx) => {
      await sql`update call set outcome = (outcome + 1) % 5, party = '+12125559999'
        where company_id = ${company} and id % 11 = ${steps % 11}`.execute(tx);
      await sql`delete from call where company_id = ${company} and id % 23 = ${steps % 23}`.execute(
        tx,
      );
      if (steps % 4 === 0) await sql`select fold_figures(9), fold_callers(9)`.execute(tx);
    });
  }
  expect(steps).toBeGreaterThan(15);
  const after = await counted();
  expect(after.length).toBeGreaterThan(300);
  expect(after).toEqual(await countedAnew());
  for (const { done, finished_at: finished, error } of await fillStates(db)) {
    expect(done).toBeGreaterThan(100);
    expect([finished, error]).toEqual([expect.any(Date), null]);
  }
});

test('one process works on it at a time, and another goes on where it was ended', async () => {
  await createBusy();
  await forget();
  await addFill('figures', 20);
  await system(async (tx) => {
    await sql`select step_background_fill()`.execute(tx);
    // The first hasn't ended its step.
    expect(await step()).toBe(null);
  });
  const [first] = await fillStates(db);
  // Ended in the middle: the step is undone with its count.
  await expect(
    system(async (tx) => {
      await sql`select step_background_fill()`.execute(tx);
      throw new Error('killed');
    }),
  ).rejects.toThrow('killed');
  expect(await fillStates(db)).toEqual([first]);
  await Promise.all([workOnFills(ctx), workOnFills(ctx)]);
  await workOnFills(ctx);
  expect((await fillStates(db))[0]?.finished_at).toBeInstanceOf(Date);
  const figures = (lines: string[]) => lines.filter((line) => line.includes('texts_in'));
  expect(figures(await counted())).toEqual(figures(await countedAnew()));
});

test('a step that fails is shown to the operator, tried again with less, and then forgotten', async () => {
  await addFill('broken', 300);
  const staff = await app.createStaff();
  const status = async () =>
    (
      await app.as(staff).request(support.getSystemStatus, { headers: asAdmin })
    ).body.data.fills.map(({ name, done, error }) => ({ name, done, error }));
  const left = async () => {
    await readInstallation({ db, settings: app.services.settings, now: app.clock.value });
    return /^background_fill_left\{fill="broken"\} (\d+)$/m.exec(await metricsText())?.[1];
  };
  await workOnFills(ctx);
  expect(await status()).toEqual([
    { name: 'broken', done: 0, error: expect.stringContaining('fill_broken') },
  ]);
  expect(Number(await left())).toBeGreaterThan(0);
  const batch = async () =>
    (await system((tx) => sql<{ batch: number }>`select batch from background_fill`.execute(tx)))
      .rows[0]?.batch;
  expect(await batch()).toBe(150);
  await workOnFills(ctx);
  await workOnFills(ctx);
  expect(await batch()).toBe(100);
  await system((tx) => sql`update background_fill set name = 'callers'`.execute(tx));
  await workOnFills(ctx);
  expect(await status()).toEqual([]);
});

test('a migration that needs a fill is refused until it is finished, and says what to do', async () => {
  const real = join(import.meta.dirname, '../migrations');
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-migrations-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const name of readdirSync(real)) symlinkSync(join(real, name), join(folder, name));
  writeFileSync(join(folder, '990_next.sql'), '-- Needs the fill callers.\nselect 1;\n');
  const from = pathToFileURL(`${folder}/`);
  const url = app.services.settings.databaseUrl ?? '';
  await addFill('callers', 20);
  await expect(migrate(url, from)).rejects.toThrow(
    /^Migration 990_next\.sql needs all of “callers”, of which 0 of \d+ rows are counted\. Start the version before this one.*upgrade then$/,
  );
  expect((await migrate(url)).filling).toMatchObject([{ name: 'callers', done: 0 }]);
  await workOnFills(ctx);
  expect(await migrate(url, from)).toEqual({ applied: ['990_next.sql'], filling: [] });
});
