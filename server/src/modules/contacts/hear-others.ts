import type { EventData, triggers, calls, conversations } from '#contract';
import { contactHeard, contactsChanged } from '#contract/contacts';
import type { TxCtx } from '../../platform/context.ts';
import { addLabels, addToGroups } from './sort-into.ts';
import { markInvalid, noteTrace, patchContact } from './store.ts';
import { findOrMakeContact } from './find-or-make-contact.ts';

/** A text just received made its contact moments ago; one that was there before keeps its source. */
const MADE_BY_IT_MS = 60_000;

/** Somebody texted a keyword: they join its groups and get its labels, and a contact that this text made came by keyword. */
export async function joinByKeyword(
  ctx: TxCtx,
  heard: EventData<typeof triggers.keywordHeard>,
): Promise<void> {
  const contact = await findOrMakeContact(ctx, heard.party, { source: 'keyword' });
  if (!contact) return;
  if (
    contact.source === 'Manual' &&
    contact.name === '' &&
    Math.abs(contact.created_at.getTime() - new Date(heard.at).getTime()) < MADE_BY_IT_MS
  )
    await patchContact(ctx.tx, ctx.companyId, contact.id, { source: 'keyword' }, ctx.now);
  await addToGroups(
    ctx,
    heard.groupIds.map((groupId) => ({ contactId: contact.id, groupId })),
  );
  await addLabels(
    ctx,
    heard.labelIds.map((labelId) => ({ contactId: contact.id, labelId })),
  );
  if (heard.groupIds.length || heard.labelIds.length)
    await ctx.say(contactsChanged, {
      what: heard.groupIds.length ? 'grouped' : 'labelled',
      count: 1,
      contactId: contact.id,
    });
}

/** Who called us is one of the recent callers, whether the call was answered or not. */
export async function noteCaller(
  ctx: TxCtx,
  call: EventData<typeof calls.callStarted>,
): Promise<void> {
  if (call.outbound || !call.party.startsWith('+')) return;
  const { fresh } = await noteTrace(ctx.tx, ctx.companyId, call.party, {
    calledAt: new Date(call.startedAt),
  });
  if (fresh) await ctx.say(contactHeard, { companyId: ctx.companyId });
}

type Updated = EventData<typeof conversations.conversationUpdated>;
/** Carriers' words for "there is no such phone" and "it takes no texts" (A11). */
const nobodyThere = ['landline', 'no_number'];
const textOf = (said: Updated) => (said.item?.kind === 'message' ? said.item : null);
export const tellsOfNumber = (said: Updated): boolean => {
  const text = textOf(said);
  return (
    text !== null &&
    (text.isInbound
      ? said.reason === 'new_item'
      : said.reason === 'item_updated' && nobodyThere.includes(text.details.errorCode ?? ''))
  );
};
/** A number that writes is alive; one that the carrier could not find twice is invalid, until it writes again. */
export async function noteText(ctx: TxCtx, said: Updated): Promise<void> {
  const text = textOf(said);
  const party = said.conversation.recipient;
  if (!text || !party.startsWith('+')) return;
  const { times, fresh } = await noteTrace(
    ctx.tx,
    ctx.companyId,
    party,
    text.isInbound ? { textedAt: new Date(text.createdAt) } : { undeliverable: 1 },
  );
  const changed = text.isInbound
    ? await markInvalid(ctx.tx, ctx.companyId, party, false)
    : times >= 2
      ? await markInvalid(ctx.tx, ctx.companyId, party, true)
      : undefined;
  if (text.isInbound && fresh) await ctx.say(contactHeard, { companyId: ctx.companyId });
  if (changed) await ctx.say(contactsChanged, { what: 'updated', count: 1, contactId: changed.id });
}
