import { fold } from '#contract/fold';
import type { PhrasesWanted, SpokenPhrase } from '#contract/calls/phrases/schemas';
import type { TranscriptSegment } from '../../../gateways/transcription.ts';
import { timedWords } from '../redaction/rules.ts';

/** A word as it is compared; empty: what was redacted, which no phrase matches. */
interface Spoken {
  word: string;
  speaker: 0 | 1 | 2;
  start_ms: number;
  end_ms: number;
}
/** A segment of a transcript. `words` may be left out: then the text is spread over its time. */
export type SpokenSegment = Pick<
  TranscriptSegment,
  'speaker' | 'channel' | 'start_ms' | 'end_ms' | 'text'
> & { words?: TranscriptSegment['words'] | undefined };

/** A longer pause ends a phrase. Milliseconds. */
const LONGEST_PAUSE_MS = 2000;
const wordPattern = /[\p{L}\p{N}]+(?:'\p{L}+)*/gu;

/** A phrase taken apart: each word, or with `*` how it begins. */
type Pattern = { phrase: string; words: { text: string; isStart: boolean }[] };

function patternOf(phrase: string): Pattern {
  const words = [...fold(phrase).matchAll(/([\p{L}\p{N}]+(?:'\p{L}+)*)(\*?)/gu)].map(
    ([, text = '', star]) => ({ text, isStart: star === '*' }),
  );
  return { phrase, words };
}

/** The longest whole word of each phrase, folded: a text without any of them has none of the phrases. */
export const telltaleWords = (phrases: readonly string[]): string[] => [
  ...new Set(
    phrases.flatMap((phrase) => {
      const { words } = patternOf(phrase);
      return words.map(({ text }) => text).toSorted((a, b) => b.length - a.length)[0] ?? [];
    }),
  ),
];

/**
 * Where phrases were said, in their order. Words count in any case and accents. Of phrases that begin
 * at the same word, the longest counts.
 */
export function spotPhrases(
  segments: readonly SpokenSegment[],
  { phrases, said_by: side }: Pick<PhrasesWanted, 'phrases' | 'said_by'>,
): Omit<SpokenPhrase, 'recording'>[] {
  const patterns = phrases
    .map(patternOf)
    .filter(({ words }) => words.length > 0)
    .toSorted((a, b) => b.words.length - a.words.length);
  const speaker = { either: null, agent: 1, client: 2 }[side];
  const channels = [...new Set(segments.map(({ channel }) => channel))];
  return channels
    .flatMap((channel) => spotOnChannel(wordsOf(segments, channel), patterns))
    .filter((one) => speaker === null || one.speaker === speaker)
    .toSorted((a, b) => a.start_ms - b.start_ms);
}

function spotOnChannel(words: readonly Spoken[], patterns: readonly Pattern[]) {
  const found: Omit<SpokenPhrase, 'recording'>[] = [];
  for (let at = 0; at < words.length; at++) {
    const pattern = patterns.find((one) => isSaidAt(words, at, one));
    const [first, last] = [words[at], words[at + (pattern?.words.length ?? 1) - 1]];
    if (!pattern || !first || !last) continue;
    found.push({
      phrase: pattern.phrase,
      speaker: first.speaker,
      start_ms: first.start_ms,
      end_ms: last.end_ms,
    });
    at += pattern.words.length - 1;
  }
  return found;
}

const isSaidAt = (words: readonly Spoken[], at: number, { words: wanted }: Pattern): boolean =>
  wanted.every(({ text, isStart }, i) => {
    const [said, before] = [words[at + i], words[at + i - 1]];
    if (!said || (isStart ? !said.word.startsWith(text) : said.word !== text)) return false;
    return (
      i === 0 ||
      before === undefined ||
      (before.speaker === said.speaker && said.start_ms - before.end_ms <= LONGEST_PAUSE_MS)
    );
  });

/** What was said on a channel, word by word, with what was redacted as an empty word. */
function wordsOf(segments: readonly SpokenSegment[], channel: number): Spoken[] {
  const spoken: Spoken[] = [];
  let isRedacted = false;
  for (const segment of segments) {
    if (segment.channel !== channel) continue;
    const timed = timedWords({ confidence: 0, i: 0, ...segment, words: segment.words ?? [] });
    for (const { w, start_ms, end_ms } of timed) {
      isRedacted ||= w.startsWith('[');
      const parts = isRedacted ? [''] : [...fold(w).matchAll(wordPattern)].map(([part]) => part);
      for (const word of parts) spoken.push({ word, speaker: segment.speaker, start_ms, end_ms });
      if (w.includes(']')) isRedacted = false;
    }
  }
  return spoken;
}
