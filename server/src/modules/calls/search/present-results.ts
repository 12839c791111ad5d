import type { Query, search as contract } from '#contract';
import type { CallFound } from '#contract/calls/search/schemas';
import { formatPhone } from '#contract/phone';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { invalid } from '../../../platform/errors.ts';
import { findMarks, readCallSearch, snippetOf, wordsOf, type SearchTerm } from './rules.ts';
import {
  transcriptsOf,
  stemsOf,
  tagsOfCalls,
  wordsMatching,
  type CallTranscript,
} from './store-highlights.ts';
import type { FoundRow, SearchFilter } from './store-search.ts';

const DAY = 86_400_000;
const MOST_HIGHLIGHTS = 4;

/**
 * The filter of a search, limited to the numbers the user may see. Fails with a field error without
 * any word.
 */
export function searchFilter(
  ctx: Pick<Ctx, 'companyId' | 'numbers' | 'now'>,
  query: Query<typeof contract.searchCalls>,
): SearchFilter {
  const terms = query.q ? readCallSearch(query.q) : null;
  if (terms && !terms.some((one) => !one.not))
    invalid({ q: 'Enter at least one word to search for.' });
  const seen = query.number_ids?.length
    ? query.number_ids.filter((id) => !ctx.numbers || ctx.numbers.includes(id))
    : ctx.numbers;
  return {
    companyId: ctx.companyId,
    terms,
    numbers: seen,
    since: query.start ? midnight(query.start, query.tz, 0) : new Date(0),
    before: query.end ? midnight(query.end, query.tz, 1) : new Date(ctx.now.getTime() + DAY),
    direction: query.direction,
    outcome: query.outcome,
    minDuration: query.min_duration,
    tags: query.tags,
    qualified: query.qualified,
    sources: query.sources,
    phraseLists: query.phrase_list_ids,
  };
}

/** The start of a day in a time zone, `plus` days later. Throws invalid for an unknown zone. */
function midnight(day: string, tz: string, plus: number): Date {
  const utc = Date.parse(`${day}T00:00:00Z`) + plus * DAY;
  try {
    const format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: tz,
      dateStyle: 'short',
      timeStyle: 'medium',
    });
    const offsetAt = (at: number) => Date.parse(`${format.format(at).replace(' ', 'T')}Z`) - at;
    // Twice, because the clock may change between the first guess and that midnight.
    const guess = utc - offsetAt(utc);
    return new Date(utc - offsetAt(guess));
  } catch {
    return invalid({ tz: 'Choose a time zone from the list.' });
  }
}

type Side = SearchTerm['of'];
/** Whether a word matches the search. `speaker`: its side in a transcript, else null. */
type TermMatcher = (word: string, speaker: 0 | 1 | 2 | null) => boolean;

/** The matcher of these terms for the words of these texts. */
async function termMatcher(
  ctx: TxCtx,
  positive: readonly SearchTerm[],
  texts: readonly string[],
): Promise<TermMatcher> {
  const stems: Record<Side, Set<string>> = { all: new Set(), agent: new Set(), client: new Set() };
  const begins: Record<Side, string[]> = { all: [], agent: [], client: [] };
  for (const side of ['all', 'agent', 'client'] as const) {
    const terms = positive.filter((one) => one.of === side);
    const whole = terms.filter((one) => one.way !== 'prefix').map((one) => one.text);
    stems[side] = new Set(await stemsOf(ctx.tx, whole));
    begins[side] = terms.filter((one) => one.way === 'prefix').map((one) => one.text.toLowerCase());
  }
  const words = new Set(texts.flatMap((text) => [...wordsOf(text)].map(({ word }) => word)));
  const known = new Map<string, string[]>();
  for (const { word, stem } of await wordsMatching(
    ctx.tx,
    [...words],
    [...stems.all, ...stems.agent, ...stems.client],
  ))
    known.set(word, [...(known.get(word) ?? []), stem]);
  const has = (side: Side, word: string) =>
    (known.get(word) ?? []).some((stem) => stems[side].has(stem)) ||
    begins[side].some((begin) => word.startsWith(begin));
  return (word, speaker) =>
    has('all', word) ||
    (speaker === 1 && has('agent', word)) ||
    (speaker === 2 && has('client', word));
}

