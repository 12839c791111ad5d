export { answers } from './routes.ts';
export { reactions } from './reactions.ts';
export { hearKeyword, optIn, optOut } from './opt-out.ts';
export { blockedAmong, isBlocked } from './is-blocked.ts';
export { blockParty, unblockParty } from './block-party.ts';
export { keywordOf, whyNotText } from './rules.ts';
export { holdLedger, optedOutAmong, owns } from './store.ts';
