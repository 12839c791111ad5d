import { deliveryStates, type DeliveryState } from '#contract/conversations/rules';
import type { TxCtx } from '../../platform/context.ts';
import { optOut } from '../compliance/index.ts';
import { errorText, canTransition, stateOf } from './rules.ts';
import type { DeliveryReport } from '../../gateways/messaging.ts';
import {
  publishConversationsUpdated,
  publishConversationUpdated,
} from './publish-conversation-updated.ts';
import { conversationById, refreshLatest, type ItemRow } from './store.ts';
import { updateItem, itemById } from './store-items.ts';
import { refreshLatestItems, applyDeliveryChanges, lockTextsForUpdate } from './store-receipts.ts';

/** The carrier's key for a text of ours: one text a key. It names the company, so that a receipt finds its way home. */
export const idempotencyKeyOf = (item: Pick<ItemRow, 'company_id' | 'id'>) =>
  `m.${item.company_id}.${item.id}`;
export function parseIdempotencyKey(
  key: string | null,
): { companyId: number; itemId: number } | null {
  const match = /^m\.(\d{1,16})\.(\d{1,16})$/.exec(key ?? '');
  return match ? { companyId: Number(match[1]), itemId: Number(match[2]) } : null;
}

export interface DeliveryUpdate {
  state: DeliveryState;
  code: string | null;
  reason: string | null;
  providerId?: string;
  /** The carrier said it, so an opt-out it knows of enters our ledger. */
  byCarrier?: boolean;
}
/** Write what became of a text, forward only, and say it. A report that comes late or twice changes nothing. */
export async function updateDeliveryStatus(
  t: TxCtx,
  item: Pick<ItemRow, 'id' | 'conversation_id'>,
  update: DeliveryUpdate,
): Promise<void> {
  // The ledger's line, the conversation, then the item: everyone locks in this order.
  const party =
    update.byCarrier && update.code === 'opted_out'
      ? (await conversationById(t.tx, t.companyId, item.conversation_id, null))?.party
      : undefined;
  if (party)
    await optOut(t, {
      number: party,
      source: 'carrier_error',
      numberId: (await itemById(t.tx, t.companyId, item.id))?.number_id ?? null,
      proof: update.reason,
    });
  const conversation = await conversationById(t.tx, t.companyId, item.conversation_id, null, true);
  const row = await itemById(t.tx, t.companyId, item.id, true);
  if (!row) return;
  const provider =
    update.providerId && row.provider_event_id === null
      ? { provider_event_id: update.providerId }
      : {};
  // Told of what was sent already: that nobody ever confirmed it.
  const isUnconfirmed =
    row.delivery_state === 'sent' && update.state === 'sent' && update.code !== null;
  if (!isUnconfirmed && !canTransition(stateOf(row.delivery_state), update.state)) {
    if (provider.provider_event_id) await updateItem(t.tx, t.companyId, row.id, provider);
    return;
  }
  const changed = await updateItem(t.tx, t.companyId, row.id, {
    ...provider,
    delivery_state: update.state,
    details: JSON.stringify({
      ...(row.details as object),
      errorCode: update.code,
      errorText: errorText(update.code, update.reason),
    }),
  });
  if (conversation)
    await publishConversationUpdated(
      t,
      'item_updated',
      await refreshLatest(t.tx, changed),
      changed,
    );
}

/**
 * The same for what a carrier reported of many texts, but for opt-outs: the number of statements does not grow with them. Of several
 * reports of one text the furthest counts. Says each text that changed once.
 */
export async function updateDeliveryStatuses(
  t: TxCtx,
  carrier: string,
  reported: readonly { itemId: number; report: DeliveryReport }[],
): Promise<void> {
  const furthest = new Map<number, DeliveryReport>();
  for (const { itemId, report } of reported) {
    const previous = furthest.get(itemId);
    if (!previous || canTransition(previous.state, report.state)) furthest.set(itemId, report);
  }
  // Everyone holds the conversations before the items.
  const items = await lockTextsForUpdate(t.tx, t.companyId, carrier, [...furthest.keys()]);
  if (!items.length) return;
  const rows = await applyDeliveryChanges(
    t.tx,
    t.companyId,
    items.map((item) => {
      const { state, code, reason, providerId } = furthest.get(item.id)!;
      return {
        itemId: item.id,
        state,
        allowedFrom: deliveryStates.filter((s) => canTransition(s, state)),
        code,
        text: errorText(code, reason),
        providerId,
      };
    }),
  );
  const moved = rows.filter((row) => row.moved);
  if (moved.length)
    await publishConversationsUpdated(
      t,
      'item_updated',
      await refreshLatestItems(t.tx, t.companyId, moved),
      moved,
    );
}
