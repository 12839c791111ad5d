import { defineRecurring } from '../../platform/jobs.ts';
import { rotateSupportPins } from './rotate-support-pins.ts';
import { checkDueDomains } from './sso/domains.ts';

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
  defineRecurring(
    'companies.checkSsoDomains',
    {
      cron: '40 * * * *',
      does: 'looks for the DNS records that prove domains for single sign-on',
      queue: 'default',
      timeoutSeconds: 600,
    },
    checkDueDomains,
  ),
];
