export { startDispatcher } from './dispatcher.ts';
export { recipientReceipts } from './recipient-receipts.ts';
