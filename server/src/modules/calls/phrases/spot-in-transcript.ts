import type { TxCtx } from '../../../platform/context.ts';
import { spotPhrases } from './spot.ts';
import { listsOf, replaceHits, type Candidate, type PhraseListRow } from './store.ts';

/**
 * Whether words of this engine are only a guess: pocketsphinx is right in half of them at best, so no
 * rule and no model acts on what it heard.
 */
export const isRough = (engine: string): boolean => engine.includes('pocketsphinx');

/** Finds the phrases of all of the company's lists in a transcript and stores where. */
export async function spotInTranscript(
  { tx, companyId }: TxCtx,
  transcript: Candidate,
): Promise<void> {
  const lists = await listsOf(tx, companyId);
  await replaceHits(
    tx,
    companyId,
    transcript.id,
    lists.flatMap((list) => hitOf(list, transcript) ?? []),
  );
}

/** What a list finds in a transcript; null: less than it asks for. */
export function hitOf(
  list: Pick<PhraseListRow, 'id' | 'phrases' | 'said_by' | 'at_least'>,
  { call_id, called_at, engine, segments }: Candidate,
) {
  const spoken = spotPhrases(segments, list);
  return spoken.length < list.at_least
    ? null
    : {
        list_id: list.id,
        call_id,
        called_at,
        spoken: JSON.stringify(spoken),
        is_rough: isRough(engine),
      };
}
