import { callStarted } from '#contract/calls';
import { contactsChanged } from '#contract/contacts';
import { contactOptedIn, contactOptedOut, optOutKnown, optOutsKnown } from '#contract/compliance';
import { conversationUpdated } from '#contract/conversations';
import { keywordHeard } from '#contract/triggers';
import type { TxCtx } from '../../platform/context.ts';
import { on } from '../../platform/relay.ts';
import { joinByKeyword, noteCaller, noteText, tellsOfNumber } from './hear-others.ts';
import { noteOptin } from './note-optin.ts';
import { markUnsubscribed, markUnsubscribedMany } from './store.ts';

/** The contact follows the ledger, and screens look again once it has. */
async function mark(ctx: TxCtx, number: string, at: Date | null, seq: number): Promise<void> {
  const contactId = await markUnsubscribed(ctx.tx, ctx.companyId, number, at, seq);
  if (contactId !== undefined) await ctx.say(contactsChanged, { what: 'updated', count: 1, contactId });
}

export const reactions = [
  on(keywordHeard, 'note-optin', noteOptin),
  on(keywordHeard, 'join-groups', joinByKeyword),
  on(callStarted, 'note-caller', noteCaller, { when: (said) => !said.outbound }),
  on(conversationUpdated, 'note-number', noteText, { when: tellsOfNumber }),
  on(contactOptedOut, 'mark-contact', (ctx, said, seq) => mark(ctx, said.number, new Date(said.at), seq)),
  on(contactOptedIn, 'unmark-contact', (ctx, said, seq) => mark(ctx, said.number, null, seq)),
  on(optOutKnown, 'follow-ledger', (ctx, said, seq) => mark(ctx, said.number, said.optedOutAt ? new Date(said.optedOutAt) : null, seq)),
  on(optOutsKnown, 'follow-ledger', async (ctx, said, seq) => {
    const count = await markUnsubscribedMany(ctx.tx, ctx.companyId, said.rows.map((r) => ({ number: r.number, at: r.optedOutAt ? new Date(r.optedOutAt) : null })), seq);
    if (count) await ctx.say(contactsChanged, { what: 'updated', count });
  }),
];
