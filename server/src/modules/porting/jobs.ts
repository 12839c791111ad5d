import { z } from 'zod';
import { defineJob, defineRecurring } from '../../platform/jobs.ts';
import { cancelAtCarrier } from './cancel-port.ts';
import { checkPortStatus } from './apply-port-report.ts';
import { mailPort } from './mail-port.ts';
import { mailLetter } from './sign-letter.ts';
import { ordersToCheck } from './store.ts';
import { submitToCarrier } from './submit-port.ts';

// The system role: clocks: find what is due in every company, then work in each one’s own
// transaction.

const HOUR = 3_600_000;
/** How long after a cancellation its order is still polled at the carrier, in days. */
const watchCanceledDays = 14;
export const jobs = [
  defineJob(
    'porting.submit',
    z.object({ companyId: z.number(), portId: z.number(), attempt: z.number() }),
    { queue: 'documents', timeoutSeconds: 300, overlap: 'allowed', retries: 24 },
    submitToCarrier,
  ),
  defineJob(
    'porting.mailStatus',
    z.object({ companyId: z.number(), portId: z.number(), eventId: z.number() }),
    { queue: 'default', timeoutSeconds: 60, overlap: 'allowed', retries: 24 },
    mailPort,
  ),
  defineJob(
    'porting.mailLetter',
    z.object({ companyId: z.number(), portId: z.number(), hash: z.string(), at: z.number() }),
    { queue: 'documents', timeoutSeconds: 120, overlap: 'allowed', retries: 24 },
    mailLetter,
  ),
  defineJob(
    'porting.cancelAtCarrier',
    z.object({ companyId: z.number(), portId: z.number() }),
    { queue: 'documents', timeoutSeconds: 120, overlap: 'allowed', retries: 24 },
    cancelAtCarrier,
  ),
  defineJob(
    'porting.poll',
    z.object({ companyId: z.number(), portId: z.number() }),
    { queue: 'documents', timeoutSeconds: 120, overlap: 'allowed', retries: 24 },
    checkPortStatus,
  ),
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
            'porting.poll',
            { companyId: company_id, portId: id },
            { key: `porting.poll:${company_id}:${id}` },
          ),
        );
    },
  ),
];
