import type { TxCtx } from '../../platform/context.ts';
import { optIn, optOut, optOutOf } from '../contacts/index.ts';
import { keywordOf } from './rules.ts';

/**
 * Applies a keyword in an incoming text (STOP, START, HELP) in the caller's transaction. `reply`
 * names the confirmation to send, at most one: a second STOP gets none, and START or YES from a
 * party that never opted out is an ordinary text. `answered`: the carrier recognized the keyword
 * and replied itself, so no second reply is sent.
 */
export async function applyKeyword(
  ctx: TxCtx,
  text: {
    from: string;
    numberId: number;
    text: string;
    answered?: 'stop' | 'start' | 'help' | undefined;
  },
): Promise<{ word: 'stop' | 'start' | 'help'; reply: boolean } | null> {
  const word = text.answered ?? keywordOf(text.text);
  const shouldReply = text.answered === undefined;
  if (!word) return null;
  if (word === 'help') return { word, reply: shouldReply };
  const change = {
    number: text.from,
    source: 'keyword' as const,
    numberId: text.numberId,
    proof: text.text,
  };
  if (word === 'stop') return { word, reply: (await optOut(ctx, change)) && shouldReply };
  return (await optOutOf(ctx.tx, ctx.companyId, text.from)) && (await optIn(ctx, change))
    ? { word, reply: shouldReply }
    : null;
}
