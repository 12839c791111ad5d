/** Finds spoken and written numbers in a transcript. */
import type { TranscriptWord } from '../../../gateways/transcription.ts';

// Maps: a spoken "constructor" must not find a property of every object.
const ones = new Map(
  Object.entries({
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
  }),
);
const teens = new Map(
  Object.entries({
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
  }),
);
const tens = new Map(
  Object.entries({
    twenty: '2',
    thirty: '3',
    forty: '4',
    fifty: '5',
    sixty: '6',
    seventy: '7',
    eighty: '8',
    ninety: '9',
  }),
);
/** Words between digits that do not end the number. */
export const fillerWords = new Set([
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

/** A word of one speaker. */
export interface SpokenWord {
  word: TranscriptWord;
  /** Lower case, without punctuation around it. */
  normalized: string;
}
/** A digit and the index of its word; '' for a word that an earlier word includes. */
export interface Digit {
  digit: string;
  at: number;
}

/** The digits a word stands for, possibly with the next word ("double five"); null = none. */
function digitsOf(
  word: string,
  next: string | undefined,
): { digits: string; takesNext: boolean } | null {
  const written = word.replace(/[\s().,;:/-]/g, '');
  if (/^\d+$/.test(written)) return { digits: written, takesNext: false };
  const spoken = ones.get(word) ?? teens.get(word);
  if (spoken) return { digits: spoken, takesNext: false };
  if (word === 'double' || word === 'triple') {
    const digit = next === undefined ? undefined : (ones.get(next) ?? /^\d$/.exec(next)?.[0]);
    return digit ? { digits: digit.repeat(word === 'double' ? 2 : 3), takesNext: true } : null;
  }
  return tensOf(word, next);
}

/** "twenty", "twenty-one", or "twenty" followed by "one". */
function tensOf(
  word: string,
  next: string | undefined,
): { digits: string; takesNext: boolean } | null {
  const [first = '', second] = word.split('-');
  const ten = tens.get(word) ?? tens.get(first);
  if (!ten) return null;
  const joined = second === undefined ? undefined : ones.get(second);
  if (joined) return { digits: ten + joined, takesNext: false };
  const digit =
    next === undefined || next === 'zero' || next === 'oh' || next === 'o'
      ? undefined
      : ones.get(next);
  return digit ? { digits: ten + digit, takesNext: true } : { digits: `${ten}0`, takesNext: false };
}

/** Whether a word is a number, spoken or written. */
export const isNumberWord = (word: string): boolean => digitsOf(word, undefined) !== null;

/** Runs of digits, spoken or written, across words. Up to three filler words do not end a run. */
export function digitRuns(words: readonly SpokenWord[]): Digit[][] {
  const runs: Digit[][] = [];
  let run: Digit[] = [];
  let fillers = 0;
  let taken = -1;
  for (const [i, { normalized }] of words.entries()) {
    if (i === taken) {
      // Part of the word before, as in "double five": the run reaches to here.
      run.push({ digit: '', at: i });
      continue;
    }
    const read = digitsOf(normalized, words[i + 1]?.normalized);
    if (read) {
      for (const digit of read.digits) run.push({ digit, at: i });
      if (read.takesNext) taken = i + 1;
      fillers = 0;
      continue;
    }
    if (fillerWords.has(normalized)) fillers += 1;
    if (fillerWords.has(normalized) && fillers <= 3) continue;
    if (run.length) runs.push(run);
    run = [];
    fillers = 0;
  }
  if (run.length) runs.push(run);
  return runs;
}
