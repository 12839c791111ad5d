import { z } from 'zod';
import { job } from '../../../platform/jobs.ts';
import { cancelAtCarrier } from './cancel-port.ts';
import { askAboutPort } from './hear-report.ts';
import { mailPort } from './mail-port.ts';
import { mailLetter } from './sign-letter.ts';
import { openOrders } from './store.ts';
import { sendPort } from './submit-port.ts';

const HOUR = 3_600_000;
/** So long after canceling an order is still looked for at the carrier, days. */
const watchedDays = 14;
export const jobs = [
  job(
    'numbers.sendPort',
    z.object({ companyId: z.number(), portId: z.number(), attempt: z.number() }),
    sendPort,
  ),
  job(
    'numbers.mailPort',
    z.object({ companyId: z.number(), portId: z.number(), eventId: z.number() }),
    mailPort,
  ),
  job(
    'numbers.mailLetter',
    z.object({ companyId: z.number(), portId: z.number(), hash: z.string(), at: z.number() }),
    mailLetter,
  ),
  job(
    'numbers.cancelAtCarrier',
    z.object({ companyId: z.number(), portId: z.number() }),
    cancelAtCarrier,
  ),
  job(
    'numbers.askAboutPort',
    z.object({ companyId: z.number(), portId: z.number() }),
    askAboutPort,
  ),
  // A report that never came is asked for.
  job(
    'numbers.askAboutPorts',
    z.unknown(),
    async (ctx) => {
      for (const { company_id, id } of await ctx.db.system((tx) =>
        openOrders(
          tx,
          new Date(ctx.now.getTime() - HOUR),
          new Date(ctx.now.getTime() - watchedDays * 24 * HOUR),
        ),
      ))
        await ctx.transaction((t) =>
          t.enqueue(
            'numbers.askAboutPort',
            { companyId: company_id, portId: id },
            { key: `numbers.askAboutPort:${company_id}:${id}` },
          ),
        );
    },
    '20 * * * *',
  ),
];
