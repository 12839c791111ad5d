export { routes } from './routes.ts';
export { jobs } from './jobs.ts';
export { subscribers } from './subscribers.ts';
export { owns } from './store.ts';
export { startDispatcher } from './dispatcher.ts';
export { recipientReceipts } from './recipient-receipts.ts';
