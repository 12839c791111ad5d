import type { NotNull } from 'kysely';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Db } from './db.ts';
import type { Log } from './log.ts';

/** An event as published, in commit order. */
export interface PublishedEvent {
  seq: number;
  companyId: number | null;
  event: string;
  data: unknown;
  channelKey: number | null;
  numberId: number | null;
  at: Date;
  /** Of the transaction that published it, while tracing is on. */
  trace?: string | null;
}

const READ_BATCH = 1000;
const POLL_MS = 1000;
const RECONNECT_MS = 500;

/**
 * Calls `onEvents` with events published from now on. Every web process subscribes for its own
 * sockets.
 */
export const subscribeToOutbox = (
  url: string,
  db: Db,
  log: Log,
  onEvents: (batch: PublishedEvent[]) => void | Promise<void>,
) => new OutboxSubscription(url, db, log, onEvents);

class OutboxSubscription {
  /** Settled once the position of the last published event is known; rejects without a database. */
  readonly ready: Promise<void>;
  private stopped = false;
  private lastSeq = -1;
  private reading: Promise<void> | null = null;
  private pollAgain = false;
  private stopListening = () => {};
  private readonly listening: Promise<void>;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly url: string,
    private readonly db: Db,
    private readonly log: Log,
    private readonly onEvents: (batch: PublishedEvent[]) => void | Promise<void>,
  ) {
    this.ready = this.read();
    this.listening = this.ready.catch(() => {}).then(() => this.listen());
    this.timer = setInterval(() => this.poll(), POLL_MS);
  }

  /** Sequence number of the last event read by this process; later database reads contain it. */
  readonly seq = (): number => Math.max(0, this.lastSeq);

  async stop(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    this.stopListening();
    await this.listening;
    await this.reading;
  }

  private async read(): Promise<void> {
    if (this.lastSeq < 0) this.lastSeq = await lastPublishedSeq(this.db);
    for (;;) {
      const rows = await readPublishedAfter(this.db, this.lastSeq, null, READ_BATCH);
      const last = rows.at(-1);
      if (!last) return;
      this.lastSeq = last.seq;
      await this.onEvents(rows);
    }
  }

  private poll(): void {
    if (this.reading) {
      this.pollAgain = true;
      return;
    }
    this.reading = this.read()
      .catch((error: unknown) => {
        this.log.warn({ err: error }, 'published events could not be read');
      })
      .finally(() => {
        this.reading = null;
        if (this.pollAgain && !this.stopped) {
          this.pollAgain = false;
          this.poll();
        }
      });
  }

  private async listen(): Promise<void> {
    while (!this.stopped) {
      const client = new pg.Client({
        connectionString: this.url,
        application_name: 'trunkline_tail',
        options: '-c role=trunkline_system',
      });
      try {
        const lost = new Promise<void>((resolve) => {
          client.on('error', () => resolve());
          client.on('end', () => resolve());
          this.stopListening = () => {
            resolve();
          };
        });
        await client.connect();
        client.on('notification', () => this.poll());
        await client.query('listen outbox_published');
        this.poll();
        await lost;
      } catch {
        /* the loop tries again */
      } finally {
        await client.end().catch(() => {});
      }
      if (!this.stopped) await pause(RECONNECT_MS);
    }
  }
}

async function lastPublishedSeq(db: Db): Promise<number> {
  const cursor = await db.unscoped
    .selectFrom('outbox_cursor')
    .select('last_seq')
    .executeTakeFirst();
  return cursor?.last_seq ?? 0;
}

/**
 * Published events after `seq`, oldest first, of one company, one person, or all (`scope` null).
 */
export async function readPublishedAfter(
  db: Db,
  seq: number,
  scope: { companyId: number } | { channelKey: number } | null,
  limit: number,
): Promise<PublishedEvent[]> {
  let query = db.unscoped
    .selectFrom('outbox')
    .select(['seq', 'company_id', 'event', 'data', 'channel_key', 'number_id', 'at', 'trace'])
    .where('seq', '>', seq)
    .$narrowType<{ seq: NotNull }>()
    .orderBy('seq')
    .limit(limit);
  if (scope)
    query =
      'companyId' in scope
        ? query.where('company_id', '=', scope.companyId)
        : query.where('channel_key', '=', scope.channelKey);
  return (await query.execute()).map((row) => ({
    seq: row.seq,
    companyId: row.company_id,
    event: row.event,
    data: row.data,
    channelKey: row.channel_key,
    numberId: row.number_id,
    at: new Date(row.at),
    trace: row.trace,
  }));
}
