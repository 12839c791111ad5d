import type { Module } from '../../platform/module.ts';
import { registerPools } from '../numbers/index.ts';
import { jobs } from './jobs.ts';
import { readPool } from './pools/store.ts';
import { retention } from './retention.ts';
import { countTimelineOfNumber, timelineOfNumber } from './timeline/timeline-of-number.ts';
import { routes } from './routes.ts';
import { subscribers } from './subscribers.ts';

registerPools({
  nameOf: async (ctx, poolId) =>
    (await readPool(ctx.tx, ctx.companyId, poolId, null))?.name ?? null,
  eventPage: timelineOfNumber,
  countEvents: countTimelineOfNumber,
});

/** What the installation runs of this module. */
export const module: Module = {
  routes,
  jobs,
  subscribers,
  retention,
};
