import type { ReceiptTable } from '../messaging/index.ts';
import { parseIdempotencyKey, updateDeliveryStatuses } from './update-delivery-status.ts';
import { outboundItemByProviderId } from './store-items.ts';
import { recipientsOfTexts } from './store-receipts.ts';

// The system role: asks the global directory whose a number or a carrier’s object is.

/** Receipts of texts in conversations, for `receiveReceipts`. */
export const itemReceipts: ReceiptTable = {
  parseKey: parseIdempotencyKey,
  findByProviderId: async (services, carrier, providerId) => {
    const row = await outboundItemByProviderId(services.db.unscoped, carrier, providerId);
    return row ? { companyId: row.company_id, id: row.id } : null;
  },
  optOutsOf: async (t, carrier, reports) =>
    (await recipientsOfTexts(t.tx, t.companyId, carrier, [...reports.keys()])).map((text) => ({
      number: text.party,
      numberId: text.number_id,
      reason: reports.get(text.id)?.reason ?? null,
    })),
  apply: updateDeliveryStatuses,
  lowPriority: false,
  batch: { maxBatch: 200 },
};
