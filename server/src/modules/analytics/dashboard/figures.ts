import type { CompanyPlaced } from '../query/placed-companies.ts';

/** Figures by their name; null: a rate of nothing. */
export type Values = Record<string, number | null>;
/** What one type of dashboard answers to a question. */
export interface Figures {
  /** Whose figures these are. */
  companies: readonly CompanyPlaced[];
  data: { key: string; label: string; values: Values }[];
  totals: Values;
  /** Calls, texts, voicemails or faxes that are counted. */
  rowCount: number;
  checksum: string | null;
}
