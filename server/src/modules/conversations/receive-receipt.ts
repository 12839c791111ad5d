import type { House, Said } from '../../platform/context.ts';
import { systemCtx } from '../../platform/context.ts';
import type { DeliveryReport } from '../../ports/messaging.ts';
import { inTurn, queueOf, storeOrEach, type Queues } from './in-turn.ts';
import { readKey, settleText, settleTexts } from './settle-text.ts';
import { companyOfProviderId, itemById } from './store-items.ts';

interface Reported {
  itemId: number;
  report: DeliveryReport;
}
const storing: Queues<Reported, void> = new WeakMap();

/**
 * What the carrier reports of a text of ours, written together with what it reported while the last ones were being committed. Late,
 * twice or out of order changes nothing; of a text we do not know, neither. Resolves after the commit.
 */
export async function receiveReceipt(
  house: House,
  said: Said,
  carrier: string,
  report: DeliveryReport,
): Promise<void> {
  const named = readKey(report.key) ?? (await byProviderId(house, carrier, report.providerId));
  if (!named) return;
  const { companyId, itemId } = named;
  const ctx = systemCtx(house, companyId, said, 'carrier-receipt');
  // An opt-out that the carrier knows of changes the ledger, whose line is held before any conversation.
  if (report.code === 'opted_out')
    return ctx.transaction(async (t) => {
      const item = await itemById(t.tx, t.companyId, itemId);
      if (item && item.kind === 'message' && !item.is_inbound && item.carrier === carrier)
        await settleText(t, item, {
          state: report.state,
          code: report.code,
          reason: report.reason,
          providerId: report.providerId,
          byCarrier: true,
        });
    });
  return inTurn(queueOf(storing, house, `${carrier}:${companyId}`), { itemId, report }, (batch) =>
    storeOrEach(batch, (some) =>
      systemCtx(house, companyId, said, 'carrier-receipt').transaction(async (t) => {
        await settleTexts(t, carrier, some);
        return some.map(() => undefined);
      }),
    ),
  );
}
async function byProviderId(house: House, carrier: string, providerId: string) {
  const row = await companyOfProviderId(house.db.directory, carrier, providerId);
  return row ? { companyId: row.company_id, itemId: row.id } : null;
}
