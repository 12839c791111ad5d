import { callStarted } from '#contract/calls/events';
import { contactsChanged } from '#contract/contacts/events';
import {
  contactOptedIn,
  contactOptedOut,
  optOutSynced,
  optOutsSynced,
} from '#contract/compliance/events';
import { conversationUpdated } from '#contract/conversations/events';
import { keywordMatched } from '#contract/numbers/triggers/events';
import type { TxCtx } from '../../platform/context.ts';
import { subscribe } from '../../platform/outbox-relay.ts';
import {
  applyKeywordLists,
  recordCaller,
  recordText,
  concernsNumber,
} from './on-contact-events.ts';
import { recordOptIn } from './record-opt-in.ts';
import { lockOptOut, optOutOf } from './ledger/store-opt-outs.ts';
import { contactsOfNumbers, markUnsubscribed, markUnsubscribedMany } from './store.ts';

/**
 * Sets the contact's opt-out and publishes the change. `alwaysPublish`: a trigger has set it
 * already.
 */
async function syncUnsubscribed(
  ctx: TxCtx,
  number: string,
  at: Date | null,
  seq: number,
  alwaysPublish = false,
): Promise<void> {
  const marked = await markUnsubscribed(ctx.tx, ctx.companyId, number, at, seq);
  const contactId =
    marked ??
    (alwaysPublish
      ? (await contactsOfNumbers(ctx.tx, ctx.companyId, [number])).get(number)?.id
      : undefined);
  if (contactId !== undefined)
    await ctx.publish(contactsChanged, { what: 'updated', count: 1, contactId });
}

/** The current opt-out of the number; the event may be old. */
async function lockedOptOutTime(ctx: TxCtx, number: string): Promise<Date | null> {
  await lockOptOut(ctx.tx, ctx.companyId, number, 'to_send');
  return (await optOutOf(ctx.tx, ctx.companyId, number))?.opted_out_at ?? null;
}

export const subscribers = [
  subscribe(keywordMatched, 'note-optin', recordOptIn),
  subscribe(keywordMatched, 'join-groups', applyKeywordLists),
  subscribe(callStarted, 'note-caller', recordCaller, { when: (event) => !event.outbound }),
  subscribe(conversationUpdated, 'note-number', recordText, { when: concernsNumber }),
  subscribe(contactOptedOut, 'mark-contact', async (ctx, event, seq) =>
    syncUnsubscribed(ctx, event.number, await lockedOptOutTime(ctx, event.number), seq, true),
  ),
  subscribe(contactOptedIn, 'unmark-contact', async (ctx, event, seq) =>
    syncUnsubscribed(ctx, event.number, await lockedOptOutTime(ctx, event.number), seq, true),
  ),
  subscribe(optOutSynced, 'follow-ledger', async (ctx, event, seq) =>
    syncUnsubscribed(ctx, event.number, await lockedOptOutTime(ctx, event.number), seq),
  ),
  subscribe(optOutsSynced, 'follow-ledger', async (ctx, event, seq) => {
    const count = await markUnsubscribedMany(
      ctx.tx,
      ctx.companyId,
      event.rows.map((r) => ({
        number: r.number,
        at: r.optedOutAt ? new Date(r.optedOutAt) : null,
      })),
      seq,
    );
    if (count) await ctx.publish(contactsChanged, { what: 'updated', count });
  }),
];
