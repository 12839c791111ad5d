import type { Services, OutboxNotifier } from '../../platform/context.ts';
import { systemCtx } from '../../platform/context.ts';
import type { DeliveryReport } from '../../gateways/messaging.ts';
import { enqueueBatched, queueOf, storeWithFallback, type Queues } from './batch-queue.ts';
import {
  parseIdempotencyKey,
  updateDeliveryStatus,
  updateDeliveryStatuses,
} from './update-delivery-status.ts';
import { outboundItemByProviderId, itemById } from './store-items.ts';

interface QueuedReceipt {
  itemId: number;
  report: DeliveryReport;
}
const receiptQueues: Queues<QueuedReceipt, void> = new WeakMap();

/**
 * What the carrier reports of a text of ours, written together with what it reported while the last ones were being committed. Late,
 * twice or out of order changes nothing; of a text we do not know, neither. Resolves after the commit.
 */
export async function receiveReceipt(
  services: Services,
  notifier: OutboxNotifier,
  carrier: string,
  report: DeliveryReport,
): Promise<void> {
  const ref =
    parseIdempotencyKey(report.key) ??
    (await itemByProviderId(services, carrier, report.providerId));
  if (!ref) return;
  const { companyId, itemId } = ref;
  const ctx = systemCtx(services, companyId, notifier, 'carrier-receipt');
  // An opt-out that the carrier knows of changes the ledger, whose line is held before any conversation.
  if (report.code === 'opted_out')
    return ctx.transaction(async (t) => {
      const item = await itemById(t.tx, t.companyId, itemId);
      if (item && item.kind === 'message' && !item.is_inbound && item.carrier === carrier)
        await updateDeliveryStatus(t, item, {
          state: report.state,
          code: report.code,
          reason: report.reason,
          providerId: report.providerId,
          byCarrier: true,
        });
    });
  return enqueueBatched(
    queueOf(receiptQueues, services, `${carrier}:${companyId}`),
    { itemId, report },
    (batch) =>
      storeWithFallback(batch, (some) =>
        systemCtx(services, companyId, notifier, 'carrier-receipt').transaction(async (t) => {
          await updateDeliveryStatuses(t, carrier, some);
          return some.map(() => undefined);
        }),
      ),
  );
}
async function itemByProviderId(services: Services, carrier: string, providerId: string) {
  const row = await outboundItemByProviderId(services.db.unscoped, carrier, providerId);
  return row ? { companyId: row.company_id, itemId: row.id } : null;
}
