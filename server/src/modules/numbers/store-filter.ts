import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import { visibleCondition } from './store.ts';
import { foldedPattern } from '../../platform/folded.ts';

export interface NumberFilter {
  search?: string | undefined;
  status?: readonly string[] | undefined;
  category?: number | undefined;
  kind?: number | undefined;
  routingType?: string | undefined;
  tag?: string | undefined;
  areaCode?: string | undefined;
  region?: string | undefined;
  sms?: boolean | undefined;
  verified?: boolean | undefined;
  recorded?: boolean | undefined;
  in_pool?: boolean | undefined;
  unread?: boolean | undefined;
  unused?: boolean | undefined;
  /** Also numbers given up. */
  withTrashed?: boolean | undefined;
  /** Only these: the result of the search's index lookup. */
  matchingIds?: readonly number[] | undefined;
  /** Conditions of custom fields on `numberColumn`. */
  extraConditions?: readonly RawBuilder<unknown>[];
}
/** The column that conditions of custom fields are about. */
export const numberColumn = sql`n.id`;
/** Numbers without calls or texts for 30 days. */
export const unusedSince = (now: Date) => {
  const since = new Date(now.getTime() - 30 * 86_400_000);
  return sql`(coalesce(greatest(a.last_call_at, a.last_message_at), n.purchased_at) < ${since})`;
};
const like = foldedPattern;
/** With more matches than this, scanning the list in its order finds a page sooner. */
const maxMatches = 1000;
/**
 * Adds the ids that may match the search, if they are few. A search that is shorter than a trigram,
 * or common, is checked row by row instead.
 */
export async function resolveSearch(
  tx: Tx,
  companyId: number,
  filter: NumberFilter,
): Promise<NumberFilter> {
  const digits = filter.search?.replace(/\D/g, '') ?? '';
  if (
    !filter.search ||
    !/[\p{L}\p{N}]{3}/u.test(filter.search) ||
    digits.length === 2 ||
    filter.withTrashed ||
    filter.status?.includes('released')
  )
    return filter;
  const pattern = like(filter.search);
  const wantedDigits = digits.length > 2 ? digits : null;
  const { rows } = await sql<{ id: number }>`
    select id from numbers_matching(
      ${companyId}, ${pattern}, ${wantedDigits}, ${maxMatches + 1})`.execute(tx);
  return rows.length > maxMatches
    ? filter
    : { ...filter, matchingIds: [...new Set(rows.map((row) => row.id))] };
}
/** All conditions of a filter as one. */
export const matchingCondition = (
  companyId: number,
  filter: NumberFilter,
  only: readonly number[] | null,
  now: Date,
): RawBuilder<unknown> => sql.join(conditionsOf(companyId, filter, only, now), sql` and `);
/** How many conditions there are without a filter. */
export const baseConditionCount = 3;
/** The SQL conditions of a number filter on `number n`. `visibleNumbers`: null for all. */
export function conditionsOf(
  companyId: number,
  filter: NumberFilter,
  visibleNumbers: readonly number[] | null,
  now: Date,
): RawBuilder<unknown>[] {
  const all = [
    sql`n.company_id = ${companyId}`,
    visibleCondition(visibleNumbers),
    filter.status?.length
      ? sql`n.status = any (${[...filter.status]}::text[])`
      : filter.withTrashed
        ? sql`n.status <> 'pending'`
        : sql`n.status not in ('released', 'pending')`,
  ];
  const addFlag = (wanted: boolean | undefined, is: RawBuilder<unknown>) => {
    if (wanted !== undefined) all.push(wanted ? is : sql`not (${is})`);
  };
  if (filter.matchingIds) all.push(sql`n.id = any (${[...filter.matchingIds]}::bigint[])`);
  if (filter.search) {
    const digits = filter.search.replace(/\D/g, '');
    const pattern = like(filter.search);
    const byDigits = digits.length >= 2 ? sql`or n.number like ${like(digits)}` : sql``;
    all.push(sql`(folded(n.label) like ${pattern} or folded(n.city) like ${pattern}
      or folded(n.vanity_text) like ${pattern} ${byDigits})`);
  }
  if (filter.category) all.push(sql`n.category = ${filter.category}`);
  if (filter.kind) all.push(sql`n.kind = ${filter.kind}`);
  if (filter.routingType) all.push(sql`n.routing_type = ${filter.routingType}`);
  if (filter.areaCode) all.push(sql`n.area_code = ${filter.areaCode}`);
  if (filter.region) all.push(sql`n.region = ${filter.region.toUpperCase()}`);
  if (filter.tag)
    all.push(sql`exists (
      select from number_tag nt
      join tag t on t.company_id = nt.company_id and t.id = nt.tag_id and t.deleted_at is null
      where nt.company_id = n.company_id and nt.number_id = n.id
        and t.name_key = ${filter.tag.toLowerCase()})`);
  addFlag(filter.sms, sql`n.sms_enabled`);
  addFlag(filter.verified, sql`n.sms_verification_status = 'approved'`);
  addFlag(filter.recorded, sql`n.record`);
  addFlag(filter.in_pool, sql`n.dni_pool_id is not null`);
  addFlag(filter.unread, sql`coalesce(a.unread, 0) > 0`);
  addFlag(filter.unused, unusedSince(now));
  all.push(...(filter.extraConditions ?? []));
  return all;
}
