import { useState } from 'react';
import { contacts } from '#contract';
import { useApiQuery, useCompanyId } from '#ui';

export interface BulkSelection {
  selected: ReadonlySet<string | number>;
  /** How many contacts match the filters; `capped` when there are more. */
  total: number;
  capped: boolean;
  filters: Record<string, unknown>;
}
export type BulkTarget = ReturnType<typeof useBulkTarget>;

/** The contacts an action applies to: the selected ones, or all that match the filters. */
export function useBulkTarget({ selected, total, capped, filters }: BulkSelection) {
  const companyId = useCompanyId() ?? 0;
  const [includesAll, setIncludesAll] = useState(false);
  const isAll = includesAll && (capped || total > selected.size);
  // A capped total isn't a count, so all are counted before an action applies to all.
  const exact = useApiQuery(
    contacts.countContacts,
    { params: { companyId }, body: { filters } },
    { enabled: includesAll && capped, silent: true },
  ).response?.data.total;
  const matching = capped ? (exact ?? total) : total;
  return {
    isAll,
    setIncludesAll,
    count: isAll ? matching : selected.size,
    /** The target as the bulk endpoints take it. */
    which: isAll ? { all: true, filters } : { contacts: [...selected].map(Number) },
  };
}
