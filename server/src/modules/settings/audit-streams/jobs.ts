import { enqueueIn, type Ctx } from '../../../platform/context.ts';
import { defineRecurring, runJob } from '../../../platform/jobs.ts';
import { sendAuditStreamJob } from './job-kinds.ts';
import { sendAuditStream } from './send-stream.ts';
import { deleteOldPositions, dueStreams } from './store.ts';

// The system role: finds what is due in every company, then works in each one’s own transaction.

/** Every minute: queues what each active stream has waiting. */
async function startDueStreams(ctx: Ctx): Promise<void> {
  for (const { company_id: companyId, id } of await dueStreams(ctx.db.unscoped, ctx.now))
    await enqueueIn(
      ctx.db.unscoped,
      sendAuditStreamJob,
      { companyId, streamId: id },
      { key: `audit-stream-${id}` },
    );
}

const ROWS = 5000;
async function deletePositions(ctx: Ctx): Promise<void> {
  const { unscoped: directory } = ctx.inBackground().db;
  for (let n = 0; n < 200; n++) if ((await deleteOldPositions(directory, ROWS)) < ROWS) break;
}

export const jobs = [
  runJob(sendAuditStreamJob, (ctx, { streamId }) => sendAuditStream(ctx, streamId)),
  defineRecurring(
    'settings.streamAudit',
    {
      cron: '* * * * *',
      does: 'sends new entries of the audit log to the receivers that companies set',
      queue: 'default',
      timeoutSeconds: 60,
    },
    startDueStreams,
  ),
  defineRecurring(
    'settings.deleteOldAuditPositions',
    {
      cron: '50 4 * * *',
      does: 'forgets the order of entries that the audit log no longer holds',
      queue: 'bulk',
      timeoutSeconds: 3600,
    },
    deletePositions,
  ),
];
