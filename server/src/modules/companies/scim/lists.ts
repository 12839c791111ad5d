import { schemas } from './messages.ts';
import { readFilter, type ScimFilter } from './patch.ts';

const PAGE = { normal: 100, most: 200 };

/** A page as directories read it (RFC 7644, 3.4.2). */
export const list = (
  Resources: readonly object[],
  { total, startIndex }: { total: number; startIndex: number },
) => ({
  schemas: [schemas.list],
  ...{ totalResults: total, startIndex, itemsPerPage: Resources.length },
  Resources,
});

/** What a list asks for; numbers out of range become the nearest ones (RFC 7644, 3.4.2.4). */
export function readList(query: Record<string, unknown>): {
  filter: ScimFilter | null;
  limit: number;
  offset: number;
} {
  const number = (key: string, normal: number): number => {
    const said = query[key] === undefined ? normal : Math.trunc(Number(query[key]));
    return Number.isFinite(said) ? said : normal;
  };
  return {
    filter: readFilter(query['filter'] === undefined ? undefined : String(query['filter'])),
    limit: Math.min(PAGE.most, Math.max(0, number('count', PAGE.normal))),
    offset: Math.min(1_000_000, Math.max(1, number('startIndex', 1))) - 1,
  };
}
