import type { Answer, Body, phrases as contract } from '#contract';
import type { CallFound } from '#contract/calls/search/schemas';
import type { TxCtx } from '../../../platform/context.ts';
import { presentFound } from '../search/present-results.ts';
import { findMarks, snippetOf } from '../search/rules.ts';
import { tagsOfCalls } from '../search/store-highlights.ts';
import { lookBackSince } from './search-back.ts';
import { spotPhrases, telltaleWords } from './spot.ts';
import { candidates, transcriptsWithWords, type Candidate } from './store.ts';
import { foundCalls } from './store-found.ts';

/** Calls that dry runs list. */
export const LISTED = 20;
const BATCH = 200;
const MOST_HIGHLIGHTS = 4;

type Highlight = CallFound['highlights'][number];

/** The calls of the last 30 days in which these phrases were said often enough. Stores nothing. */
export async function tryPhraseList(
  ctx: TxCtx,
  wanted: Body<typeof contract.tryPhraseList>,
): Promise<Answer<typeof contract.tryPhraseList>> {
  const { tx, companyId } = ctx;
  const since = lookBackSince(ctx.now);
  const { ids, isPartial } = await transcriptsWithWords(tx, companyId, {
    since,
    words: telltaleWords(wanted.phrases),
    numbers: ctx.numbers,
  });
  const found = new Map<number, Highlight[]>();
  for (let from = 0; from < ids.length; from += BATCH)
    for (const one of await candidates(tx, companyId, ids.slice(from, from + BATCH), false)) {
      const spoken = spotPhrases(one.segments, wanted);
      if (spoken.length < wanted.at_least) continue;
      const passages = spoken.map((passage) => highlightOf(one, passage));
      found.set(one.call_id, [...(found.get(one.call_id) ?? []), ...passages]);
    }
  const newest = [...found.keys()].toSorted((a, b) => b - a).slice(0, LISTED);
  const calls = await presentFoundCalls(ctx, newest, (id) => found.get(id) ?? []);
  return { data: { since: since.toISOString(), total: found.size, is_partial: isPartial, calls } };
}

/** Calls as lists of found calls show them, the newest first, with these highlights. */
export async function presentFoundCalls(
  { tx, companyId }: TxCtx,
  ids: readonly number[],
  highlightsOf: (callId: number) => readonly Highlight[],
): Promise<CallFound[]> {
  const tags = await tagsOfCalls(tx, companyId, ids);
  return (await foundCalls(tx, companyId, ids)).map((row) => ({
    call: presentFound(row, tags),
    highlights: highlightsOf(row.id).slice(0, MOST_HIGHLIGHTS),
  }));
}

/** The passage in which a phrase was said, with its words marked. */
export function highlightOf(
  { kind, segments }: Pick<Candidate, 'kind' | 'segments'>,
  { start_ms, speaker, phrase }: { start_ms: number; speaker: 0 | 1 | 2; phrase: string },
): Highlight {
  const segment = segments.findLast(
    (one) => one.speaker === speaker && one.start_ms <= start_ms && one.end_ms >= start_ms,
  );
  const words = telltaleParts(phrase);
  const text = segment?.text ?? phrase;
  const marks = findMarks(text, (word) => words.some((part) => part(word)));
  return {
    field: kind === 'voicemail' ? 'voicemail' : 'transcript',
    ...snippetOf(text, marks),
    start_ms,
    speaker,
  };
}

/** What each word of a phrase matches. */
const telltaleParts = (phrase: string) =>
  phrase
    .toLowerCase()
    .split(/\s+/)
    .map((part) => {
      const text = part.replace(/[^\p{L}\p{N}'’]/gu, '');
      return part.endsWith('*')
        ? (word: string) => word.startsWith(text)
        : (word: string) => word === text;
    });
