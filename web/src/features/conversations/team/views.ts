import type { ViewFilters } from '#contract/conversations/team/schemas';
import { inboxDefaults } from '../list/use-inbox.ts';

/** Converts between a saved view's filters and the inbox's URL parameters. */
type Address = typeof inboxDefaults;

const states: readonly ViewFilters['state'][] = ['unread', 'snoozed', 'archived', 'opt_outs'];
/** The filters of the inbox's address as a saved view stores them. */
export const viewToFilters = (a: Address): ViewFilters => ({
  state: states.find((state) => state === a.view) ?? 'open',
  assigned: a.assigned === '' ? null : /^\d+$/.test(a.assigned) ? Number(a.assigned) : a.assigned,
  types: [...a.types] as ViewFilters['types'],
  numbers: a.numbers.map(Number),
  sources: a.source ? [a.source] : [],
  search: a.search,
  dir: a.dir,
});
/** The inbox's address for a saved view. */
export const filtersToView = (f: ViewFilters): Address => ({
  ...inboxDefaults,
  view: f.state,
  assigned: f.assigned === null ? '' : String(f.assigned),
  types: [...f.types],
  numbers: f.numbers.map(String),
  source: f.sources[0] ?? '',
  search: f.search,
  dir: f.dir,
});
const sorted = (f: ViewFilters): string =>
  JSON.stringify([
    f.state,
    f.assigned === null ? null : String(f.assigned),
    [...f.types].sort(),
    [...f.numbers].sort((a, b) => a - b),
    [...f.sources].sort(),
    f.search,
    f.dir,
  ]);
/** Whether two filter sets select the same conversations in the same order. */
export const sameView = (a: ViewFilters, b: ViewFilters): boolean => sorted(a) === sorted(b);
/** Counts are capped at 99, because counting further is expensive for the server. */
export const shownCount = (n: number): string => (n > 99 ? '99+' : String(n));
