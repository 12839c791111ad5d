import type { audit } from '#contract';

/** Filters of the audit log, as the address has them. Days are calendar days of the reader. */
export const defaultFilters = { search: '', group: '', userId: '', from: '', to: '' };
export type AuditFilters = typeof defaultFilters;

/** Midnight of a day (`2026-11-21`) in the reader's zone, `later` days on; undefined without one. */
const midnight = (day: string, later = 0): string | undefined => {
  const [year, month, date] = day.split('-').map(Number);
  if (!year || !month || !date) return undefined;
  return new Date(year, month - 1, date + later).toISOString();
};

/** The filters as the API takes them. `to` includes its day. */
export const auditQuery = (filters: AuditFilters) => {
  const from = midnight(filters.from);
  const to = midnight(filters.to, 1);
  return {
    ...(filters.search && { search: filters.search }),
    ...(filters.group && { group: filters.group as audit.AuditGroup }),
    ...(filters.userId && { userId: Number(filters.userId) }),
    ...(from && { from }),
    ...(to && { to }),
  };
};
