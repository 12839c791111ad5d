export { routes } from './routes.ts';
export { jobs } from './audit/jobs.ts';
