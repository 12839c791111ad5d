import type { EventData } from '#contract';
import type { blockAdded } from '#contract/compliance/events';
import type { contactChanged, contactNumbersLinked } from '#contract/contacts/events';
import type { TxCtx } from '../../platform/context.ts';
import { appendItem } from './append-item.ts';
import { publishConversationUpdated } from './publish-conversation-updated.ts';
import { conversationsOfParty, linkContact, linkContacts } from './store.ts';

/**
 * A block of exactly one party is shown in its conversations; prefixes and exceptions change what
 * they show, but are no event of one party.
 */
export async function appendBlockItem(
  ctx: TxCtx,
  b: EventData<typeof blockAdded>,
  blocked: boolean,
): Promise<void> {
  if (b.action !== 1 || b.target.endsWith('*')) return;
  const author: TxCtx = {
    ...ctx,
    actor: { ...ctx.actor, userId: b.byUserId ?? 0, name: b.byName },
  };
  for (const row of await conversationsOfParty(ctx.tx, ctx.companyId, b.target, b.numberId)) {
    const added = await appendItem(author, {
      numberId: row.number_id,
      party: row.party,
      kind: 'block',
      isInbound: false,
      at: ctx.now,
      excludedFromLatest: true,
      details: { action: blocked ? 1 : 0, actor: b.byName },
      source: `${blocked ? 'block' : 'unblock'}:${b.blockId}:${row.id}`,
    });
    if (added)
      await publishConversationUpdated(ctx, blocked ? 'blocked' : 'unblocked', added.conversation);
  }
}

/** Links a new contact, or one with a new number, to the conversations with that number. */
export async function linkChangedContact(
  ctx: TxCtx,
  c: EventData<typeof contactChanged>,
): Promise<void> {
  if (c.added || c.changed.includes('number'))
    await linkContact(ctx.tx, ctx.companyId, c.contactId, c.number);
}

/** The same for many contacts, and for numbers moved by a merge or its undo. */
export async function linkChangedContacts(
  ctx: TxCtx,
  event: EventData<typeof contactNumbersLinked>,
): Promise<void> {
  await linkContacts(ctx.tx, ctx.companyId, event.rows);
}
