import { owns as poolOwns } from './pools/store.ts';
import { owns as sourceOwns } from './sources/store.ts';
import { owns as visitOwns } from './visits/store.ts';

export const owns = [...sourceOwns, ...poolOwns, ...visitOwns] as const;
export { routes } from './routes.ts';
export { jobs } from './jobs.ts';
export { subscribers } from './subscribers.ts';
export { visitPreflight } from './visits/preflight.ts';
export { companyKey, sessionToken } from './visits/tokens.ts';
