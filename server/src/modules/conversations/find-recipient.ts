import { normalizePhone } from '#contract/phone';
import type { TxCtx } from '../../platform/context.ts';
import { invalid, notFound, fail } from '../../platform/errors.ts';
import { conversationById } from './store.ts';
import { numbersByIds, type NumberSummary } from './store-numbers.ts';

export interface MessageRecipient {
  number: NumberSummary;
  party: string;
}

/**
 * The recipient of a text and our number it is sent from: a conversation names both, or `numberId`
 * and `to` do. `message.no_recipient` for neither; `not_found` when the user may not see the
 * conversation or the number.
 */
export async function findRecipient(
  ctx: TxCtx,
  body: {
    conversationId?: number | undefined;
    numberId?: number | undefined;
    to?: string | undefined;
  },
): Promise<MessageRecipient> {
  if (body.conversationId) {
    const conversation =
      (await conversationById(ctx.tx, ctx.companyId, body.conversationId, ctx.numbers)) ??
      notFound();
    return {
      number:
        (await numbersByIds(ctx.tx, ctx.companyId, [conversation.number_id])).get(
          conversation.number_id,
        ) ?? notFound(),
      party: conversation.party,
    };
  }
  if (!body.numberId || !body.to) fail('message.no_recipient');
  if (ctx.numbers && !ctx.numbers.includes(body.numberId)) notFound();
  const number =
    (await numbersByIds(ctx.tx, ctx.companyId, [body.numberId])).get(body.numberId) ?? notFound();
  const party =
    normalizePhone(await ctx.contactDetails.numberOf(ctx, body.to)) ??
    invalid({ to: 'Enter a phone number.' });
  if (party === number.number) invalid({ to: 'A number can’t text itself.' });
  return { number, party };
}

/** The other party of a conversation that the actor sees; null: no such conversation. */
export const partyOfConversation = async (ctx: TxCtx, id: number): Promise<string | null> =>
  ctx.may('inbox.view') === 'none'
    ? null
    : ((await conversationById(ctx.tx, ctx.companyId, id, ctx.numbers))?.party ?? null);
