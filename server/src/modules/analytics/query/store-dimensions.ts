import { sql, type RawBuilder } from 'kysely';
import {
  durationBuckets,
  type CallGroup,
  type TimeGroup,
} from '#contract/analytics/call-analytics/rules';
import type { Known } from './store-known.ts';

/** What a call is grouped by. `c` is the call, `credit` its share of a source. */
interface Dimension {
  /** What rows are told apart by; null: the call has no such fact. */
  key: RawBuilder<unknown>;
  /** A name that the call itself knows; without it names are looked up. */
  label?: RawBuilder<unknown>;
  /** Makes a row of each thing that a call has. */
  join?: RawBuilder<unknown>;
}
/** What a dimension depends on. */
interface Frame {
  tz: string;
  companyId: Known<number>;
  organizationId: Known<number | null>;
  isAttributed: boolean;
}
/** The point of a moment in a group of time; weeks begin on Sunday. */
export function timeKey(
  group: TimeGroup,
  moment: RawBuilder<unknown>,
  tz: string,
): RawBuilder<unknown> {
  const local = sql`(${moment} at time zone ${tz})`;
  switch (group) {
    case 'day':
      return sql`${local}::date`;
    case 'week':
      return sql`${local}::date - extract(dow from ${local})::int`;
    case 'month':
      return sql`date_trunc('month', ${local})::date`;
    case 'hour':
      return sql`extract(hour from ${local})::int`;
    case 'weekday':
      return sql`extract(dow from ${local})::int`;
  }
}
const inTime =
  (group: TimeGroup) =>
  ({ tz }: Frame): Dimension => ({ key: timeKey(group, sql`c.started_at`, tz) });
/** Text that says nothing is no key of its own. */
const said = (text: RawBuilder<unknown>) => sql`nullif(${text}, '')`;

/** The area code of a North American number; null: another number, or a withheld one. */
export const areaCode = sql`case when c.party ~ '^\\+1\\d{10}$' then substr(c.party, 3, 3) end`;
/** Who answered, or placed the call. */
export const userId = sql`coalesce(c.answered_user_id, c.placed_by)`;
/** Where a call came from: its share of a source, or the one it was matched to. */
export const sourceKey = (isAttributed: boolean): RawBuilder<unknown> =>
  isAttributed ? sql`credit.source_key` : sql`c.source ->> 'key'`;
/** The campaign, by the same rule. */
export const campaignOf = (isAttributed: boolean): RawBuilder<unknown> =>
  isAttributed ? sql`credit.campaign` : sql`c.source ->> 'campaign'`;
/** What the newest transcript says of the mood. */
export const sentimentOf = (companyId: Known<number>): RawBuilder<unknown> =>
  sql`coalesce((select w.metadata #>> '{sentiment,overall}' from transcription w
    where w.company_id = ${companyId} and w.call_id = c.id and w.state = 'ready'
    order by w.id desc limit 1), 'unknown')`;
const answeredBy = (type: string, fact: string) =>
  sql`case when c.answered_by ->> 'type' = ${type} then c.answered_by ->> ${sql.lit(fact)} end`;

const dimensions: Record<CallGroup, (f: Frame) => Dimension> = {
  none: () => ({ key: sql`'all'` }),
  day: inTime('day'),
  week: inTime('week'),
  month: inTime('month'),
  hour: inTime('hour'),
  weekday: inTime('weekday'),
  number: () => ({ key: sql`c.number_id` }),
  source: ({ isAttributed }) => ({
    key: said(sourceKey(isAttributed)),
    label: said(isAttributed ? sql`credit.source_label` : sql`c.source ->> 'label'`),
  }),
  campaign: ({ isAttributed }) => ({ key: said(campaignOf(isAttributed)) }),
  user: () => ({ key: userId }),
  forward: () => ({
    key: sql`coalesce(${answeredBy('forward', 'id')}, ${answeredBy('forward', 'number')})`,
    label: answeredBy('forward', 'label'),
  }),
  extension: () => ({ key: sql`coalesce(${said(sql`c.extension_label`)}, c.extension::text)` }),
  company: ({ companyId }) => ({ key: sql`${companyId}::bigint` }),
  business_unit: ({ organizationId }) => ({ key: sql`${organizationId}::bigint` }),
  department: () => ({ key: sql`c.department` }),
  outcome: () => ({ key: sql`c.outcome` }),
  tag: ({ companyId }) => ({
    key: sql`tagged.tag_id`,
    join: sql`left join call_tag tagged on tagged.company_id = ${companyId}
      and tagged.call_id = c.id`,
  }),
  phrase_list: ({ companyId }) => ({
    key: sql`heard.list_id`,
    join: sql`left join lateral (select distinct h.list_id from phrase_hit h
      where h.company_id = ${companyId} and h.call_id = c.id) heard on true`,
  }),
  sentiment: ({ companyId }) => ({ key: sentimentOf(companyId) }),
  geo_state: () => ({ key: said(sql`c.caller_state`) }),
  geo_area: () => ({ key: areaCode }),
  dni_pool: () => ({ key: sql`c.dni_pool_id` }),
  duration_bucket: () => ({
    key: sql`bucket.over`,
    join: sql`join unnest(${[...durationBuckets]}::int[]) bucket (over)
      on c.talk_seconds > bucket.over`,
  }),
};

/** What a group is in SQL. */
export const dimensionOf = (group: CallGroup, frame: Frame): Dimension => dimensions[group](frame);
