import type { TranscriptSegment, TranscriptWord } from '../../../gateways/transcription.ts';
import { digitRuns, fillerWords, isNumberWord, type Digit, type SpokenWord } from './digits.ts';

export type RedactionKind = 'card' | 'ssn' | 'dob';
/** A redacted span of the recording. */
export interface Redaction {
  kind: RedactionKind;
  start_ms: number;
  end_ms: number;
}
const placeholders: Record<RedactionKind, string> = {
  card: '[card number]',
  ssn: '[social security number]',
  dob: '[date of birth]',
};

const months =
  /^(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?|nov(ember)?|dec(ember)?)$/;

/** Luhn check: every card number passes, and one number in ten by chance. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    let n = Number(digits[digits.length - 1 - i]);
    if (i % 2 === 1) {
      n *= 2;
      if (n > 9) n -= 9;
    }
    sum += n;
  }
  return sum % 10 === 0;
}

/** A match from one word index to another, inclusive. */
type Match = { kind: RedactionKind; from: number; to: number };

const spokenDigits = (run: readonly Digit[]): Digit[] => run.filter(({ digit }) => digit !== '');
const textOf = (digits: readonly Digit[]): string => digits.map(({ digit }) => digit).join('');

/** Card numbers in a run: 13 to 19 digits that pass Luhn, the longest first. */
function cardsIn(run: readonly Digit[]): Match[] {
  const digits = spokenDigits(run);
  const matches: Match[] = [];
  let first = 0;
  while (first + 13 <= digits.length) {
    const length = [19, 18, 17, 16, 15, 14, 13].find((n) => isCard(digits, first, n));
    const [from, to] = [digits[first], digits[first + (length ?? 1) - 1]];
    if (length && from && to) matches.push({ kind: 'card', from: from.at, to: to.at });
    first += length ?? 1;
  }
  return matches;
}

/**
 * Whether `length` digits from `first` are a card number. It must start like an issuer's number and
 * begin and end with a word: parts of longer numbers pass Luhn by chance.
 */
function isCard(digits: readonly Digit[], first: number, length: number): boolean {
  const [from, to] = [digits[first], digits[first + length - 1]];
  return (
    from !== undefined &&
    to !== undefined &&
    /[2-6]/.test(from.digit) &&
    digits[first - 1]?.at !== from.at &&
    digits[first + length]?.at !== to.at &&
    passesLuhn(textOf(digits.slice(first, first + length)))
  );
}

/** Whether one of the 14 words before `at` matches. */
const precededBy = (words: readonly SpokenWord[], at: number, pattern: RegExp) =>
  words.slice(Math.max(0, at - 14), at).some((word) => pattern.test(word.normalized));

/** A run that is a social security number, written as one or named as one before. */
function ssnsIn(run: readonly Digit[], words: readonly SpokenWord[]): Match[] {
  const digits = spokenDigits(run);
  const [first, last] = [digits[0], digits.at(-1)];
  if (!first || !last || !isValidSsn(textOf(digits))) return [];
  const written = /^\d{3}-\d{2}-\d{4}[.,]?$/.test(words[first.at]?.normalized ?? '');
  return written || precededBy(words, first.at, /^(social|ssn|socials?)$/)
    ? [{ kind: 'ssn', from: first.at, to: last.at }]
    : [];
}

/** Nine digits that the Social Security Administration can issue. */
const isValidSsn = (text: string): boolean =>
  text.length === 9 &&
  !/^(000|666|9)/.test(text) &&
  text.slice(3, 5) !== '00' &&
  text.slice(5) !== '0000';

/** Dates shortly after a word like "born". */
function birthDatesIn(words: readonly SpokenWord[]): Match[] {
  return words.flatMap(({ normalized }, i): Match[] => {
    if (!precededBy(words, i, /^(born|birth|birthday|birthdate|dob)$/)) return [];
    if (
      /^\d{1,2}[/.-]\d{1,2}[/.-](\d{2}|\d{4})$/.test(normalized) ||
      /^\d{4}-\d{2}-\d{2}$/.test(normalized)
    )
      return [{ kind: 'dob', from: i, to: i }];
    if (!months.test(normalized)) return [];
    const to = endOfSpokenDate(words, i);
    return to > i ? [{ kind: 'dob', from: i, to }] : [];
  });
}

