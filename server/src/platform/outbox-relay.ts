import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { EventData, EventKind } from '#contract';
import type { OutboxNotifier, TxCtx } from './context.ts';
import type { Db } from './db.ts';
import type { Log } from './log.ts';
import { laneOf } from './ordered-lanes.ts';
import { pastSpan } from './tracing/spans.ts';

/**
 * Wakes the relay once per burst, after commit and outside the business transaction (a NOTIFY
 * inside it costs three times as much).
 */
export function createOutboxNotifier(db: Db): OutboxNotifier {
  let marked = false;
  let waiting = false;
  return {
    markDirty: () => {
      marked = true;
    },
    notify: () => {
      if (!marked || waiting) return;
      marked = false;
      waiting = true;
      setTimeout(() => {
        waiting = false;
        db.pool
          .query(`select pg_notify('outbox_pending',
            '')`)
          .catch(() => {}); // The relay also polls.
      }, 1);
    },
  };
}

/**
 * A module's handler for another module's event. It runs as a job in a transaction of the company;
 * it can run twice, and after the handler of a later event. `seq` is the event's position: of two
 * events about the same object, the higher one is the later.
 */
export interface Subscriber {
  event: string;
  name: string;
  handler(ctx: TxCtx, data: unknown, seq: number): Promise<void>;
  /** False: no job is queued. Called by the relay for every event, so it must only read memory. */
  when?(data: unknown, companyId: number | null): boolean;
  /** Events with one key are handled one after another, by their `seq`. Left out: beside each other. It waits for nothing but the database. */
  inOrderOf?(data: unknown): string;
  /** Reads for several events at once what the handler needs of each, in the same transaction. */
  readAhead?(ctx: TxCtx, many: readonly unknown[]): Promise<void>;
}
/**
 * A subscriber of an event. It can run twice for one event, and late; `when` skips events that
 * don't concern it. `name` is unique among the event's subscribers. Events with one key of
 * `inOrderOf` are handled by their `seq`, also those of other subscribers with that key, and several of
 * them in one transaction, for which `readAhead` is called; one whose handler throws is repeated later,
 * and the next goes on.
 */
export function subscribe<K extends EventKind>(
  kind: K,
  name: string,
  handler: (ctx: TxCtx, data: EventData<K>, seq: number) => Promise<void>,
  {
    when,
    inOrderOf,
    readAhead,
  }: {
    when?: (data: EventData<K>, companyId: number | null) => boolean;
    inOrderOf?: (data: EventData<K>) => string;
    readAhead?: (ctx: TxCtx, many: readonly EventData<K>[]) => Promise<void>;
  } = {},
): Subscriber {
  // `publish` accepts only data of the kind's type, so the casts hold.
  return {
    event: kind.name,
    name: `${kind.name}→${name}`,
    handler: (ctx, data, seq) => handler(ctx, data as EventData<K>, seq),
    ...(when && { when: (data, companyId) => when(data as EventData<K>, companyId) }),
    ...(inOrderOf && { inOrderOf: (data) => inOrderOf(data as EventData<K>) }),
    ...(readAhead && { readAhead: (ctx, many) => readAhead(ctx, many as readonly EventData<K>[]) }),
  };
}

/** The jobs that run an event's subscribers: of all events, and of events of bulk work. */
export const subscriberJob = 'subscribers.run';
export const bulkSubscriberJob = 'subscribers.runBulk';

const BATCH = 500;
const POLL_MS = 250;

/**
 * The relay gives committed events their `seq`, queues the jobs of their subscribers in the same
 * transaction, and notifies the web processes once per batch. Only the process that holds a
 * session-level advisory lock relays.
 */
export function startOutboxRelay(url: string, log: Log, subscribers: readonly Subscriber[]) {
  const byEvent = new Map<string, Subscriber[]>();
  for (const subscriber of subscribers)
    byEvent.set(subscriber.event, [...(byEvent.get(subscriber.event) ?? []), subscriber]);
  let stopped = false;
  let wake = () => {};
  const relayUntilLost = async (client: pg.Client) => {
    client.on('error', () => wake());
    await client.connect();
    client.on('notification', () => wake());
    await client.query('listen outbox_pending');
    while (!stopped && !(await tryLock(client))) await pause(POLL_MS);
    while (!stopped) {
      const moved = await publishBatch(client, byEvent);
      if (moved < BATCH)
        await new Promise<void>((resolve) => {
          wake = resolve;
          setTimeout(resolve, POLL_MS);
        });
    }
  };
  const done = (async () => {
    while (!stopped) {
      const client = new pg.Client({
        connectionString: url,
        application_name: 'trunkline_relay',
        options: '-c role=trunkline_system',
      });
      try {
        await relayUntilLost(client);
      } catch (error) {
        if (!stopped) {
          log.warn({ err: error }, 'the outbox relay lost its database, retrying');
          await pause(500);
        }
      } finally {
        await client.end().catch(() => {});
      }
    }
  })();
  return {
    stop: async () => {
      stopped = true;
      wake();
      await done;
    },
  };
}

