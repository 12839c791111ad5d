/** A person's name as texts greet it. */
export interface NameParts {
  first: string;
  last: string;
  /** True when it was turned round, lost a title or its capitals, or is no name: worth a look. */
  isOdd: boolean;
}

const titles =
  /^(?:mr|mrs|ms|miss|mx|dr|prof|professor|rev|reverend|mme|mlle|herr|frau|señora?|señorita|srta)\.?$|^(?:sr|sra|fr|hon|capt|lt|sgt|col|sir|madam|dott|ing|don|dña)\.$|^sir$/i;
const suffixes =
  /^(?:jr|sr|ii|iii|iv|md|phd|esq|cpa|dds|dvm|rn|do|dc|od|pe|mba|jd)\.?$|^(?:m\.d|ph\.d|d\.d\.s|j\.d)\.?$/i;
const emoji = /^(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u200d|\ufe0f)+$/u;
const joiners = /^(?:&|\+|and|et|und|y)$/i;
const companies = /^(?:inc|llc|ltd|corp|co|gmbh|s\.a|plc|llp|pllc)\.?$/i;

/** "ANA" → "Ana", "O'BRIEN-SMITH" → "O'Brien-Smith", "MCDONALD" → "McDonald"; "JD" stays. */
const quiet = (word: string): string =>
  /^[^AEIOUYÀ-ÿ]{1,3}$/iu.test(word)
    ? word
    : word
        .toLowerCase()
        .replace(
          /(^|[-'’.])(\p{L})/gu,
          (_, before: string, letter: string) => before + letter.toUpperCase(),
        )
        .replace(/^Mc(\p{L})/u, (_, letter: string) => `Mc${letter.toUpperCase()}`);

/**
 * First and last name of a contact, for merge fields: "Smith, John" is turned round, titles are left
 * out, and names in capitals are written as names. A number or an address is no name.
 */
export function nameParts(name: string): NameParts {
  const plain = name
    .normalize('NFC')
    .replace(/\([^()]*\)|"[^"]*"|“[^”]*”/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (!/\p{L}/u.test(plain) || /\S@\S+\.\S/.test(plain))
    return { first: '', last: '', isOdd: true };
  const [front = '', ...behind] = plain.split(/\s*,\s*/).filter(Boolean);
  const after = behind.filter((part) => !suffixes.test(part));
  const isTurned = after.length > 0 && !companies.test(after[0] ?? '');
  const words = (isTurned ? `${after[0] ?? ''} ${front}` : [front, ...after].join(' '))
    .split(' ')
    .filter((word) => !emoji.test(word));
  const isTitle = (i: number): boolean => titles.test(words[i] ?? '');
  let from = 0;
  // "Mr & Mrs Jones" are two titles and one name.
  while (
    from < words.length - 1 &&
    (isTitle(from) || (from > 0 && joiners.test(words[from] ?? '') && isTitle(from + 1)))
  )
    from++;
  const named = words.slice(from).filter((word, i) => i === 0 || !suffixes.test(word));
  const isShouted = /\p{Lu}{2}/u.test(named.join('')) && !/\p{Ll}/u.test(named.join(''));
  const [first = '', ...rest] = isShouted ? named.map(quiet) : named;
  const family = isTurned ? rest.slice(-front.split(' ').length) : rest;
  // "Mrs. Smith" alone is called so.
  const greeted = from > 0 && !rest.length ? [...words.slice(0, from), first].join(' ') : first;
  return {
    first: greeted,
    last: family.length || from === 0 ? family.join(' ') : first,
    isOdd: isTurned || from > 0 || isShouted || /\d/.test(first) || /^\p{L}\.?$/u.test(first),
  };
}
