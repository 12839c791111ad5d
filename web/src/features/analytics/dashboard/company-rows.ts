import { t } from '#ui';
import type { Board, BoardRow } from './use-dashboard.ts';

/** A company of an organization. */
export interface CompanyRow extends BoardRow {
  /** Only the person's numbers are counted. */
  isLimited: boolean;
}

/** All companies that are counted, the busiest first: those without calls, too. */
export function companyRows({ data, meta }: Board): CompanyRow[] {
  const counted = new Map(data.map((row) => [row.key, row]));
  return (meta.companies ?? [])
    .map(({ id, name, is_limited: isLimited }) => ({
      ...(counted.get(String(id)) ?? { key: String(id), values: { calls: 0 } }),
      label: name,
      isLimited,
    }))
    .toSorted((a, b) => (b.values['calls'] ?? 0) - (a.values['calls'] ?? 0));
}

/** The same for pictures and files, whose names say whether all numbers are counted. */
export const savedCompanyRows = (board: Board): BoardRow[] =>
  companyRows(board).map(({ key, label, values, isLimited }) => ({
    key,
    label: isLimited ? t('{company} (your numbers only)', { company: label }) : label,
    values,
  }));
