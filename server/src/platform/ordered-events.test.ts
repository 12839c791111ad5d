import { sql } from 'kysely';
import pg from 'pg';
import { expect, test } from 'vitest';
import { contactsChanged } from '#contract/contacts/events';
import { createTestApp } from '../../test/support/test-app.ts';
import { gate, workersOf } from '../../test/support/workers.ts';
import { systemCtx } from './context.ts';
import { startOutboxRelay, subscribe } from './outbox-relay.ts';
import { subscriberJobs } from './subscriber-jobs.ts';

const app = await createTestApp();
const url = app.services.settings.databaseUrl!;
const startWorker = workersOf(app);

test('subscribers of events published together start in the order of publication', async () => {
  const { company } = await app.createCompany();
  await systemCtx(app.services, company.id, app.notifier).transaction(async (t) => {
    for (let n = 1; n <= 40; n++) await t.publish(contactsChanged, { what: 'updated', count: n });
  });
  const relay = startOutboxRelay(url, app.services.log, [
    subscribe(contactsChanged, 'tests-order', async () => {}),
  ]);
  const owner = new pg.Client({ connectionString: url });
  await owner.connect();
  try {
    const due = async () =>
      (
        await owner.query<{ n: number; same: number }>(
          `select (payload -> 'data' ->> 'count')::int n, count(*) over (partition by run_at)::int same
           from graphile_worker._private_jobs where payload ->> 'subscribers' like '%tests-order%' order by run_at`,
        )
      ).rows;
    await expect.poll(async () => (await due()).length, { timeout: 30_000 }).toBe(40);
    expect(await due()).toEqual(Array.from({ length: 40 }, (_, i) => ({ n: i + 1, same: 1 })));
  } finally {
    await relay.stop();
    await owner.end();
  }
});

test('events of one object are handled by their number, however long one takes; other lanes aren’t held up', async () => {
  const { company } = await app.createCompany();
  const { open, opened } = gate();
  const log: string[] = [];
  const subscriber = subscribe(
    contactsChanged,
    'tests-in-order',
    async (_, { what, count }) => {
      log.push(`${what} ${count} begins`);
      if (what === 'updated' && count === 1) await opened;
      log.push(`${what} ${count} ends`);
    },
    // Two keys of two lanes.
    { inOrderOf: ({ what }) => (what === 'updated' ? 'one' : 'two') },
  );
  const relay = startOutboxRelay(url, app.services.log, [subscriber]);
  const worker = await startWorker([], [subscriber]);
  try {
    await systemCtx(app.services, company.id, app.notifier).transaction(async (t) => {
      for (const count of [1, 2, 3]) await t.publish(contactsChanged, { what: 'updated', count });
      await t.publish(contactsChanged, { what: 'added', count: 4 });
    });
    await expect
      .poll(() => log.toSorted(), { timeout: 30_000 })
      .toEqual(['added 4 begins', 'added 4 ends', 'updated 1 begins']);
    open();
    await expect.poll(() => log.length, { timeout: 30_000 }).toBe(8);
    expect(log.filter((line) => line.startsWith('updated'))).toEqual(
      [1, 2, 3].flatMap((n) => [`updated ${n} begins`, `updated ${n} ends`]),
    );
  } finally {
    open();
    await relay.stop();
    await worker.stop();
  }
});

test('an event whose handler throws is handled later, as a job, and holds up none behind it', async () => {
  const { company } = await app.createCompany();
  const log: number[] = [];
  let isBroken = true;
  const subscriber = subscribe(
    contactsChanged,
    'tests-throwing',
    async (t, { count }) => {
      await sql`select ${count}::int`.execute(t.tx);
      if (count === 2 && isBroken) throw new Error('not today');
      log.push(count);
    },
    { inOrderOf: () => 'one' },
  );
  const relay = startOutboxRelay(url, app.services.log, [subscriber]);
  const worker = await startWorker([], [subscriber]);
  try {
    await systemCtx(app.services, company.id, app.notifier).transaction(async (t) => {
      for (const count of [1, 2, 3]) await t.publish(contactsChanged, { what: 'updated', count });
    });
    // A batch that breaks off is done again: what counts is the order in which each was last handled.
    await expect.poll(() => log.includes(3), { timeout: 30_000 }).toBe(true);
    expect(log.lastIndexOf(1)).toBeLessThan(log.lastIndexOf(3));
    expect(log).not.toContain(2);
    isBroken = false;
    await expect.poll(() => log.includes(2), { timeout: 30_000 }).toBe(true);
    expect(log.filter((count) => count === 3)).toHaveLength(1);
  } finally {
    await relay.stop();
    await worker.stop();
  }
});

test('a subscriber that throws keeps none of the event’s others from it', async () => {
  const { company } = await app.createCompany();
  const log: string[] = [];
  let isBroken = true;
  const subscribers = ['before', 'broken', 'after'].map((name) =>
    subscribe(contactsChanged, `tests-${name}`, async (t) => {
      await sql`select 1`.execute(t.tx);
      if (name === 'broken' && isBroken) await sql`select 1 / 0`.execute(t.tx);
      log.push(name);
    }),
  );
  const relay = startOutboxRelay(url, app.services.log, subscribers);
  const worker = await startWorker([], subscribers);
  try {
    await systemCtx(app.services, company.id, app.notifier).transaction((t) =>
      t.publish(contactsChanged, { what: 'updated', count: 1 }),
    );
    await expect.poll(() => log.includes('after'), { timeout: 30_000 }).toBe(true);
    expect(log).not.toContain('broken');
    isBroken = false;
    await expect.poll(() => log.includes('broken'), { timeout: 30_000 }).toBe(true);
    expect(log.filter((name) => name === 'after')).toHaveLength(1);
  } finally {
    await relay.stop();
    await worker.stop();
  }
});

test('two modules can’t subscribe to one event under one name: one of them would never hear it', () => {
  const follow = () => subscribe(contactsChanged, 'follow', async () => {});
  expect(() =>
    subscriberJobs([follow(), subscribe(contactsChanged, 'count', async () => {})]),
  ).not.toThrow();
  expect(() => subscriberJobs([follow(), follow()])).toThrow(
    `two subscribers are called ${contactsChanged.name}→follow`,
  );
});
