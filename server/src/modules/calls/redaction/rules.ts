import type { TranscriptSegment, TranscriptWord } from '../../../gateways/transcription.ts';

export type RedactionKind = 'card' | 'ssn' | 'dob';
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

const ones: Record<string, string> = {
  zero: '0',
  oh: '0',
  o: '0',
  one: '1',
  two: '2',
  three: '3',
  four: '4',
  five: '5',
  six: '6',
  seven: '7',
  eight: '8',
  nine: '9',
};
const teens: Record<string, string> = {
  ten: '10',
  eleven: '11',
  twelve: '12',
  thirteen: '13',
  fourteen: '14',
  fifteen: '15',
  sixteen: '16',
  seventeen: '17',
  eighteen: '18',
  nineteen: '19',
};
const tens: Record<string, string> = {
  twenty: '2',
  thirty: '3',
  forty: '4',
  fifty: '5',
  sixty: '6',
  seventy: '7',
  eighty: '8',
  ninety: '9',
};
/** What people say between digits without ending the number. */
const filler = new Set([
  'and',
  'um',
  'uh',
  'er',
  'dash',
  'hyphen',
  'then',
  'okay',
  'ok',
  '-',
  '–',
  'space',
  '',
]);
const months =
  /^(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?|nov(ember)?|dec(ember)?)$/;

/** Luhn's check digit: every card number passes, one number in ten by chance. */
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

/** One word of one speaker, with where it stands. */
interface WordPosition {
  segment: number;
  word: number;
  normalized: string;
  start: number;
  end: number;
}
/** A digit and the place that said it. */
interface Digit {
  d: string;
  at: number;
}

/** The digits a word is, alone or after "double", "twenty": null when it is none. */
function digitsOf(
  bare: string,
  next: string | undefined,
): { digits: string; takesNext: boolean } | null {
  const written = bare.replace(/[\s().,;:/-]/g, '');
  if (/^\d+$/.test(written)) return { digits: written, takesNext: false };
  if (ones[bare]) return { digits: ones[bare], takesNext: false };
  if (teens[bare]) return { digits: teens[bare], takesNext: false };
  if (bare === 'double' || bare === 'triple') {
    const one =
      next === undefined ? undefined : (ones[next] ?? (/^\d$/.test(next) ? next : undefined));
    return one ? { digits: one.repeat(bare === 'double' ? 2 : 3), takesNext: true } : null;
  }
  const ten = tens[bare] ?? tens[bare.split('-')[0]!];
  if (ten) {
    const joined = bare.includes('-') ? ones[bare.split('-')[1]!] : undefined;
    if (joined) return { digits: ten + joined, takesNext: false };
    const one =
      next === undefined || next === 'zero' || next === 'oh' || next === 'o'
        ? undefined
        : ones[next];
    return one ? { digits: ten + one, takesNext: true } : { digits: `${ten}0`, takesNext: false };
  }
  return null;
}

/** Runs of digits as somebody says or writes them, over as many words as it takes. */
function digitRuns(words: readonly WordPosition[]): Digit[][] {
  const runs: Digit[][] = [];
  let run: Digit[] = [];
  let idle = 0;
  const close = () => {
    if (run.length) runs.push(run);
    run = [];
    idle = 0;
  };
  for (let i = 0; i < words.length; i++) {
    const read = digitsOf(words[i]!.normalized, words[i + 1]?.normalized);
    if (read) {
      for (const d of read.digits) run.push({ d, at: i });
      if (read.takesNext) {
        i++;
        run.push({ d: '', at: i });
      }
      idle = 0;
    } else if (!filler.has(words[i]!.normalized) || ++idle > 3) close();
  }
  close();
  return runs;
}

type Match = { kind: RedactionKind; from: number; to: number };
function cardsIn(run: readonly Digit[]): Match[] {
  const said = run.filter((one) => one.d !== '');
  const found: Match[] = [];
  // It begins and ends with a word, and as issuers' numbers do: the inside of a longer number passes Luhn now and then.
  const edges = (first: number, last: number) =>
    /[2-6]/.test(said[first]!.d) &&
    said[first - 1]?.at !== said[first]!.at &&
    said[last + 1]?.at !== said[last]!.at;
  for (let i = 0; i + 13 <= said.length;) {
    const length = [19, 18, 17, 16, 15, 14, 13].find(
      (n) =>
        i + n <= said.length &&
        edges(i, i + n - 1) &&
        passesLuhn(
          said
            .slice(i, i + n)
            .map((one) => one.d)
            .join(''),
        ),
    );
    if (!length) {
      i++;
      continue;
    }
    found.push({ kind: 'card', from: said[i]!.at, to: said[i + length - 1]!.at });
    i += length;
  }
  return found;
}
const textBefore = (places: readonly WordPosition[], at: number, words: RegExp) =>
  places.slice(Math.max(0, at - 14), at).some((p) => words.test(p.normalized));
