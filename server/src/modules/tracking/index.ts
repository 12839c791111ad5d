export { startHits } from './hits/hit-lane.ts';
export { rememberSetups } from './visits/known-setups.ts';
export { visitPreflight } from './visits/preflight.ts';
export { companyKey, sessionToken } from './visits/tokens.ts';
export { findMatches } from './matching/find-matches.ts';
export { matchedSource, sourceWhisper, storeMatches } from './matching/store-matches.ts';
export { attributionOf } from './matching/attribution-of.ts';
