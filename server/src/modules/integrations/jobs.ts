import { defineRecurring, runJob } from '../../platform/jobs.ts';
import { runSync } from './accounts/sync-account.ts';
import { readCrm, readPeople, startDueReadings } from './crm/read-crm.ts';
import { readCrmJob, readPeopleJob, syncJob } from './job-kinds.ts';

export const jobs = [
  runJob(syncJob, runSync),
  runJob(readCrmJob, (ctx, payload) => readCrm(ctx.inBackground(), payload)),
  runJob(readPeopleJob, (ctx, payload) => readPeople(ctx.inBackground(), payload)),
  defineRecurring(
    'integrations.startReadings',
    {
      cron: '* * * * *',
      does: 'reads names and owners back from connected CRMs',
      queue: 'default',
      timeoutSeconds: 60,
    },
    startDueReadings,
  ),
];
