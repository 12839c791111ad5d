export { jobs } from './jobs.ts';
export { routes } from './routes.ts';
export { owns } from './store-archive.ts';