/** The calls found, each with at most four highlights. */
export async function presentResults(
  ctx: TxCtx,
  rows: readonly FoundRow[],
  terms: readonly SearchTerm[],
): Promise<CallFound[]> {
  const ids = rows.map((r) => r.id);
  const positive = terms.filter((one) => !one.not);
  const digits = positive.filter((one) => one.way === 'digits').map((one) => one.text);
  const [transcripts, tags] = [
    await transcriptsOf(ctx.tx, ctx.companyId, ids),
    await tagsOfCalls(ctx.tx, ctx.companyId, ids),
  ];
  const matcher = await termMatcher(ctx, positive, [
    ...transcripts.flatMap((s) => s.segments.map((segment) => segment.text)),
    ...rows.flatMap((r) => [r.note, r.contact_name ?? '', r.caller_name ?? '']),
    ...tags.map((tag) => tag.name),
  ]);
  return rows.map((row) => ({
    call: presentFound(row, tags),
    highlights: [
      ...transcriptHighlights(
        transcripts.filter((s) => s.call_id === row.id),
        matcher,
        positive.length === 0,
      ),
      ...fieldHighlights(
        row,
        tags.filter((tag) => tag.call_id === row.id),
        matcher,
        digits,
      ),
    ].slice(0, MOST_HIGHLIGHTS),
  }));
}

/** A call as lists of found calls show it. `tags`: of several calls. */
export const presentFound = (
  row: FoundRow,
  tags: Awaited<ReturnType<typeof tagsOfCalls>>,
): CallFound['call'] => ({
  id: row.id,
  number: { id: row.number_id, number: row.number, label: row.number_label },
  outbound: row.outbound ? 1 : 0,
  from: row.from_number,
  to: row.to_number,
  caller_name: row.caller_name,
  contact: row.contact_id ? { id: row.contact_id, name: row.contact_name ?? '' } : null,
  conversation_id: row.conversation_id,
  status: row.status,
  outcome: row.outcome,
  started_at: new Date(row.started_at).toISOString(),
  talk_seconds: row.talk_seconds,
  duration: row.duration_seconds,
  answered_by: row.answered_by as CallFound['call']['answered_by'],
  tags: tags
    .filter((tag) => tag.call_id === row.id)
    .map(({ id, name, color }) => ({ id, name, color })),
  note: row.note,
});

type Highlight = CallFound['highlights'][number];
/** Matching segments with the time of their first match; `beginning`: the first segment instead. */
function transcriptHighlights(
  transcripts: readonly CallTranscript[],
  matcher: TermMatcher,
  beginning: boolean,
): Highlight[] {
  return transcripts.flatMap((one) => {
    const field = one.kind === 'voicemail' ? ('voicemail' as const) : ('transcript' as const);
    if (beginning)
      return one.segments[0]
        ? [
            {
              field,
              ...snippetOf(one.segments[0].text, []),
              start_ms: one.segments[0].start_ms,
              speaker: one.segments[0].speaker,
            },
          ]
        : [];
    return one.segments.flatMap((segment): Highlight[] => {
      const isMeant = (word: string) => matcher(word, segment.speaker);
      const marks = findMarks(segment.text, isMeant);
      if (!marks.length) return [];
      const word = segment.words.find((w) => findMarks(w.w, isMeant).length > 0);
      return [
        {
          field,
          ...snippetOf(segment.text, marks),
          start_ms: word?.start_ms ?? segment.start_ms,
          speaker: segment.speaker,
        },
      ];
    });
  });
}
/** Matches in note, caller, tags and phone number. */
function fieldHighlights(
  row: FoundRow,
  tags: readonly { name: string }[],
  matcher: TermMatcher,
  digits: readonly string[],
): Highlight[] {
  const texts: [Highlight['field'], string][] = [
    ['note', row.note],
    ['caller', row.contact_name ?? ''],
    ['caller', row.caller_name ?? ''],
    ...tags.map((tag): [Highlight['field'], string] => ['tag', tag.name]),
  ];
  const found = texts.flatMap(([field, text]): Highlight[] => {
    const marks = text ? findMarks(text, (word) => matcher(word, null)) : [];
    return marks.length
      ? [{ field, ...snippetOf(text, marks), start_ms: null, speaker: null }]
      : [];
  });
  if (digits.some((d) => row.party.includes(d))) {
    const shown = formatPhone(row.party);
    found.push({
      field: 'caller',
      snippet: shown,
      start_ms: null,
      speaker: null,
      marks: [[0, shown.length]],
    });
  }
  return found;
}
