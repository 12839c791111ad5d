import type { TxCtx } from '../../platform/context.ts';
import { companyRow } from '../companies/index.ts';
import { applyKeyword, meaningOfText, type AppliedKeyword } from '../compliance/index.ts';
import { queueAutomaticText } from './queue-automatic-text.ts';
import { keywordConfirmation } from './rules.ts';
import { latestTextsTo } from './store-automatic.ts';
import type { RoutedText } from './store-inbound.ts';
import type { ConversationRow } from './store.ts';

export type { AppliedKeyword };

/**
 * Applies STOP, START and HELP to the opt-out ledger and notes what may be a STOP; returns what they
 * did by the carrier's ID of the text. In the order of parties, so that two batches can't deadlock.
 */
export async function applyKeywords(
  t: TxCtx,
  texts: readonly RoutedText[],
): Promise<Map<string, AppliedKeyword>> {
  const applied = new Map<string, AppliedKeyword>();
  const withKeyword = texts
    .flatMap((each) => {
      const word = each.text.answered ?? meaningOfText(each.text.text)?.word;
      return word ? [{ ...each, word }] : [];
    })
    .sort((a, b) => (a.text.from < b.text.from ? -1 : Number(a.text.from > b.text.from)));
  for (const { numberId, text, word } of withKeyword) {
    const { from, answered } = text;
    // What looks doubtful may be a STOP above a text of ours that the phone quotes without marks.
    const earlier =
      word === 'doubt' ? await latestTextsTo(t.tx, t.companyId, numberId, from, t.now) : [];
    const done = await applyKeyword(t, { from, numberId, text: text.text, answered, earlier });
    if (done) applied.set(text.id, done);
  }
  return applied;
}

interface Confirmation {
  keyword: AppliedKeyword;
  conversation: Pick<ConversationRow, 'number_id' | 'party'>;
}
/** Queues the one confirmation that each of these words gets in its conversation. */
export async function queueConfirmations(
  t: TxCtx,
  confirmations: readonly Confirmation[],
): Promise<void> {
  if (!confirmations.length) return;
  const company = await companyRow(t.tx, t.companyId);
  const sender = {
    name: company?.name ?? '',
    phone: company?.phone ?? null,
    email: company?.email ?? null,
  };
  for (const { keyword, conversation } of confirmations)
    if (keyword.word !== 'doubt')
      await queueAutomaticText(t, {
        numberId: conversation.number_id,
        party: conversation.party,
        content: keywordConfirmation(keyword.word, sender, keyword.language),
        media: [],
        automatic: keyword.word,
      });
}
