export { routes } from './routes.ts';
export { jobs } from './audit/jobs.ts';

/** Settings own no table yet; the audit log is the platform's. */
export const owns = [] as const;