async function tryLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock(7202) got');
  return rows[0]?.got ?? false;
}

interface Published {
  seq: number;
  event: string;
  company_id: number | null;
  data: unknown;
  bulk: boolean;
  at: Date;
  /** Of the transaction that published it; null: none was recorded. */
  trace: string | null;
}
/** An event and those of its subscribers that it concerns. */
interface Wanted {
  row: Published;
  wantedBy: readonly Subscriber[];
}

/** Queues a job for each event, in this order, that runs its subscribers. */
async function enqueueWanted(client: pg.Client, bulk: boolean, wanted: readonly Wanted[]) {
  if (wanted.length === 0) return;
  const payloads = wanted.map(({ row: { seq, company_id, data, trace }, wantedBy }) =>
    JSON.stringify({
      ...{ seq, companyId: company_id ?? 0, data, ...(trace && { trace }) },
      subscribers: wantedBy.map(({ name }) => name),
    }),
  );
  await client.query('select enqueue_jobs($1, $2::json[], $3)', [
    bulk ? bulkSubscriberJob : subscriberJob,
    payloads,
    bulk,
  ]);
}

/** Puts events where those who want them in order take them. */
async function insertOrdered(client: pg.Client, wanted: readonly Wanted[]): Promise<void> {
  if (wanted.length === 0) return;
  const rows = wanted.flatMap(({ row, wantedBy }) =>
    wantedBy.map(({ name, inOrderOf }) => ({
      ...{ company_id: row.company_id, seq: row.seq, subscriber: name, data: row.data },
      lane: laneOf(inOrderOf?.(row.data) ?? '', row.bulk),
    })),
  );
  // A company that was deleted since has no use for them.
  await client.query(
    `insert into ordered_event (company_id, lane, seq, subscriber, data)
      select e.* from json_to_recordset($1::json)
        e(company_id bigint, lane int, seq bigint, subscriber text, data jsonb)
      where exists (select from company c where c.id = e.company_id)`,
    [JSON.stringify(rows)],
  );
}

async function publishBatch(
  client: pg.Client,
  byEvent: Map<string, Subscriber[]>,
): Promise<number> {
  await client.query('begin');
  try {
    // By id: two transactions that change the same row publish in the order in which they locked
    // it.
    const { rows } = await client.query<Published>(`
      with ready as materialized (select id, row_number() over (order by id) n
          from (select id from outbox where seq is null order by id limit ${BATCH}) r),
      moved as (update outbox_cursor set last_seq = last_seq + (select count(*) from ready)
          returning last_seq - (select count(*) from ready) base)
      update outbox o set seq = moved.base + ready.n from ready, moved
        where o.id = ready.id returning o.seq, o.event, o.company_id, o.data, o.bulk, o.at, o.trace`);
    rows.sort((a, b) => a.seq - b.seq);
    const wantedBy = (row: Published, isOrdered: boolean): Wanted[] => {
      const found = (byEvent.get(row.event) ?? []).filter(
        (one) =>
          // An event of no company is about none of its objects.
          (one.inOrderOf !== undefined && row.company_id !== null) === isOrdered &&
          (!one.when || one.when(row.data, row.company_id)),
      );
      return found.length > 0 ? [{ row, wantedBy: found }] : [];
    };
    for (const bulk of [false, true]) {
      const ofKind = rows.filter((row) => row.bulk === bulk);
      await enqueueWanted(
        client,
        bulk,
        ofKind.flatMap((row) => wantedBy(row, false)),
      );
    }
    await insertOrdered(
      client,
      rows.flatMap((row) => wantedBy(row, true)),
    );
    if (rows.length) await client.query(`select pg_notify('outbox_published', '')`);
    await client.query('commit');
    for (const { event, at, trace } of rows)
      if (trace) pastSpan(`outbox ${event}`, { event }, trace, at);
    return rows.length;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}
