import { sql, type RawBuilder } from 'kysely';
import { outcomeOfAnswer } from '#contract/analytics/call-analytics/rules';
import type { Question } from './question.ts';
import type { Known } from './store-known.ts';
import { areaCode, campaignOf, sentimentOf, sourceKey, userId } from './store-dimensions.ts';

type Sql = RawBuilder<unknown>;

/**
 * Whether the call `c` belongs to one of these data groups of the company's organization: the
 * company, its number, its tracking pool, who answered or placed it, or a tag of it is in one.
 * Row-level security leaves groups of other organizations empty.
 */
const inDataGroups = (companyId: Known<number>, ids: readonly number[]): Sql => {
  const held = (type: string) => sql`select d.entity_id from data_group_entity d
    where d.organization_id = (select organization_id from company where id = ${companyId})
      and d.group_id = any(${[...ids]}::bigint[]) and d.type = ${type}`;
  return sql`(${companyId} in (${held('company')})
    or c.number_id in (${held('number')})
    or c.number_id in (select p.number_id from tracking_pool_number p
      where p.company_id = ${companyId} and p.pool_id in (${held('dniPool')}))
    or coalesce(${userId} in (${held('user')}), false)
    or c.id in (select t.call_id from call_tag t
      where t.company_id = ${companyId} and t.tag_id in (${held('tag')})))`;
};

const anyId = (of: Sql, ids: readonly number[]) => sql`${of} = any(${[...ids]}::bigint[])`;
const anyWord = (of: Sql, words: readonly string[]) => sql`${of} = any(${[...words]}::text[])`;

/** A filter that is set, as SQL. */
type Conditions = {
  [K in keyof Question['filters']]-?: (
    value: NonNullable<Question['filters'][K]>,
    f: { companyId: Known<number>; isAttributed: boolean },
  ) => Sql;
};
const conditions: Conditions = {
  // Said as their index says it.
  direction: (way) =>
    way === 'all' ? sql`true` : way === 'inbound' ? sql`not c.outbound` : sql`c.outbound`,
  number_ids: (ids) => anyId(sql`c.number_id`, ids),
  data_group_ids: (ids, { companyId }) => inDataGroups(companyId, ids),
  tags: (ids, { companyId }) => sql`exists (select from call_tag t
    where t.company_id = ${companyId} and t.call_id = c.id and ${anyId(sql`t.tag_id`, ids)})`,
  answer_status: (names) =>
    anyId(
      sql`c.outcome`,
      names.map((name) => outcomeOfAnswer[name]),
    ),
  min_duration: (seconds) => sql`c.talk_seconds >= ${seconds}`,
  first_contact: (is) => sql`c.first_contact = ${is}`,
  answered_by: (types) => anyWord(sql`c.answered_by ->> 'type'`, types),
  user_ids: (ids) => anyId(userId, ids),
  geo_states: (states) => anyWord(sql`c.caller_state`, states),
  geo_areas: (codes) => anyWord(areaCode, codes),
  sources: (keys, { isAttributed }) => anyWord(sourceKey(isAttributed), keys),
  campaigns: (names, { isAttributed }) => anyWord(campaignOf(isAttributed), names),
  outcomes: (tags) => sql`c.outcome_tags && ${[...tags]}::text[]`,
  departments: (names) => anyWord(sql`c.department`, names),
  qualified: (is) => sql`c.qualified = ${is}`,
  lead: (is) => sql`c.lead = ${is}`,
  dni_pool_ids: (ids) => anyId(sql`c.dni_pool_id`, ids),
  extension_labels: (labels) => anyWord(sql`c.extension_label`, labels),
  phrase_list_ids: (ids, { companyId }) => sql`exists (select from phrase_hit h
    where h.company_id = ${companyId} and h.call_id = c.id and ${anyId(sql`h.list_id`, ids)})`,
  sentiments: (moods, { companyId }) => anyWord(sentimentOf(companyId), moods),
};

/** Whether the call `c` passes all filters that are set. An empty list lets nothing pass. */
export function passes(
  filters: Question['filters'],
  f: { companyId: Known<number>; isAttributed: boolean },
): Sql {
  const said = (Object.keys(conditions) as (keyof Conditions)[]).flatMap((name) => {
    const value = filters[name];
    // Each condition takes the value of its own filter, which the compiler can't follow here.
    const make = conditions[name] as (value: unknown, frame: typeof f) => Sql;
    return value === undefined ? [] : [make(value, f)];
  });
  return sql`${sql.join(said, sql` and `)}`;
}
