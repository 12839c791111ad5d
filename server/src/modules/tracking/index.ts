export { visitPreflight } from './visits/preflight.ts';
export { companyKey, sessionToken } from './visits/tokens.ts';
