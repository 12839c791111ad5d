import { defineRecurring, runJob } from '../../platform/jobs.ts';
import {
  submitJob,
  mailStatusJob,
  mailLetterJob,
  cancelAtCarrierJob,
  pollJob,
} from './job-kinds.ts';
import { cancelAtCarrier } from './cancel-port.ts';
import { checkPortStatus } from './apply-port-report.ts';
import { mailPort } from './mail-port.ts';
import { mailLetter } from './sign-letter.ts';
import { ordersToCheck } from './store.ts';
import { submitToCarrier } from './submit-port.ts';

// The system role: finds what is due in every company, then works in each one’s own transaction.

const HOUR = 3_600_000;
/** How long after a cancellation its order is still polled at the carrier, in days. */
const watchCanceledDays = 14;
export const jobs = [
  runJob(submitJob, submitToCarrier),
  runJob(mailStatusJob, mailPort),
  runJob(mailLetterJob, mailLetter),
  runJob(cancelAtCarrierJob, cancelAtCarrier),
  runJob(pollJob, checkPortStatus),
  // Covers lost webhooks: orders without a recent report are polled.
  defineRecurring(
    'porting.pollAll',
    {
      cron: '20 * * * *',
      does: 'asks carriers about port orders that no webhook reported',
      queue: 'documents',
      timeoutSeconds: 600,
    },
    async (ctx) => {
      for (const { company_id, id } of await ctx.db.systemTransaction((tx) =>
        ordersToCheck(
          tx,
          new Date(ctx.now.getTime() - HOUR),
          new Date(ctx.now.getTime() - watchCanceledDays * 24 * HOUR),
        ),
      ))
        await ctx.transaction((t) =>
          t.enqueue(
            pollJob,
            { companyId: company_id, portId: id },
            { key: `porting.poll:${company_id}:${id}` },
          ),
        );
    },
  ),
];
