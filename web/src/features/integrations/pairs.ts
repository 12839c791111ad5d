import { crmFields } from '#contract/integrations/oauth-integrations/rules';
import type { Pair } from './PairFields.tsx';

const orderOf = ({ ours }: Pair): number => crmFields.findIndex((field) => field === ours);

/** Pairs of a map, those of CRM fields in the order of their list; the database keeps none. */
export const pairsOf = (map: Readonly<Record<string, string | undefined>> | undefined): Pair[] =>
  Object.entries(map ?? {})
    .map(([ours = null, theirs = null]) => ({ ours, theirs }))
    .toSorted((a, b) => orderOf(a) - orderOf(b));

/** Pairs of which both sides are chosen. */
export const mapOf = (pairs: readonly Pair[]): Record<string, string> =>
  Object.fromEntries(
    pairs.flatMap(({ ours, theirs }) => (ours && theirs ? [[ours, theirs] as const] : [])),
  );
