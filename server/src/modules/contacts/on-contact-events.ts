import type { EventData, triggers, calls, conversations } from '#contract';
import { contactActivityRecorded, contactsChanged } from '#contract/contacts/events';
import type { TxCtx } from '../../platform/context.ts';
import { addLabels, addToGroups } from './assign-lists.ts';
import { markInvalid, recordTrace, patchContact } from './store.ts';
import { findOrCreateContact } from './find-or-create-contact.ts';

/** A contact this new was created by the text itself; an older one keeps its source. */
const createdByTextMs = 60_000;

/**
 * Adds whoever texted a keyword to its groups and labels. A contact that this text created gets the
 * source `keyword`.
 */
export async function applyKeywordLists(
  ctx: TxCtx,
  event: EventData<typeof triggers.keywordMatched>,
): Promise<void> {
  const contact = await findOrCreateContact(ctx, event.party, { source: 'keyword' });
  if (!contact) return;
  if (
    contact.source === 'Manual' &&
    contact.name === '' &&
    Math.abs(contact.created_at.getTime() - new Date(event.at).getTime()) < createdByTextMs
  )
    await patchContact(ctx.tx, ctx.companyId, contact.id, { source: 'keyword' }, ctx.now);
  await addToGroups(
    ctx,
    event.groupIds.map((groupId) => ({ contactId: contact.id, groupId })),
  );
  await addLabels(
    ctx,
    event.labelIds.map((labelId) => ({ contactId: contact.id, labelId })),
  );
  if (event.groupIds.length || event.labelIds.length)
    await ctx.publish(contactsChanged, {
      what: event.groupIds.length ? 'grouped' : 'labelled',
      count: 1,
      contactId: contact.id,
    });
}

/** Records an inbound call, answered or not, for "recent callers". */
export async function recordCaller(
  ctx: TxCtx,
  call: EventData<typeof calls.callStarted>,
): Promise<void> {
  if (call.outbound || !call.party.startsWith('+')) return;
  const { fresh } = await recordTrace(ctx.tx, ctx.companyId, call.party, {
    calledAt: new Date(call.startedAt),
  });
  if (fresh) await ctx.publish(contactActivityRecorded, { companyId: ctx.companyId });
}

type ConversationUpdate = EventData<typeof conversations.conversationUpdated>;
/** Delivery errors that mean the number doesn't exist or can't receive texts (A11). */
const unreachableErrors = ['landline', 'no_number'];
const textOf = (said: ConversationUpdate) => (said.item?.kind === 'message' ? said.item : null);
/**
 * Whether an inbox event tells if a number is reachable: it texted us, or the carrier says it
 * doesn't exist.
 */
export const concernsNumber = (said: ConversationUpdate): boolean => {
  const text = textOf(said);
  return (
    text !== null &&
    (text.isInbound
      ? said.reason === 'new_item'
      : said.reason === 'item_updated' && unreachableErrors.includes(text.details.errorCode ?? ''))
  );
};
/** Marks a number invalid after two undeliverable texts, and valid again when it texts us. */
export async function recordText(ctx: TxCtx, said: ConversationUpdate): Promise<void> {
  const text = textOf(said);
  const party = said.conversation.recipient;
  if (!text || !party.startsWith('+')) return;
  const { times: failures, fresh } = await recordTrace(
    ctx.tx,
    ctx.companyId,
    party,
    text.isInbound ? { textedAt: new Date(text.createdAt) } : { undeliverable: 1 },
  );
  const changed = text.isInbound
    ? await markInvalid(ctx.tx, ctx.companyId, party, false)
    : failures >= 2
      ? await markInvalid(ctx.tx, ctx.companyId, party, true)
      : undefined;
  if (text.isInbound && fresh)
    await ctx.publish(contactActivityRecorded, { companyId: ctx.companyId });
  if (changed)
    await ctx.publish(contactsChanged, { what: 'updated', count: 1, contactId: changed.id });
}