function ssnsIn(run: readonly Digit[], words: readonly WordPosition[]): Match[] {
  const said = run.filter((one) => one.d !== '');
  const text = said.map((one) => one.d).join('');
  const written = words[said[0]!.at]!.normalized;
  const grouped = /^\d{3}-\d{2}-\d{4}[.,]?$/.test(written);
  if (
    text.length !== 9 ||
    /^(000|666|9)/.test(text) ||
    text.slice(3, 5) === '00' ||
    text.slice(5) === '0000'
  )
    return [];
  return grouped || textBefore(words, said[0]!.at, /^(social|ssn|socials?)$/)
    ? [{ kind: 'ssn', from: said[0]!.at, to: said.at(-1)!.at }]
    : [];
}
function birthDatesIn(words: readonly WordPosition[]): Match[] {
  return words.flatMap((p, i): Match[] => {
    if (!textBefore(words, i, /^(born|birth|birthday|birthdate|dob)$/)) return [];
    if (
      /^\d{1,2}[/.-]\d{1,2}[/.-](\d{2}|\d{4})$/.test(p.normalized) ||
      /^\d{4}-\d{2}-\d{2}$/.test(p.normalized)
    )
      return [{ kind: 'dob', from: i, to: i }];
    if (!months.test(p.normalized)) return [];
    // "March the fifth nineteen eighty": the month and the numbers that follow it.
    let to = i;
    for (let k = i + 1; k < Math.min(words.length, i + 8); k++)
      if (
        /\d/.test(words[k]!.normalized) ||
        digitsOf(words[k]!.normalized, undefined) ||
        /^(\w+th|first|second|third|hundred|thousand)$/.test(words[k]!.normalized)
      )
        to = k;
      else if (!filler.has(words[k]!.normalized) && words[k]!.normalized !== 'the') break;
    return to > i ? [{ kind: 'dob', from: i, to }] : [];
  });
}

const normalizeWord = (w: string) =>
  w.toLowerCase().replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
/** Words of a segment; where the engine timed none, they are spread over it evenly. */
function timedWords(s: TranscriptSegment): TranscriptWord[] {
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
 * Take out what must not be kept: card numbers (13 to 19 digits that pass Luhn), social security numbers, dates of birth;
 * written or spoken digit by digit, across breaths and segments of the same speaker. The words become a placeholder; the
 * spans say what must fall silent.
 */
export function redact(
  segments: readonly TranscriptSegment[],
  kinds: readonly RedactionKind[],
): { segments: TranscriptSegment[]; redactions: Redaction[] } {
  const words = segments.map(timedWords);
  const gone: (RedactionKind | 'rest' | undefined)[][] = words.map((list) =>
    list.map(() => undefined),
  );
  const redactions: Redaction[] = [];
  for (const channel of new Set(segments.map((s) => s.channel))) {
    const places = segments.flatMap((s, segment) =>
      s.channel !== channel
        ? []
        : words[segment]!.map((w, word): WordPosition => ({
            segment,
            word,
            normalized: normalizeWord(w.w),
            start: w.start_ms,
            end: w.end_ms,
          })),
    );
    const runs = digitRuns(places);
    const found = [
      ...(kinds.includes('card') ? runs.flatMap(cardsIn) : []),
      ...(kinds.includes('ssn') ? runs.flatMap((run) => ssnsIn(run, places)) : []),
      ...(kinds.includes('dob') ? birthDatesIn(places) : []),
    ];
    for (const { kind, from, to } of found) {
      places.slice(from, to + 1).forEach((p, i) => {
        gone[p.segment]![p.word] ??= i === 0 ? kind : 'rest';
      });
      redactions.push({ kind, start_ms: places[from]!.start, end_ms: places[to]!.end });
    }
  }
  if (!redactions.length) return { segments: [...segments], redactions };
  return {
    redactions: redactions.sort((a, b) => a.start_ms - b.start_ms),
    segments: segments.map((s, i) => {
      if (!gone[i]!.some(Boolean)) return s;
      const kept = words[i]!.flatMap((w, k) => {
        const why = gone[i]![k];
        return why === 'rest' ? [] : why ? [{ ...w, w: placeholders[why] }] : [w];
      });
      return { ...s, text: kept.map((w) => w.w).join(' '), words: s.words.length ? kept : [] };
    }),
  };
}
