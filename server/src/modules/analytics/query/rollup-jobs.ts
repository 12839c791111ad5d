import type { Tx } from '../../../platform/db.ts';
import { defineRecurring } from '../../../platform/jobs.ts';
import {
  checkRollup,
  clearRollups,
  fillItemRollup,
  fillRollup,
  foldRollups,
  type Added,
} from './store-rollups-upkeep.ts';

// The system role: adds up what changed in every company.

/** Changes that one transaction adds up. */
const step = 10_000;
/** How long a run of the jobs that count anew works on; the next one goes on. */
const WORK_MS = 8 * 60_000;
const HOUR_MS = 3_600_000;

/** The jobs that keep sums right; `fill` counts one more month that isn't counted yet. */
const jobsOf = (
  of: Added,
  {
    name,
    things,
    whose,
    fill,
  }: { name: string; things: string; whose: string; fill: (tx: Tx) => Promise<boolean> },
) => [
  defineRecurring(
    `analytics.fold${name}Rollups`,
    {
      cron: '* * * * *',
      does: `adds up the changes of ${things} by day and month`,
      queue: 'default',
      timeoutSeconds: 300,
    },
    async (ctx) => {
      for (let n = step; n === step;)
        n = await ctx.db.systemTransaction((tx) => foldRollups(tx, step, of));
    },
  ),
  defineRecurring(
    `analytics.fill${name}Rollups`,
    {
      cron: '* * * * *',
      does: `counts the ${things} of companies that ${whose}`,
      queue: 'default',
      timeoutSeconds: 900,
    },
    async (ctx) => {
      const until = Date.now() + WORK_MS;
      const { background } = ctx.db;
      while (Date.now() < until && (await background.systemTransaction(fill)));
      for (let n = step; n === step && Date.now() < until;)
        n = await background.systemTransaction((tx) => clearRollups(tx, step, of));
    },
  ),
  defineRecurring(
    `analytics.check${name}Rollups`,
    {
      cron: '*/10 2-5 * * *',
      does: `recounts all ${things} once a night and corrects sums that differ`,
      queue: 'default',
      timeoutSeconds: 900,
    },
    async (ctx) => {
      const until = Date.now() + WORK_MS;
      const since = new Date(ctx.now.getTime() - 12 * HOUR_MS);
      let differing = 0;
      for (let n: number | null = 0; n !== null && Date.now() < until; differing += n ?? 0)
        n = await ctx.db.background.systemTransaction((tx) => checkRollup(tx, since, ctx.now, of));
      if (differing)
        ctx.log.error({ differing }, `sums of ${things} were wrong and were put right`);
    },
  ),
];

export const rollupJobs = [
  ...jobsOf('call', {
    name: 'Call',
    things: 'calls',
    whose: 'were there before, or have another time zone',
    fill: fillRollup,
  }),
  ...jobsOf('item', {
    name: 'Item',
    things: 'texts, voicemails and faxes',
    whose: 'have another time zone',
    fill: (tx) => fillItemRollup(tx, true),
  }),
];
