/**
 * Headers of other programs' address books: numbered columns ("Phone 1 - Value"), columns per place
 * ("Business Phone", "Home Street"), names in one word ("MailingCity").
 */

/** A header normalized for comparison: letters and digits, one space between words. */
export const headerSlug = (header: string): string =>
  header
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** Words that say which one of several phones, emails or addresses a column holds. */
const places = new Set(
  (
    'home work business company office main primary other personal private alternate alternative alt ' +
    'secondary second additional day daytime evening direct billing mailing shipping physical postal ' +
    'customer client contact lead person caller default current cc assigned'
  ).split(' '),
);

const bookWords = {
  number: [
    'mobile',
    'mobile phone',
    'mobile number',
    'mobile phone number',
    'cell',
    'cell phone',
    'cell number',
    'cell phone number',
    'cellphone',
    'iphone',
    'phone',
    'phones',
    'phone no',
    'phone number',
    'phone numbers',
    'phonenumber',
    'tel',
    'tel no',
    'telephone',
    'telephone number',
    'landline',
    'car phone',
    'radio phone',
    'tty tdd phone',
  ],
  otherNumbers: ['fax', 'fax number', 'fax no', 'pager', 'callback'],
  email: ['email', 'emails', 'e mail', 'email address', 'e mail address', 'mail'],
  companyName: ['company', 'company name', 'organization', 'organization name', 'account name'],
  title: ['job title', 'organization title', 'organization job title', 'position', 'role'],
} as const;
const addressWords = {
  address1: ['street', 'street address', 'address', 'address line', 'address street', 'address 1'],
  address2: ['extended address', 'address extended address', 'po box', 'address po box'],
  city: ['city', 'town', 'locality', 'address city'],
  state: ['state', 'region', 'province', 'state province', 'state region', 'address region'],
  zip: ['zip', 'zip code', 'postal code', 'postcode', 'zip postal code', 'address postal code'],
  country: ['country', 'country region', 'address country'],
} as const;
const targetOfWord = new Map<string, string>(
  Object.entries({ ...bookWords, ...addressWords }).flatMap(([target, words]) =>
    words.map((word) => [word, target] as const),
  ),
);
export const addressTargets = Object.keys(addressWords) as (keyof typeof addressWords)[];

/** The words of a header, without "Value" at its end and digits. */
function wordsOf(header: string): { words: string[]; digits: string } {
  const slug = headerSlug(header);
  const words = slug
    .replace(/ value$/, '')
    .split(' ')
    .map((word) => word.replace(/(?<=\p{L})\d+$/u, (number) => ` ${number}`))
    .join(' ')
    .split(' ');
  return {
    words: words.filter((word) => !/^\d+$/.test(word)),
    digits: words.filter((word) => /^\d+$/.test(word)).join(' '),
  };
}

interface BookColumn {
  target: string;
  /** Which one of several it belongs to ("home", "address 2"); empty: none is said. */
  place: string;
  /** How likely it is the one that is called and texted; less is better. */
  rank: number;
}
const mobile = /^(mobile|cell|iphone)/;

/**
 * What a column of another program's address book holds, by its header. Null: unknown, or nothing of
 * the person's own (such as an assistant's phone).
 */
export const bookColumnOf = (header: string): BookColumn | null =>
  columnOf(header) ?? columnOf(header.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2'));

function columnOf(header: string): BookColumn | null {
  const { words, digits } = wordsOf(header);
  for (const [from, to] of cutsOf(words)) {
    const word = words.slice(from, to).join(' ');
    const target = targetOfWord.get(word);
    if (target === undefined) continue;
    const around = [...words.slice(0, from), ...words.slice(to)].join(' ');
    const isLine = target === 'address1' && /^[23]$/.test(digits) && !word.startsWith('address s');
    const isAddress = Object.hasOwn(addressWords, target);
    return {
      target: isLine ? 'address2' : target,
      place: isAddress ? [around, isLine ? '' : digits].filter(Boolean).join(' ') : around,
      rank: mobile.test(word) ? 0 : rankOfPlace(around),
    };
  }
  return null;
}
const rankOfPlace = (place: string): number => {
  if (/\b(mobile|cell)\b/.test(place)) return 0;
  if (place === 'primary' || place === 'main') return 1;
  return place.includes('company') ? 3 : 2;
};
/** The parts of a header that are left without words for its place, the longest first. */
function* cutsOf(words: readonly string[]): Generator<readonly [from: number, to: number]> {
  let from = 0;
  for (;;) {
    yield [from, words.length];
    if (from + 1 >= words.length || !places.has(words[from] ?? '')) break;
    from++;
  }
  for (let to = words.length - 1; to > 0 && isPlace(words[to]); to--) yield [0, to];
}
const isPlace = (word: string | undefined): boolean =>
  word !== undefined && (places.has(word) || word === 'mobile' || word === 'cell');
