import { z } from 'zod';
import { job } from '../../platform/jobs.ts';
import { buyInBulk } from './buy-in-bulk.ts';
import { tidyPurchase } from './buy-numbers.ts';
import { giveBackNumber } from './remove-number.ts';
import { dropExpiredHolds } from './store-holds.ts';

export const jobs = [
  job('numbers.buyInBulk', z.object({ companyId: z.number(), batchId: z.uuid() }), buyInBulk),
  job('numbers.tidyPurchase', z.object({ companyId: z.number(), key: z.string() }), tidyPurchase),
  job('numbers.giveBack', z.object({ companyId: z.number(), numberId: z.number() }), giveBackNumber),
  job('numbers.dropExpiredHolds', z.unknown(), async (ctx) => { await ctx.db.system((tx) => dropExpiredHolds(tx, ctx.now)); }, '*/15 * * * *'),
];
