import type { Module } from '../../platform/module.ts';
import { jobs as streamJobs } from './audit-streams/jobs.ts';
import { jobs as auditJobs } from './audit/jobs.ts';
import { retention } from './retention.ts';
import { routes } from './routes.ts';
import { jobs as tenantJobs } from './tenant/jobs.ts';

/** What the installation runs of this module. */
export const module: Module = {
  routes,
  jobs: [...auditJobs, ...streamJobs, ...tenantJobs],
  retention,
};
