export { routes } from './routes.ts';
export { jobs } from './jobs.ts';
export { subscribers } from './subscribers.ts';
export { owns } from './store.ts';
