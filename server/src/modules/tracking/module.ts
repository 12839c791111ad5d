import type { Module } from '../../platform/module.ts';
import { registerPoolNames } from '../numbers/index.ts';
import { jobs } from './jobs.ts';
import { readPool } from './pools/store.ts';
import { retention } from './retention.ts';
import { routes } from './routes.ts';
import { subscribers } from './subscribers.ts';

registerPoolNames(
  async (ctx, poolId) => (await readPool(ctx.tx, ctx.companyId, poolId, null))?.name ?? null,
);

/** What the installation runs of this module. */
export const module: Module = {
  routes,
  jobs,
  subscribers,
  retention,
};
