import { helpWords, optInWords, optOutWords } from '../../compliance/rules.ts';

/** How a keyword rule compares a text (A6.3). */
export const matchModes = ['exact', 'first_word', 'contains'] as const;

/** Keywords reserved by carrier rules; they can't be triggers. */
const reservedKeywords: readonly string[] = [...optOutWords, ...optInWords, ...helpWords].map(
  (word) => word.replace(' ', ''),
);

/** Whether carriers reserve the keyword (STOP, START, HELP …), so that no trigger may use it. */
export const isReserved = (keyword: string): boolean =>
  reservedKeywords.includes(keyword.trim().toUpperCase());
