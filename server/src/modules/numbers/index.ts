export { answers } from './routes.ts';
export { jobs } from './jobs.ts';
export { changeNumber, setRoutingInShort } from './change-number.ts';
export { grantNumberLimit } from './limit.ts';
export { installNumber } from './install-number.ts';
export { presentNumber, readNumber, type NumberInShort } from './read-number.ts';
export { numberCalled, numberTexted, unreadChanged } from './traffic.ts';
export { directoryEntry } from './store-holds.ts';
export { owns } from './store.ts';
