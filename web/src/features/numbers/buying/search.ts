import type { Body } from '#contract';
import { numbers } from '#contract';

/**
 * Values of the search fields without a search. They are kept in the page's address; `go` means
 * that a search was requested.
 */
export const emptySearch = {
  kind: 'local',
  country: 'US',
  areaCode: '',
  state: '',
  city: '',
  prefix: '8**',
  pattern: '',
  shape: '',
  match: 'Contains',
  words: [] as string[],
  go: false,
};
export type SearchFields = {
  [K in keyof typeof emptySearch]: (typeof emptySearch)[K] extends boolean
    ? boolean
    : (typeof emptySearch)[K] extends string[]
      ? string[]
      : string;
};
const maxResults = 12;
const categoryOfKind: Record<string, 1 | 2 | 3 | 4> = { local: 2, tollFree: 1, fax: 3, bulk: 4 };
type NumberSearch = Body<typeof numbers.locateNumbers>;

/**
 * The request body for the search fields. Empty fields are left out, and so are fields of other
 * number types.
 */
export function toNumberSearch(f: SearchFields): NumberSearch {
  const tollFree = f.kind === 'tollFree';
  const pattern = f.shape || f.pattern.trim();
  return {
    country: f.country === 'CA' && !tollFree ? 'CA' : 'US',
    category: categoryOfKind[f.kind] ?? 2,
    ...(tollFree
      ? { areaCode: f.prefix }
      : {
          ...(f.areaCode && { areaCode: f.areaCode }),
          ...(f.state && { state: f.state }),
          ...(f.city.trim() && { city: f.city.trim() }),
        }),
    ...(pattern && { pattern }),
    match: f.match as NumberSearch['match'],
    ...(f.words.length > 0 && { words: f.words }),
    limit: maxResults,
  };
}
/**
 * The form field for a field of the request that the API rejected; the pattern field for an unknown
 * one.
 */
export const searchFieldOf = (name: string): keyof SearchFields => {
  const head = name.split('.')[0] ?? name;
  return (head in emptySearch ? head : 'pattern') as keyof SearchFields;
};
