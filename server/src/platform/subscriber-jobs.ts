import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx } from './context.ts';
import type { Tx } from './db.ts';
import { runJob, type Job } from './job.ts';
import { jobKind } from './job-kind.ts';

import { bulkSubscriberJob, subscriberJob, type Subscriber } from './outbox-relay.ts';

const payload = z.object({
  subscribers: z.array(z.string()),
  companyId: z.number(),
  data: z.unknown(),
  seq: z.number(),
});
type Payload = z.infer<typeof payload>;

/** Queues jobs that run subscribers which failed among others, each by itself. */
export const enqueueSubscribers = (tx: Tx, bulk: boolean, payloads: readonly Payload[]) =>
  sql`select enqueue_jobs(${bulk ? bulkSubscriberJob : subscriberJob},
    ${payloads.map((one) => JSON.stringify(one))}::json[], ${bulk})`.execute(tx);

/**
 * The jobs that an event's subscribers run as, together in one transaction: those of events of bulk
 * work, and those of all others. When one of them throws, each goes on as a job of its own. Throws when
 * two subscribers of one event have the same name, because one of them would never run.
 */
export const subscriberJobs = (subscribers: readonly Subscriber[]): Job[] => {
  const byName = new Map<string, Subscriber>();
  for (const one of subscribers) {
    if (byName.has(one.name)) throw new Error(`two subscribers are called ${one.name}`);
    byName.set(one.name, one);
  }
  const handle = (ctx: Ctx, { subscribers: names, data, seq }: Payload) =>
    ctx.transaction(async (t) => {
      // Unknown: queued by a version that still had it.
      for (const name of names) await byName.get(name)?.handler(t, data, seq);
    });
  const run = async (ctx: Ctx, event: Payload): Promise<void> => {
    if (event.subscribers.length === 1) return handle(ctx, event);
    try {
      await handle(ctx, event);
    } catch (error) {
      ctx.log.warn({ err: error }, 'a subscriber failed, and each goes on as a job of its own');
      const each = event.subscribers.map((name) => ({ ...event, subscribers: [name] }));
      await ctx.transaction((t) => enqueueSubscribers(t.tx, ctx.bulk, each));
    }
  };
  const usual = { overlap: 'allowed', retries: 24 } as const;
  return [
    runJob(
      jobKind(subscriberJob, payload, { ...usual, queue: 'default', timeoutSeconds: 120 }),
      run,
    ),
    runJob(
      jobKind(bulkSubscriberJob, payload, { ...usual, queue: 'bulk', timeoutSeconds: 600 }),
      run,
    ),
  ];
};
