export { routes } from './routes.ts';
export { owns } from './sources/store.ts';
