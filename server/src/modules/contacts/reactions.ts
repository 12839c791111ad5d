import { callStarted } from '#contract/calls';
import { contactsChanged } from '#contract/contacts';
import { contactOptedIn, contactOptedOut, optOutKnown, optOutsKnown } from '#contract/compliance';
import { conversationUpdated } from '#contract/conversations';
import { keywordHeard } from '#contract/triggers';
import type { TxCtx } from '../../platform/context.ts';
import { on } from '../../platform/relay.ts';
import { joinByKeyword, noteCaller, noteText, tellsOfNumber } from './hear-others.ts';
import { noteOptin } from './note-optin.ts';
import { holdLedger, optOutOf } from './ledger/store-ledger.ts';
import { contactsOfNumbers, markUnsubscribed, markUnsubscribedMany } from './store.ts';

/** The contact follows the ledger, and screens look again. `always`: it followed already, as it was written. */
async function mark(
  ctx: TxCtx,
  number: string,
  at: Date | null,
  seq: number,
  always = false,
): Promise<void> {
  const marked = await markUnsubscribed(ctx.tx, ctx.companyId, number, at, seq);
  const contactId =
    marked ??
    (always
      ? (await contactsOfNumbers(ctx.tx, ctx.companyId, [number])).get(number)?.id
      : undefined);
  if (contactId !== undefined)
    await ctx.say(contactsChanged, { what: 'updated', count: 1, contactId });
}

/** How the ledger stands now: what was said may be heard late. */
async function standing(ctx: TxCtx, number: string): Promise<Date | null> {
  await holdLedger(ctx.tx, ctx.companyId, number, 'to_send');
  return (await optOutOf(ctx.tx, ctx.companyId, number))?.opted_out_at ?? null;
}

export const reactions = [
  on(keywordHeard, 'note-optin', noteOptin),
  on(keywordHeard, 'join-groups', joinByKeyword),
  on(callStarted, 'note-caller', noteCaller, { when: (said) => !said.outbound }),
  on(conversationUpdated, 'note-number', noteText, { when: tellsOfNumber }),
  on(contactOptedOut, 'mark-contact', async (ctx, said, seq) =>
    mark(ctx, said.number, await standing(ctx, said.number), seq, true),
  ),
  on(contactOptedIn, 'unmark-contact', async (ctx, said, seq) =>
    mark(ctx, said.number, await standing(ctx, said.number), seq, true),
  ),
  on(optOutKnown, 'follow-ledger', async (ctx, said, seq) =>
    mark(ctx, said.number, await standing(ctx, said.number), seq),
  ),
  on(optOutsKnown, 'follow-ledger', async (ctx, said, seq) => {
    const count = await markUnsubscribedMany(
      ctx.tx,
      ctx.companyId,
      said.rows.map((r) => ({
        number: r.number,
        at: r.optedOutAt ? new Date(r.optedOutAt) : null,
      })),
      seq,
    );
    if (count) await ctx.say(contactsChanged, { what: 'updated', count });
  }),
];
