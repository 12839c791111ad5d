import type { TxCtx } from '../../platform/context.ts';
import { companyRow } from '../companies/index.ts';
import { applyKeyword, keywordOf } from '../compliance/index.ts';
import { queueText } from './queue-text.ts';
import { keywordConfirmation } from './rules.ts';
import type { RoutedText } from './store-inbound.ts';
import type { ConversationRow } from './store.ts';

/** What a reserved word did: which one it was, and whether it gets a confirmation. */
export type AppliedKeyword = NonNullable<Awaited<ReturnType<typeof applyKeyword>>>;

/**
 * Applies STOP, START and HELP to the opt-out ledger; returns what they did by the carrier's ID of
 * the text. In the order of parties, so that two batches can't deadlock.
 */
export async function applyKeywords(
  t: TxCtx,
  texts: readonly RoutedText[],
): Promise<Map<string, AppliedKeyword>> {
  const applied = new Map<string, AppliedKeyword>();
  const withKeyword = texts
    .filter(({ text }) => text.answered ?? keywordOf(text.text))
    .sort((a, b) => (a.text.from < b.text.from ? -1 : Number(a.text.from > b.text.from)));
  for (const { numberId, text } of withKeyword) {
    const { from, answered } = text;
    const word = await applyKeyword(t, { from, numberId, text: text.text, answered });
    if (word) applied.set(text.id, word);
  }
  return applied;
}

/** Queues the one confirmation that each of these words gets in its conversation. */
export async function queueConfirmations(
  t: TxCtx,
  confirmations: readonly {
    word: AppliedKeyword['word'];
    conversation: Pick<ConversationRow, 'number_id' | 'party'>;
  }[],
): Promise<void> {
  if (!confirmations.length) return;
  const company = await companyRow(t.tx, t.companyId);
  const sender = {
    name: company?.name ?? '',
    phone: company?.phone ?? null,
    email: company?.email ?? null,
  };
  for (const { word, conversation } of confirmations)
    await queueText(t, {
      numberId: conversation.number_id,
      party: conversation.party,
      content: keywordConfirmation(word, sender),
      media: [],
      automatic: word,
    });
}
