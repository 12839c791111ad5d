import { defineRecurring, runJob } from '../../platform/jobs.ts';
import { eraseAccount, findErasable } from './account/delete-account.ts';
import { checkInactivity, findInactive } from './account/inactivity.ts';
import { checkInactivityJob, eraseAccountJob, sendCodeJob } from './job-kinds.ts';
import { deliverCode } from './sign-in/send-code.ts';

const hourly = { cron: '17 * * * *', queue: 'default', timeoutSeconds: 60 } as const;
export const jobs = [
  runJob(sendCodeJob, deliverCode),
  runJob(checkInactivityJob, checkInactivity),
  runJob(eraseAccountJob, eraseAccount),
  defineRecurring(
    'caddy.findInactive',
    { ...hourly, does: 'warns individuals who don’t use their numbers, and removes those' },
    findInactive,
  ),
  defineRecurring(
    'caddy.findErasable',
    { ...hourly, does: 'erases accounts of individuals that were deleted 30 days ago' },
    findErasable,
  ),
];
