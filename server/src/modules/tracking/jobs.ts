import { defineRecurring, runJob } from '../../platform/jobs.ts';
import { makeDays } from './hits/make-days.ts';
import { routeNumbersJob } from './job-kinds.ts';
import { routePoolNumbers } from './pools/route-numbers.ts';

export const jobs = [
  runJob(routeNumbersJob, routePoolNumbers),
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
