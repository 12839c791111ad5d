import type { ItemKind } from '#contract/conversations';
import type { TxCtx } from '../../platform/context.ts';
import { findOrMakeContact } from '../contacts/index.ts';
import { numberTexted } from '../numbers/index.ts';
import { sayUpdated } from './say-updated.ts';
import {
  bumpConversation,
  openConversation,
  summaryOf,
  type ConversationRow,
  type ItemRow,
} from './store.ts';
import { insertItem } from './store-items.ts';

export interface Happened {
  numberId: number;
  party: string;
  kind: ItemKind;
  isInbound: boolean;
  at: Date;
  details: Record<string, unknown>;
  text?: string;
  /** Not yet read: only what comes in and waits for somebody. */
  unread?: boolean;
  /** From a blocked caller: kept, but it neither comes to the inbox nor counts. */
  quiet?: boolean;
  /** Notes, blocks and plans stand in the thread without being its latest event. */
  aside?: boolean;
  deliveryState?: string;
  carrier?: string;
  providerEventId?: string;
  source?: string;
  contactName?: string;
}

/** Put one thing into its conversation, making the conversation when there is none. `null`: it was there already. */
export async function addItem(
  ctx: TxCtx,
  h: Happened,
): Promise<{ conversation: ConversationRow; item: ItemRow } | null> {
  const contact = h.quiet
    ? null
    : await findOrMakeContact(ctx, h.party, h.contactName ? { name: h.contactName } : {});
  const open = await openConversation(ctx.tx, {
    company_id: ctx.companyId,
    number_id: h.numberId,
    party: h.party,
    contact_id: contact?.id ?? null,
    at: h.at,
    archived: h.quiet ?? false,
  });
  const unread = Boolean(h.unread && !h.quiet);
  const item = await insertItem(ctx.tx, {
    company_id: ctx.companyId,
    conversation_id: open.id,
    number_id: h.numberId,
    kind: h.kind,
    is_inbound: h.isInbound,
    created_at: h.at,
    read_at: unread ? null : h.at,
    actor_id: ctx.actor.userId || null,
    actor_name: ctx.actor.userId ? ctx.actor.name : null,
    details: JSON.stringify(h.details),
    text: h.text ?? '',
    delivery_state: h.deliveryState ?? null,
    queued_at: h.deliveryState === 'queued' ? h.at : null,
    carrier: h.carrier ?? null,
    provider_event_id: h.providerEventId ?? null,
    source: h.source ?? null,
  });
  if (!item) return null;
  const conversation = await bumpConversation(ctx.tx, ctx.companyId, open.id, {
    itemId: item.id,
    kind: h.kind,
    inbound: h.isInbound,
    at: h.at,
    details: summaryOf(item),
    unread,
    latest: !h.aside && !h.quiet,
    restore: h.isInbound && !h.quiet && !h.aside,
    heard: h.kind === 'message' && h.isInbound,
  });
  if (h.kind === 'message' && !h.quiet) await numberTexted(ctx, h.numberId, h.at, unread ? 1 : 0);
  await sayUpdated(ctx, 'new_item', conversation, item);
  return { conversation, item };
}
