import { runJob } from '../../platform/jobs.ts';
import { routeNumbersJob } from './job-kinds.ts';
import { routePoolNumbers } from './pools/route-numbers.ts';

export const jobs = [runJob(routeNumbersJob, routePoolNumbers)];
