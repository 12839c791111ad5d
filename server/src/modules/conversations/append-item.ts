import type { ItemKind } from '#contract/conversations/rules';
import type { TxCtx } from '../../platform/context.ts';
import { findOrCreateContact } from '../contacts/index.ts';
import { changeUnread, recordTextActivity } from '../numbers/index.ts';
import { publishConversationUpdated } from './publish-conversation-updated.ts';
import {
  bumpConversation,
  openConversation,
  summaryOf,
  type ConversationRow,
  type ItemRow,
} from './store.ts';
import { insertItem } from './store-items.ts';

export interface ItemInput {
  numberId: number;
  party: string;
  kind: ItemKind;
  isInbound: boolean;
  at: Date;
  details: Record<string, unknown>;
  text?: string;
  /** Not read yet: only inbound items that need attention. */
  unread?: boolean;
  /** From a blocked caller: stored, but neither shown in the inbox nor counted. */
  quiet?: boolean;
  /** Notes, blocks and scheduled texts are in the thread without being its latest event. */
  excludedFromLatest?: boolean;
  deliveryState?: string;
  carrier?: string;
  providerEventId?: string;
  /** The object it stands for, once; a function: once in its conversation. */
  source?: string | ((conversationId: number) => string);
  contactName?: string;
}

/**
 * Appends an item to its conversation, which is created if there is none. Null: the item existed
 * already.
 */
export async function appendItem(
  ctx: TxCtx,
  input: ItemInput,
): Promise<{ conversation: ConversationRow; item: ItemRow } | null> {
  const contact = input.quiet
    ? null
    : await findOrCreateContact(
        ctx,
        input.party,
        input.contactName ? { name: input.contactName } : {},
      );
  const open = await openConversation(ctx.tx, {
    company_id: ctx.companyId,
    number_id: input.numberId,
    party: input.party,
    contact_id: contact?.id ?? null,
    at: input.at,
    archived: input.quiet ?? false,
  });
  const unread = Boolean(input.unread && !input.quiet);
  const item = await insertItem(ctx.tx, {
    company_id: ctx.companyId,
    conversation_id: open.id,
    number_id: input.numberId,
    kind: input.kind,
    is_inbound: input.isInbound,
    created_at: input.at,
    read_at: unread ? null : input.at,
    actor_id: ctx.actor.userId || null,
    actor_name: ctx.actor.userId ? ctx.actor.name : null,
    details: JSON.stringify(input.details),
    text: input.text ?? '',
    delivery_state: input.deliveryState ?? null,
    queued_at: input.deliveryState === 'queued' ? input.at : null,
    carrier: input.carrier ?? null,
    provider_event_id: input.providerEventId ?? null,
    source: (typeof input.source === 'function' ? input.source(open.id) : input.source) ?? null,
  });
  if (!item) return null;
  const conversation = await bumpConversation(ctx.tx, ctx.companyId, open.id, {
    itemId: item.id,
    kind: input.kind,
    inbound: input.isInbound,
    at: input.at,
    details: summaryOf(item),
    unread,
    latest: !input.excludedFromLatest && !input.quiet,
    restore: input.isInbound && !input.quiet && !input.excludedFromLatest,
    heard: input.kind === 'message' && input.isInbound,
  });
  if (input.kind === 'message' && !input.quiet)
    await recordTextActivity(ctx, input.numberId, input.at, unread ? 1 : 0);
  if (input.kind === 'form' && unread) await changeUnread(ctx, input.numberId, 1);
  await publishConversationUpdated(ctx, 'new_item', conversation, item);
  return { conversation, item };
}
