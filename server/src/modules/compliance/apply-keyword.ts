import { isNumber } from '#contract/party';
import type { TxCtx } from '../../platform/context.ts';
import { lockOptOut, optIn, optOut, optOutOf } from '../contacts/index.ts';
import { meaningOfText, type KeywordLanguage } from './opt-out/read-opt-out.ts';
import { notePossibleOptOut } from './opt-out/store-possible-opt-outs.ts';

/** What a text's words did. `doubt`: noted, for someone to decide; it gets no reply. */
export interface AppliedKeyword {
  word: 'stop' | 'start' | 'help' | 'doubt';
  reply: boolean;
  language: KeywordLanguage;
}

/**
 * Applies a keyword in an incoming text (STOP, START, HELP) in the caller's transaction. `reply`
 * says whether to confirm it, at most once: a second STOP gets none, and START or YES from a party
 * that never opted out is an ordinary text. `answered`: the carrier recognized the keyword and
 * replied itself, so no second reply is sent. `earlier`: our texts that this one may quote. Null: an
 * ordinary text.
 */
export async function applyKeyword(
  ctx: TxCtx,
  text: {
    from: string;
    numberId: number;
    text: string;
    answered?: 'stop' | 'start' | 'help' | undefined;
    earlier?: readonly string[];
  },
): Promise<AppliedKeyword | null> {
  const read = meaningOfText(text.text, text.earlier);
  const word = text.answered ?? read?.word;
  if (!word) return null;
  const language = read && 'language' in read ? read.language : 'en';
  const shouldReply = text.answered === undefined;
  if (word === 'help') return { word, reply: shouldReply, language };
  const change = {
    number: text.from,
    source: 'keyword' as const,
    numberId: text.numberId,
    proof: text.text,
  };
  if (word === 'doubt') {
    // Machines behind short codes and names mean no wish of theirs.
    if (!isNumber(text.from)) return null;
    await lockOptOut(ctx.tx, ctx.companyId, text.from, 'to_change');
    const { from: party, numberId } = text;
    const note = { companyId: ctx.companyId, party, numberId, text: text.text, at: ctx.now };
    await notePossibleOptOut(ctx.tx, note);
    return { word, reply: false, language };
  }
  if (word === 'stop') return { word, reply: (await optOut(ctx, change)) && shouldReply, language };
  return (await optOutOf(ctx.tx, ctx.companyId, text.from)) && (await optIn(ctx, change))
    ? { word, reply: shouldReply, language }
    : null;
}
