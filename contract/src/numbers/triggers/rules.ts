import { helpWords, optInWords, optOutWords } from '../../compliance/rules.ts';

/** How a keyword rule compares a text (A6.3). */
export const matchModes = ['exact', 'first_word', 'contains'] as const;

/** Keywords reserved by carrier rules; they can't be triggers. */
export const reservedKeywords: readonly string[] = [
  ...optOutWords,
  ...optInWords,
  ...helpWords,
].map((word) => word.replace(' ', ''));

export const isReserved = (keyword: string): boolean =>
  reservedKeywords.includes(keyword.trim().toUpperCase());
