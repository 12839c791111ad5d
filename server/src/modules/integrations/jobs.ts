import { enqueueIn, type Ctx } from '../../platform/context.ts';
import { defineRecurring, runJob } from '../../platform/jobs.ts';
import { runSync } from './accounts/sync-account.ts';
import { deliver } from './deliveries/deliver.ts';
import { deliverJob, startDueJob, syncJob } from './job-kinds.ts';
import { dueDeliveries } from './store-deliveries.ts';

// The system role: finds what is due in every company, then works in each one’s own transaction.

/** Deliveries that one minute takes up at most; the others have their turn in the next. */
const AT_ONCE = 2000;

/** Every minute: takes up deliveries whose worker ended, or whose job was lost. */
async function startDueDeliveries(ctx: Ctx): Promise<void> {
  const due = await dueDeliveries(ctx.db.unscoped, ctx.now, AT_ONCE);
  for (const { company_id: companyId, id, destination_id: destinationId } of due)
    await enqueueIn(
      ctx.db.unscoped,
      deliverJob,
      { companyId, deliveryId: id, destinationId },
      { key: `delivery-${id}` },
    );
}

/** The same for one destination, without waiting for the minute. */
const startDueOf = (ctx: Ctx, destinationId: number): Promise<void> =>
  ctx.transaction(async (t) => {
    const of = { companyId: t.companyId, destinationId };
    for (const { id } of await dueDeliveries(t.tx, t.clock(), AT_ONCE, of))
      await t.enqueue(deliverJob, { deliveryId: id, destinationId }, { key: `delivery-${id}` });
  });

export const jobs = [
  runJob(deliverJob, (ctx, { deliveryId }) => deliver(ctx, deliveryId)),
  runJob(startDueJob, (ctx, { destinationId }) => startDueOf(ctx, destinationId)),
  runJob(syncJob, runSync),
  defineRecurring(
    'integrations.startDeliveries',
    {
      cron: '* * * * *',
      does: 'takes up deliveries whose worker ended',
      queue: 'default',
      timeoutSeconds: 60,
    },
    startDueDeliveries,
  ),
];
