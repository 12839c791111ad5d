import { defineRecurring, runJob } from '../../platform/jobs.ts';
import { makeDays } from './hits/make-days.ts';
import { checkSitesJob, growPoolsJob, routeNumbersJob } from './job-kinds.ts';
import { growPools, startGrowth } from './growth/grow-pools.ts';
import { routePoolNumbers } from './pools/route-numbers.ts';
import { checkSites, startSiteChecks } from './script/check-sites.ts';

export const jobs = [
  runJob(routeNumbersJob, routePoolNumbers),
  runJob(growPoolsJob, (ctx) => growPools(ctx)),
  defineRecurring(
    'tracking.startGrowth',
    {
      cron: '*/5 * * * *',
      does: 'buys numbers for tracking pools that are busy, where their companies want that',
      queue: 'default',
      timeoutSeconds: 60,
    },
    startGrowth,
  ),
  runJob(checkSitesJob, (ctx) => checkSites(ctx)),
  defineRecurring(
    'tracking.startSiteChecks',
    {
      cron: '41 * * * *',
      does: 'looks at websites whose script reported lately, to see that it is still there',
      queue: 'default',
      timeoutSeconds: 60,
    },
    startSiteChecks,
  ),
  defineRecurring(
    'tracking.makeDays',
    {
      cron: '3 * * * *',
      does: 'makes the partitions for page views of the next two days',
      queue: 'default',
      timeoutSeconds: 60,
    },
    makeDays,
  ),
];