/** The last number word of a date spoken from its month on: "March the fifth nineteen eighty". */
function endOfSpokenDate(words: readonly SpokenWord[], month: number): number {
  let end = month;
  for (const [offset, { normalized }] of words.slice(month + 1, month + 8).entries()) {
    const isNumber =
      /\d/.test(normalized) ||
      isNumberWord(normalized) ||
      /^(\w+th|first|second|third|hundred|thousand)$/.test(normalized);
    if (isNumber) end = month + 1 + offset;
    else if (!fillerWords.has(normalized) && normalized !== 'the') break;
  }
  return end;
}

const normalizeWord = (w: string) =>
  w.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
/** The segment's words; without timing they are spread over it evenly. */
export function timedWords(s: TranscriptSegment): TranscriptWord[] {
  if (s.words.length) return s.words;
  const words = s.text.split(/\s+/).filter(Boolean);
  const each = (s.end_ms - s.start_ms) / Math.max(1, words.length);
  return words.map((w, i) => ({
    w,
    start_ms: Math.round(s.start_ms + i * each),
    end_ms: Math.round(s.start_ms + (i + 1) * each),
    confidence: s.confidence,
  }));
}

/**
 * Redacts card numbers (13 to 19 digits that pass Luhn), social security numbers and dates of
 * birth, written or spoken digit by digit, also across segments of the same speaker. Their words
 * become a placeholder; `redactions` are the spans (ms) to silence in the recording.
 */
export function redact(
  segments: readonly TranscriptSegment[],
  kinds: readonly RedactionKind[],
): { segments: TranscriptSegment[]; redactions: Redaction[] } {
  const words = segments.map(timedWords);
  const channels = [...new Set(segments.map((segment) => segment.channel))];
  const found = channels.flatMap((channel) => findOnChannel(segments, words, channel, kinds));
  if (!found.length) return { segments: [...segments], redactions: [] };
  const marks = new Map<TranscriptWord, RedactionKind | 'rest'>();
  for (const { kind, matched } of found)
    for (const [i, { word }] of matched.entries())
      if (!marks.has(word)) marks.set(word, i === 0 ? kind : 'rest');
  const redactions = found.map(({ kind, matched }) => ({
    kind,
    start_ms: matched[0]?.word.start_ms ?? 0,
    end_ms: matched.at(-1)?.word.end_ms ?? 0,
  }));
  return {
    redactions: redactions.sort((a, b) => a.start_ms - b.start_ms),
    segments: segments.map((segment, i) => redactSegment(segment, words[i] ?? [], marks)),
  };
}

/** What to redact of one channel: the kind and its words. */
function findOnChannel(
  segments: readonly TranscriptSegment[],
  words: readonly TranscriptWord[][],
  channel: number,
  kinds: readonly RedactionKind[],
): { kind: RedactionKind; matched: SpokenWord[] }[] {
  const spoken = segments.flatMap((segment, i) =>
    segment.channel === channel
      ? (words[i] ?? []).map((word): SpokenWord => ({ word, normalized: normalizeWord(word.w) }))
      : [],
  );
  const runs = digitRuns(spoken);
  const matches = [
    ...(kinds.includes('card') ? runs.flatMap(cardsIn) : []),
    ...(kinds.includes('ssn') ? runs.flatMap((run) => ssnsIn(run, spoken)) : []),
    ...(kinds.includes('dob') ? birthDatesIn(spoken) : []),
  ];
  return matches.map(({ kind, from, to }) => ({ kind, matched: spoken.slice(from, to + 1) }));
}

/** The segment with its marked words replaced: the first of a match by the placeholder. */
function redactSegment(
  segment: TranscriptSegment,
  words: readonly TranscriptWord[],
  marks: ReadonlyMap<TranscriptWord, RedactionKind | 'rest'>,
): TranscriptSegment {
  if (!words.some((word) => marks.has(word))) return segment;
  const kept = words.flatMap((word) => {
    const mark = marks.get(word);
    if (mark === 'rest') return [];
    return [mark ? { ...word, w: placeholders[mark] } : word];
  });
  return {
    ...segment,
    text: kept.map((word) => word.w).join(' '),
    words: segment.words.length ? kept : [],
  };
}
