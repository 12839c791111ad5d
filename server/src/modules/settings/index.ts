import { owns as supportTables } from './support/store.ts';
import { owns as tenantTables } from './tenant/store.ts';

export { routes } from './routes.ts';
export { jobs } from './tenant/jobs.ts';
export const owns = [...tenantTables, ...supportTables] as const;
