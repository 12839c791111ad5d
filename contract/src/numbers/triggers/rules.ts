import { helpWords, optInWords, optOutWords } from '../../compliance/rules.ts';

/** How a rule reads a text (A6.3). */
export const matchModes = ['exact', 'first_word', 'contains'] as const;

/** Words that carriers' rules reserve: never a trigger. */
export const reservedKeywords: readonly string[] = [
  ...optOutWords,
  ...optInWords,
  ...helpWords,
].map((word) => word.replace(' ', ''));

export const isReserved = (keyword: string): boolean =>
  reservedKeywords.includes(keyword.trim().toUpperCase());
