import { jobs as auditJobs } from './audit/jobs.ts';
import { owns as supportTables } from './support/store.ts';
import { jobs as tenantJobs } from './tenant/jobs.ts';
import { owns as tenantTables } from './tenant/store.ts';

export { liftNetworks } from './general/lift-networks.ts';
export { routes } from './routes.ts';
export const jobs = [...auditJobs, ...tenantJobs];
export const owns = [...tenantTables, ...supportTables] as const;
