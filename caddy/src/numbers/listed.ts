import type { Answer, caddy } from '#contract';

/** A free number as the catalogue lists it. */
export type Listed = Answer<typeof caddy.searchCaddyCatalog>['data'][number];

export interface Choosing {
  choose: (number: Listed) => void;
}
