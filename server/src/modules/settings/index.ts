export { routes } from './routes.ts';
export { owns } from './support/store.ts';
