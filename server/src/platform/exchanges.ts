import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from './db.ts';
import { openLeases, ownerLostSql } from './lease.ts';
import type { Log } from './log.ts';

// The system role: an exchange belongs to no company.

/** What an exchange says of itself. */
interface ExchangeState {
  calls: number;
  /** The part of its capacity in use, 0 to 1. */
  load: number;
  draining: boolean;
}

/** An exchange that runs, and where our other processes reach it. */
export interface RunningExchange extends ExchangeState {
  id: string;
  url: string;
  /** Calls with audio at once. */
  capacity: number;
  /** Where carriers reach it by SIP, `host:port`; null: they don't. */
  sip_address: string | null;
}

/** How often a change is written, and how often anything is, in ms. */
const changeMs = 250;
const beatMs = 1000;
/** An exchange that has not written for this long gets no new calls and no pages. */
const silentSeconds = 3;

const leaseOf = (id: string): string => `exchange:${id}`;

/** The row of this media process. */
interface AnnouncedExchange {
  /** Changes when others declared it lost, though it lives. */
  id(): string;
  /** It has ended, now. */
  stop(): Promise<void>;
}

/**
 * Announces the exchange of this process, and keeps its row and its lease until `stop`.
 * @param onLost others have ended its calls: so must it. It goes on under another id.
 */
export async function announceExchange(
  { db, databaseUrl, log }: { db: Db; databaseUrl: string; log: Log },
  { url, capacity, sip_address: sip }: Pick<RunningExchange, 'url' | 'capacity' | 'sip_address'>,
  state: () => ExchangeState,
  onLost: () => void,
): Promise<AnnouncedExchange> {
  const leases = await openLeases(databaseUrl, log);
  let id = '';
  const begin = async () => {
    const next = randomBytes(6).toString('hex');
    await leases.acquire(leaseOf(next));
    await sql`insert into exchange (id, url, capacity, sip_address)
      values (${next}, ${url}, ${capacity}, ${sip})`.execute(db.unscoped);
    id = next;
  };
  await begin();
  let written = { said: '', at: -Infinity };
  const write = async () => {
    const now = state();
    const said = JSON.stringify(now);
    if (said === written.said && performance.now() - written.at < beatMs) return;
    const { numAffectedRows } = await sql`update exchange set calls = ${now.calls},
        load = ${now.load}, draining = ${now.draining}, seen_at = clock_timestamp()
      where id = ${id} and ended_at is null`.execute(db.unscoped);
    written = { said, at: performance.now() };
    if (numAffectedRows !== 0n) return;
    log.error({ exchange: id }, 'this exchange was taken for lost; its calls have ended');
    onLost();
    await leases.release(leaseOf(id));
    await begin();
  };
  let writing: Promise<void> | null = null;
  const timer = setInterval(() => {
    writing ??= write()
      .catch((error: unknown) => log.warn({ err: error }, 'the exchange’s row wasn’t written'))
      .finally(() => {
        writing = null;
      });
  }, changeMs);
  timer.unref();
  return {
    id: () => id,
    async stop() {
      clearInterval(timer);
      await writing;
      await sql`update exchange set calls = 0, load = 0, seen_at = clock_timestamp(),
          ended_at = coalesce(ended_at, clock_timestamp()) where id = ${id}`
        .execute(db.unscoped)
        .catch(() => undefined); // its lease is over soon
      await leases.stop();
    },
  };
}

/**
 * The exchanges that run, for a new call the best first: one that takes calls, with the most room.
 * Silent ones only when all are: then this may be the database's pause, or a busy machine.
 */
export async function runningExchanges(db: Db): Promise<RunningExchange[]> {
  const { rows } = await sql<RunningExchange & { silent: boolean }>`
    select id, url, capacity, calls, load, draining, sip_address,
        seen_at < clock_timestamp() - make_interval(secs => ${silentSeconds}) silent
      from exchange where ended_at is null
      order by draining or load >= 1, capacity * (1 - load) desc, id`.execute(db.unscoped);
  const speaking = rows.filter(({ silent }) => !silent);
  return speaking.length > 0 ? speaking : rows;
}

/** Whether a new call has a place at one of them. */
export const hasRoom = ({ draining, load }: ExchangeState): boolean => !draining && load < 1;

/** Where an exchange is reached, even while it is silent; null: it has ended, or never was. */
export async function urlOfExchange(db: Db, id: string): Promise<string | null> {
  const { rows } = await sql<{ url: string }>`
    select url from exchange where id = ${id} and ended_at is null`.execute(db.unscoped);
  return rows[0]?.url ?? null;
}

/** The exchanges whose lease is over, though they did not say that they end. */
export async function exchangesWithoutLease(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select e.id from exchange e where e.ended_at is null
      and ${sql.raw(ownerLostSql(`'exchange:' || e.id`, 'e.started_at'))}`.execute(db.unscoped);
  return rows.map(({ id }) => id);
}

/** An exchange is lost: it ended when it was last seen. False: another process said so before. */
export async function endExchange(db: Db, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update exchange set ended_at = seen_at, calls = 0, load = 0
      where id = ${id} and ended_at is null`.execute(db.unscoped);
  return numAffectedRows === 1n;
}
