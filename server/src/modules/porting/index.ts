export { routes } from './routes.ts';
export { jobs } from './jobs.ts';
export { owns } from './store.ts';
export { receivePorts } from './inbound.ts';
