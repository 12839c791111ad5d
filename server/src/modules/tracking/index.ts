import { owns as poolOwns } from './pools/store.ts';
import { owns as sourceOwns } from './sources/store.ts';

export const owns = [...sourceOwns, ...poolOwns] as const;
export { routes } from './routes.ts';
export { jobs } from './jobs.ts';
export { subscribers } from './subscribers.ts';
