export { createBatchQueue, storeWithFallback } from './batch-queue.ts';
export {
  checkUnknown,
  findText,
  maxStatusChecks,
  recoverOrphan,
  type FoundText,
  type UncertainTexts,
} from './carrier-lookup.ts';
export { recordCarrierOptOuts } from './carrier-opt-outs.ts';
export { deliveryErrorText } from './delivery-errors.ts';
export { carrierNameOf, mediaLinks } from './outgoing.ts';
export { acquireSendSlot } from './rates/acquire-send-slot.ts';
export { reserveCapacity, type Capacity } from './rates/reserve-capacity.ts';
export { pacingIntervalMs } from './rates/sliding-window.ts';
export { receiveReceipts, type ReceiptTable, type ReportsById } from './receive-receipts.ts';
export { createRequestSlots, type RequestSlots } from './request-slots.ts';
export { countSegments, segmentsOf, type SegmentInfo } from './segments.ts';
export { isRetryable, submitText } from './submit-text.ts';
