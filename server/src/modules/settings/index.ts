export { routes } from './routes.ts';
export { jobs } from './tenant/jobs.ts';
export { owns } from './tenant/store.ts';
