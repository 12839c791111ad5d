export { answers } from './routes.ts';
export { jobs } from './jobs.ts';
export { reactions } from './reactions.ts';
export { owns } from './store.ts';
export { startDispatch } from './dispatch.ts';
export { receiveReceipts } from './receive-receipts.ts';
