import { normalizePhone } from '#contract/phone';
import type { TxCtx } from '../../platform/context.ts';
import { invalid, missing, refuse } from '../../platform/refuse.ts';
import { conversationById, numbersById, type OurNumber } from './store.ts';

export interface Recipient {
  number: OurNumber;
  party: string;
}

/** Whom a text goes to and from which of our numbers: a conversation names both, or `numberId` and `to` do. */
export async function findRecipient(
  ctx: TxCtx,
  said: {
    conversationId?: number | undefined;
    numberId?: number | undefined;
    to?: string | undefined;
  },
): Promise<Recipient> {
  if (said.conversationId) {
    const conversation =
      (await conversationById(ctx.tx, ctx.companyId, said.conversationId, ctx.numbers)) ??
      missing();
    return {
      number:
        (await numbersById(ctx.tx, ctx.companyId, [conversation.number_id])).get(
          conversation.number_id,
        ) ?? missing(),
      party: conversation.party,
    };
  }
  if (!said.numberId || !said.to) refuse('message.no_recipient');
  if (ctx.numbers && !ctx.numbers.includes(said.numberId)) missing();
  const number =
    (await numbersById(ctx.tx, ctx.companyId, [said.numberId])).get(said.numberId) ?? missing();
  const party = normalizePhone(said.to) ?? invalid({ to: 'Enter a phone number.' });
  if (party === number.number) invalid({ to: 'A number cannot text itself.' });
  return { number, party };
}
