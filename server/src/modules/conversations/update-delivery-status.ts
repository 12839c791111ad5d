import { deliveryStates, type DeliveryState } from '#contract/conversations/rules';
import type { TxCtx } from '../../platform/context.ts';
import { deliveryErrorText } from '../messaging/index.ts';
import { canTransition } from './rules.ts';
import { publishConversationsUpdated } from './publish-conversation-updated.ts';
import type { ItemRow } from './store.ts';
import { refreshLatestItems, applyDeliveryChanges, lockTextsForUpdate } from './store-receipts.ts';

/**
 * The idempotency key of a text of ours: the carrier sends one text per key. It names the company,
 * so that a receipt finds its text.
 */
export const idempotencyKeyOf = (item: Pick<ItemRow, 'company_id' | 'id'>): string =>
  `m.${item.company_id}.${item.id}`;

/** The text that such a key names; null: it isn't one. */
export function parseIdempotencyKey(key: string | null): { companyId: number; id: number } | null {
  const match = /^m\.(\d{1,16})\.(\d{1,16})$/.exec(key ?? '');
  return match ? { companyId: Number(match[1]), id: Number(match[2]) } : null;
}

interface DeliveryUpdate {
  state: DeliveryState;
  /**
   * One of our error codes; null: no error. `sent` with a code: its delivery was never confirmed.
   */
  code: string | null;
  /** The sentence that came with the code. */
  reason: string | null;
  /** The carrier's ID of the text, where it is known. */
  providerId?: string;
}

/** Stores the delivery status of a text: see `updateDeliveryStatuses`. */
export const updateDeliveryStatus = (
  t: TxCtx,
  item: Pick<ItemRow, 'id'>,
  update: DeliveryUpdate,
): Promise<void> => updateDeliveryStatuses(t, null, new Map([[item.id, update]]));

/**
 * Stores delivery statuses of texts, by item ID, and publishes each that changed once. Forward only:
 * one that is late or repeated changes nothing but a missing carrier's ID. `carrier`: texts of
 * others are left as they are; null: any. The number of statements doesn't grow with the texts.
 */
export async function updateDeliveryStatuses(
  t: TxCtx,
  carrier: string | null,
  updates: ReadonlyMap<number, DeliveryUpdate>,
): Promise<void> {
  // Everyone locks conversations before their items.
  const items = await lockTextsForUpdate(t.tx, t.companyId, carrier, [...updates.keys()]);
  if (!items.length) return;
  const changes = items.flatMap((item) => {
    const update = updates.get(item.id);
    return update ? changeOf(item.id, update) : [];
  });
  const rows = await applyDeliveryChanges(t.tx, t.companyId, changes);
  const moved = rows.filter((row) => row.moved);
  if (!moved.length) return;
  const conversations = await refreshLatestItems(t.tx, t.companyId, moved);
  await publishConversationsUpdated(t, 'item_updated', conversations, moved);
}

function changeOf(itemId: number, { state, code, reason, providerId }: DeliveryUpdate) {
  // "Never confirmed" is an error of a text that stays sent.
  const isUnconfirmed = state === 'sent' && code !== null;
  return {
    itemId,
    state,
    allowedFrom: deliveryStates.filter(
      (from) => canTransition(from, state) || (isUnconfirmed && from === 'sent'),
    ),
    code,
    text: deliveryErrorText(code, reason),
    providerId: providerId ?? null,
  };
}
