/**
 * How searches compare texts: the same letter in another writing is the same. Case, accents, composed
 * and decomposed forms, full-width and other compatibility letters, ligatures, letters like Ł and ß,
 * and the kinds of apostrophes, quotes and dashes don't count. The database has the same as `folded`
 * (`server/migrations/251_folded_search.sql`); a test holds them equal.
 */

// Accents of Latin, Greek and Cyrillic letters, Hebrew and Arabic vowel signs, and what is invisible.
const marks =
  /[\u0300-\u036F]|[\u0591-\u05BD]|[\u05BF\u05C1]|\u05C2|[\u05C4\u05C5]|\u05C7|[\u064B-\u065F]|\u0670|[\u1AB0-\u1AFF]|[\u1DC0-\u1DFF]|[\u20D0-\u20FF]|[\uFE20-\uFE2F]|[\u00AD\u200B-\u200F\u2060\uFEFF]/g;

const pairs = (from: string, to: string): ReadonlyMap<string, string> => {
  const targets = [...to];
  return new Map([...from].map((letter, i) => [letter, targets[i] ?? '']));
};
const signs = pairs('’‘‛ʼʻʹ′´“”„‟«»″‐‑‒–—―−', `''''''''"""""""-------`);
/** Letters without a decomposition. */
const letters = pairs('łøđðħıŧŋĸƒɨƶςŁØĐÐĦŦŊƗƵ', 'loddhitnkfizσloddhtniz');
const several = new Map([
  ['ß', 'ss'],
  ['ẞ', 'ss'],
  ['æ', 'ae'],
  ['Æ', 'ae'],
  ['œ', 'oe'],
  ['Œ', 'oe'],
  ['þ', 'th'],
  ['Þ', 'th'],
]);

// Texts without other signs need no more than lower case, here and in the database.
const notAscii = /[\u0080-\uffff]/;

/** The text as searches compare it; for ASCII its lower case. */
export function fold(text: string): string {
  if (!notAscii.test(text)) return text.toLowerCase();
  const plain = [...text].map((sign) => signs.get(sign) ?? sign).join('');
  const base = plain.normalize('NFKD').toLowerCase().replace(marks, '');
  const folded = [...base].map((one) => letters.get(one) ?? several.get(one) ?? one);
  return folded.join('').normalize('NFC');
}

/** Whether the text contains what someone typed, as searches compare them. */
export const foldedIncludes = (text: string, search: string): boolean =>
  fold(text).includes(fold(search.trim()));

/** Where the text contains what was searched for: start and end in `text`; null: it doesn't. */
export function foldedMatch(text: string, search: string): [start: number, end: number] | null {
  // Folded sign by sign, so that each place in the result is one in the text.
  const wanted = [...search.normalize('NFC')].map(fold).join('');
  let folded = '';
  const placeOf: number[] = [];
  let place = 0;
  for (const sign of text) {
    const base = fold(sign);
    for (let i = 0; i < base.length; i++) placeOf.push(place);
    folded += base;
    place += sign.length;
  }
  const at = wanted === '' ? -1 : folded.indexOf(wanted);
  if (at < 0) return null;
  // The end takes in accents written as signs of their own.
  return [placeOf[at] ?? 0, placeOf[at + wanted.length] ?? text.length];
}
