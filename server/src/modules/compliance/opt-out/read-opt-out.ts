import { helpWords, optInWords } from '#contract/compliance/rules';
import { courtesyFirst, courtesyLast, filler, fillerFirst, greeting } from './courtesy.ts';
import { ownWords } from './own-words.ts';
import {
  clear,
  doubtful,
  doubtfulStop,
  folded,
  frenchWords,
  hasStrongKeyword,
  keywords,
  nearKeyword,
  ordinaryStop,
  strongKeyword,
} from './phrases.ts';

export type KeywordLanguage = 'en' | 'fr';
/** `doubt`: a wish to stop may be in it, which someone has to decide. */
type TextMeaning =
  | { word: 'stop' | 'start' | 'help'; language: KeywordLanguage }
  | { word: 'doubt' };

type ClauseMeaning = 'clear' | 'weak' | 'doubtful' | 'filler' | 'ordinary' | 'nothing';

/** In longer texts a single word says little. */
const shortText = 8;
/** Longer than this nothing but a keyword of its own is looked at. */
const longText = 60;

/** A clause without "please", "thanks" and the like at its ends. */
function withoutCourtesy(clause: string): string {
  let rest = clause;
  for (let before = ''; before !== rest;) {
    before = rest;
    rest = rest.replace(courtesyFirst, '').replace(courtesyLast, '').trim();
  }
  return rest;
}

function meaningOfClause(clause: string): ClauseMeaning {
  const core = withoutCourtesy(clause);
  if (!core || (greeting.test(clause) && !hasStrongKeyword.test(clause))) return 'nothing';
  if (filler.test(core)) return 'filler';
  // "Stop please stop" has it between.
  const joined = core.replace(/ (?:please|pls|plz|now)(?= )/g, '');
  if (keywords.test(joined)) return hasStrongKeyword.test(core) ? 'clear' : 'weak';
  const asking = clear.some((pattern) => pattern.test(core));
  if (asking) return 'clear';
  return doubtful.some((pattern) => pattern.test(core)) ? 'doubtful' : 'ordinary';
}

const clausesOf = (own: string): string[] =>
  own
    .split(/[\n.!?;:,()[\]{}|/\\•~*_="“”«»]+|\s[-–—]+\s|[-–—]{2,}|—/u)
    .map(folded)
    .flatMap((clause) => {
      // "ok stop" is an "ok" and a STOP.
      const rest = clause.replace(fillerFirst, '');
      return rest !== clause && keywords.test(withoutCourtesy(rest)) ? ['ok', rest] : [clause];
    })
    .filter(Boolean);

/** A single letter at a time: "S T O P", "S.T.O.P." */
const spelledStop = /^s[\W_]*t[\W_]*o[\W_]*p[\W_]*$/i;

/** Whether the word is there in a short text, in no sentence about buses and visits. */
function hasStrayStop(own: string, all: string, count: number): boolean {
  const shouted = /\bSTOP\b/.test(own) && /\p{Ll}/u.test(own) && count <= 20;
  const said = new RegExp(`\\b(?:${strongKeyword})\\b`).test(all) && count <= shortText;
  const asked = count <= longText && doubtfulStop.some((pattern) => pattern.test(all));
  return (shouted || said || asked) && !ordinaryStop.some((pattern) => pattern.test(all));
}

function optOutMeaning(own: string): 'stop' | 'doubt' | null {
  if (spelledStop.test(own)) return 'stop';
  const meanings = clausesOf(own).map(meaningOfClause);
  const has = (...wanted: ClauseMeaning[]) => meanings.some((each) => wanted.includes(each));
  const only = (...wanted: ClauseMeaning[]) => meanings.every((each) => wanted.includes(each));
  if (has('clear') && only('clear', 'weak', 'doubtful', 'filler', 'nothing')) return 'stop';
  // "Yes, cancel" answers a question; "Cancel. Thanks" doesn't.
  if (has('weak') && only('weak', 'nothing', 'doubtful')) return 'stop';
  const all = folded(own);
  const count = all ? all.split(' ').length : 0;
  if (has('clear') || (has('weak') && count <= shortText)) return 'doubt';
  if (count <= longText && doubtful.some((pattern) => pattern.test(all))) return 'doubt';
  if (nearKeyword.test(withoutCourtesy(all)) || nearKeyword.test(all.replace(/ /g, '')))
    return 'doubt';
  return hasStrayStop(own, all, count) ? 'doubt' : null;
}

const isWord = (list: readonly string[], typed: string): boolean =>
  list.some((word) => folded(word) === typed);

/**
 * What a text says about getting texts, read from its sender's own words only (see `ownWords`).
 * STOP counts with courtesy, with other keywords, and as a sentence that means nothing else (47 CFR
 * 64.1200(a)(10)); START and HELP stand alone. Null: an ordinary text.
 */
export function meaningOfText(text: string, earlier: readonly string[] = []): TextMeaning | null {
  const own = ownWords(text, earlier);
  if (!own) return null;
  const all = folded(own);
  const language = new RegExp(`\\b${frenchWords}\\b`).test(all) ? 'fr' : 'en';
  if (isWord(helpWords, all)) return { word: 'help', language };
  if (isWord(optInWords, all) || /^(?:un ?stop|start)$/.test(withoutCourtesy(all)))
    return { word: 'start', language };
  const meaning = optOutMeaning(own);
  return meaning === 'stop' ? { word: 'stop', language } : meaning && { word: 'doubt' };
}
