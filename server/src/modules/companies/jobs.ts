import { defineRecurring } from '../../platform/jobs.ts';
import { rotateSupportPins } from './rotate-support-pins.ts';

export const jobs = [
  defineRecurring(
    'companies.rotateSupportPins',
    {
      cron: '10 5 * * 1',
      does: 'gives every company another support PIN',
      queue: 'default',
      timeoutSeconds: 600,
    },
    rotateSupportPins,
  ),
];
