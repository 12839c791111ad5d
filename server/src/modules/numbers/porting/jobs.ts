import { z } from 'zod';
import { defineJob } from '../../../platform/jobs.ts';
import { cancelAtCarrier } from './cancel-port.ts';
import { checkPortStatus } from './apply-port-report.ts';
import { mailPort } from './mail-port.ts';
import { mailLetter } from './sign-letter.ts';
import { ordersToCheck } from './store.ts';
import { submitToCarrier } from './submit-port.ts';

const HOUR = 3_600_000;
/** So long after canceling an order is still looked for at the carrier, days. */
const watchCanceledDays = 14;
export const jobs = [
  defineJob(
    'numbers.sendPort',
    z.object({ companyId: z.number(), portId: z.number(), attempt: z.number() }),
    submitToCarrier,
  ),
  defineJob(
    'numbers.mailPort',
    z.object({ companyId: z.number(), portId: z.number(), eventId: z.number() }),
    mailPort,
  ),
  defineJob(
    'numbers.mailLetter',
    z.object({ companyId: z.number(), portId: z.number(), hash: z.string(), at: z.number() }),
    mailLetter,
  ),
  defineJob(
    'numbers.cancelAtCarrier',
    z.object({ companyId: z.number(), portId: z.number() }),
    cancelAtCarrier,
  ),
  defineJob(
    'numbers.pollPort',
    z.object({ companyId: z.number(), portId: z.number() }),
    checkPortStatus,
  ),
  // A report that never came is asked for.
  defineJob(
    'numbers.pollPorts',
    z.unknown(),
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
            'numbers.pollPort',
            { companyId: company_id, portId: id },
            { key: `numbers.pollPort:${company_id}:${id}` },
          ),
        );
    },
    '20 * * * *',
  ),
];
