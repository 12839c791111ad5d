export { routes } from './routes.ts';
export { jobs } from './jobs.ts';
export { owns } from './store.ts';
export { carrierFaxRoutes } from './fax-webhooks.ts';
