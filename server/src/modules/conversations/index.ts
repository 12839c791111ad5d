export { answers } from './routes.ts';
export { jobs } from './jobs.ts';
export { reactions } from './reactions.ts';
export { carrierTextRoutes } from './inbound.ts';
export { addItem, type Happened } from './add-item.ts';
export { queueText } from './queue-text.ts';
export { receiveText } from './receive-text.ts';
export { receiveReceipt } from './receive-receipt.ts';
export { owns } from './store.ts';
