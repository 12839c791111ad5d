import type { Ctx, House, Said } from '../../platform/context.ts';
import { systemCtx } from '../../platform/context.ts';
import type { DeliveryReport } from '../../ports/messaging.ts';
import { readKey, settleText } from './settle-text.ts';
import { companyOfProviderId, itemById } from './store-items.ts';

/** What the carrier reports of a text of ours. Late, twice or out of order changes nothing; of a text we do not know, neither. */
export async function receiveReceipt(house: House, said: Said, carrier: string, report: DeliveryReport): Promise<void> {
  const named = readKey(report.key) ?? (await byProviderId(house, carrier, report.providerId));
  if (!named) return;
  const ctx: Ctx = systemCtx(house, named.companyId, said, 'carrier-receipt');
  await ctx.transaction(async (t) => {
    const item = await itemById(t.tx, t.companyId, named.itemId);
    if (item && item.kind === 'message' && !item.is_inbound && item.carrier === carrier) await settleText(t, item, { state: report.state, code: report.code, reason: report.reason, providerId: report.providerId, byCarrier: true });
  });
}
async function byProviderId(house: House, carrier: string, providerId: string) {
  const row = await companyOfProviderId(house.db.directory, carrier, providerId);
  return row ? { companyId: row.company_id, itemId: row.id } : null;
}
