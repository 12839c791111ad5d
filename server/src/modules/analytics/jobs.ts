import { z } from 'zod';
import { defineJob } from '../../platform/jobs.ts';
import { foldFigures } from './store-figures.ts';

/** Changes that one transaction adds up. */
const step = 10_000;

export const jobs = [
  defineJob(
    'analytics.foldFigures',
    z.unknown(),
    { queue: 'default', timeoutSeconds: 300, overlap: 'never', retries: 0 },
    async (ctx) => {
      for (let n = step; n === step;)
        n = await ctx.db.systemTransaction((tx) => foldFigures(tx, step));
    },
  ),
];
