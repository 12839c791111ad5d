export { contactDestinations, type ContactDestination } from './forwarding/contact-destinations.ts';
export { registerRoutingProvider, type RouteSource } from './routing-provider.ts';
export { registerPools } from './timeline/from-pools.ts';
export type { TimelinePage } from './timeline/store.ts';
export { recordNumberEvent } from './timeline/record-event.ts';
export { fireTrigger, matchTriggers } from './triggers/match-keyword.ts';
export { beginBulkPurchase, buyNumbers } from './buy-numbers.ts';
export { findAndReserve } from './locate-numbers.ts';
export { numberLabels } from './store-lists.ts';
export { heldNumbers, type NumberView as HeldNumber } from './store.ts';
export { joinPool, leavePool } from './pool-membership.ts';
export { requireNumberRoom } from './plan/number-room.ts';
export { releaseOrRestore, returnToCarrier } from './remove-number.ts';
export { applyTemplate, requireTemplate, templateRoutes } from './templates/apply-template.ts';
export { changeNumber, setRoutingSummary } from './change-number.ts';
export { grantNumberLimit } from './limit.ts';
export { checkCarrierAccounts } from './accounts/carrier-accounts.ts';
export { failoverNumber } from './failover/set-failover.ts';
export { provisionNumber } from './provision-number.ts';
export { presentNumber, readNumber, type NumberSummary } from './read-number.ts';
export {
  recordCallActivity,
  recordTextActivities,
  recordTextActivity,
  changeUnread,
} from './usage.ts';
export { actorFor } from './actor-name.ts';
export {
  leasedNumber,
  lockNumber,
  numberRecord,
  numberRecords,
  type NumberRecord,
} from './store.ts';
export {
  acceptNumber,
  changeLease,
  giveUpNumber,
  takeBackNumber,
  type LeaseTerms,
} from './transfer.ts';
export { directoryEntries, directoryEntry, type Reservation } from './store-reservations.ts';
