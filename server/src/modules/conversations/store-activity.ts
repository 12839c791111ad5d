import { sql, type RawBuilder } from 'kysely';
import type { ActivityKind, activityFields } from '#contract/conversations/rules';
import type { Hidden } from '../../platform/masking/mask-text.ts';
import { contactHas, partyContains, textHas } from './store-search.ts';
import { inDataGroups } from './store-data-groups.ts';
import type { VisibleNumbers } from './store.ts';
import { fold } from '#contract/fold';
import { foldedPattern } from '../../platform/folded.ts';

export interface Filter {
  field: (typeof activityFields)[number];
  op: 'eq' | 'ne' | 'in' | 'contains' | 'gte' | 'lte';
  value: string | number | boolean | (string | number)[];
}

export interface ActivityFilter {
  companyId: number;
  /** What the person may not see, and so not find. Null: nothing. */
  hidden: Hidden | null;
  sight: VisibleNumbers;
  kinds: readonly ActivityKind[];
  groups: readonly (readonly Filter[])[];
  tz: string;
  /** The time of the request: `callback_due` looks back from it. */
  now: Date;
  /** Filters on calls' custom fields, as conditions on `callIdOfItem`. */
  extraConditions?: readonly RawBuilder<unknown>[];
}
export const callIdOfItem = sql`(i.details ->> 'callId')::bigint`;
/** The items of a company that one may see, of any kind. */
export const visibleItems = (f: ActivityFilter): RawBuilder<unknown> =>
  sql`i.company_id = ${f.companyId} and i.deleted_at is null
    and ${f.sight ? sql`i.number_id = any(${[...f.sight]}::bigint[])` : sql`true`}`;
/** Those of the kinds one asks for. A single one is compared with `=`: only then its index keeps its order. */
export const isOfKinds = ({ kinds }: ActivityFilter): RawBuilder<unknown> =>
  kinds.length === 1
    ? sql`i.kind = ${sql.lit(kinds[0])}`
    : sql`i.kind in ('call', 'message', 'voicemail', 'fax') and i.kind = any(${[...kinds]}::text[])`;
/**
 * Calls, messages, voicemails and faxes that match any of the groups, and within it all of its
 * filters. `i`: the item, `c`: its conversation.
 */
export function activityCondition(f: ActivityFilter): RawBuilder<unknown> {
  const parts = [visibleItems(f), isOfKinds(f), sql`c.deleted_at is null`];
  const groups = f.groups.filter((g) => g.length);
  if (groups.length)
    parts.push(
      sql`(${sql.join(
        groups.map(
          (g) =>
            sql`(${sql.join(
              g.map((one) => filterCondition(one, f)),
              sql` and `,
            )})`,
        ),
        sql` or `,
      )})`,
    );
  // Only calls and voicemails have a call; filters on one exclude texts and faxes.
  if (f.extraConditions?.length)
    parts.push(sql`i.kind in ('call', 'voicemail')`, ...f.extraConditions);
  return sql`${sql.join(parts, sql` and `)}`;
}
export const like = (text: unknown) => foldedPattern(String(text));
export const listOf = (value: Filter['value']) =>
  (Array.isArray(value) ? value : [value]).map(String);
/** Ids that a filter names. What is none matches nothing. */
const idList = (value: Filter['value']) =>
  sql`${listOf(value).map(Number).filter(Number.isSafeInteger)}::bigint[]`;
const isTruthy = (value: Filter['value']) =>
  value === true || value === 1 || value === '1' || value === 'true';

/** Days a missed call waits to be returned; an older one has gone cold. */
export const callbackDays = 14;
/** Missed calls that are not too old to return, as in their index. */
export const missedSince = (now: Date) =>
  sql`i.kind = 'call' and i.is_inbound and i.details ->> 'outcome' = '2'
    and i.created_at >= ${new Date(now.getTime() - callbackDays * 86_400_000)}`;
/**
 * A missed call to return: in an open conversation, from a number that can be called, and since
 * then no call of ours, no answered call, and no text or fax that a user wrote. Automatic texts and
 * campaigns answer no one. `i` is the item and `c` its conversation.
 */
const isCallbackDue = (now: Date) =>
  sql`(${missedSince(now)} and c.archived_at is null and c.party like '+%'
    and not exists (select from conversation_item l where l.company_id = i.company_id
      and l.conversation_id = i.conversation_id
        and l.deleted_at is null and l.created_at > i.created_at
      and (l.kind = 'call' and (not l.is_inbound or l.details ->> 'outcome' = '1')
        or l.kind in ('message', 'fax') and not l.is_inbound and l.actor_id is not null
          and l.details ->> 'automatic' is null
            and coalesce(l.source, '') not like 'campaign:%')))`;

/** One filter as SQL. Values are always parameters; an impossible filter matches nothing. */
export function filterCondition(
  f: Filter,
  { companyId, hidden, tz, now }: ActivityFilter,
): RawBuilder<unknown> {
  const no = f.op === 'ne' ? sql`not` : sql``;
  switch (f.field) {
    case 'number_id':
      return sql`${no} i.number_id = any(${idList(f.value)})`;
    case 'user_id':
      return sql`${no} coalesce(i.actor_id = any(${idList(f.value)}), false)`;
    case 'direction':
      return sql`${no} (case when i.is_inbound then 'inbound'
            else 'outbound' end) = any(${listOf(f.value)}::text[])`;
    case 'party':
      return f.op === 'contains'
        ? sql`(${partyContains(String(f.value))})`
        : sql`${no} c.party = any(${listOf(f.value)}::text[])`;
    case 'contact':
      return f.op === 'contains'
        ? sql`c.contact_id in (select k.id from contact k where k.company_id = ${companyId}
            and k.deleted_at is null and ${contactHas(like(f.value), hidden)})`
        : sql`${no} coalesce(c.contact_id = any(${idList(f.value)}), false)`;
    // Through the search function: under row-level security the application's role can't use the
    // trigram index.
    case 'text':
      return sql`${no} (i.id in (select m.id
          from items_matching(${companyId}, ${like(f.value)}, null, '-infinity', 'infinity') m)
          ${hidden ? sql`and ${textHas(like(f.value), hidden)}` : sql``})`;
    case 'delivery_state':
      return sql`${no} coalesce(coalesce(i.delivery_state, case when i.kind = 'fax'
              then i.details ->> 'state' end) = any(${listOf(f.value)}::text[]), false)`;
    case 'status':
      return sql`${no} coalesce(i.details ->> 'status' = any(${listOf(f.value)}::text[]), false)`;
    case 'outcome':
      return sql`${no} coalesce(i.details ->> 'outcome' = any(${listOf(f.value)}::text[]), false)`;
    case 'duration':
      return compare(
        sql`(i.details ->> 'duration')::numeric`,
        f.op,
        sql`${Number(f.value) || 0}::numeric`,
      );
    case 'unread':
      // The same condition as the partial index of unread items.
      return isTruthy(f.value) !== (f.op === 'ne')
        ? sql`(i.read_at is null and i.is_inbound)`
        : sql`not (i.read_at is null and i.is_inbound)`;
    case 'campaign':
      // The same expression as in the index `conversation_item_personal`.
      return isTruthy(f.value) !== (f.op === 'ne')
        ? sql`coalesce(i.source, '') like 'campaign:%'`
        : sql`coalesce(i.source, '') not like 'campaign:%'`;
    case 'callback_due':
      return isTruthy(f.value) !== (f.op === 'ne')
        ? isCallbackDue(now)
        : sql`(${isCallbackDue(now)}) is not true`;
    case 'data_group':
      return sql`${no} ${inDataGroups(companyId, idList(f.value))}`;
    case 'phrase_list':
      return sql`${no} (i.kind in ('call', 'voicemail') and exists (select from phrase_hit h
        where h.company_id = ${companyId} and h.call_id = ${callIdOfItem}
          and h.list_id = any(${idList(f.value)})))`;
    case 'archived':
      return sql`(c.archived_at is not null) = ${isTruthy(f.value) !== (f.op === 'ne')}`;
    case 'has_media':
      return sql`coalesce(jsonb_array_length(case
              when jsonb_typeof(i.details -> 'media') = 'array' then i.details -> 'media' end) > 0,
          false) = ${isTruthy(f.value) !== (f.op === 'ne')}`;
    case 'at':
      return timeCondition(f, tz);
    case 'source':
    case 'medium':
    case 'source_campaign':
    case 'keyword':
    case 'landing_page':
      return sourceCondition(f);
  }
}

const sourceFacts = {
  source: 'sourceKey',
  medium: 'medium',
  source_campaign: 'campaign',
  keyword: 'keyword',
  landing_page: 'landingUrl',
} as const;
/** What a call or text says of where it came from, in any case. */
function sourceCondition({ field, op, value }: Filter): RawBuilder<unknown> {
  const no = op === 'ne' ? sql`not` : sql``;
  const fact = sql`folded(i.details ->> ${sql.lit(sourceFacts[field as keyof typeof sourceFacts])})`;
  return op === 'contains'
    ? sql`coalesce(${fact} like ${like(value)}, false)`
    : sql`${no} coalesce(${fact} = any(${listOf(value).map(fold)}::text[]),
        false)`;
}
/** Calls, texts and voicemails to tracking numbers: the same condition as that of their index. */
export const isMatched = sql`i.kind in ('call', 'message', 'voicemail')
  and i.details ->> 'sourceKey' is not null`;

/** A condition on an item's time; one that is no time matches nothing. A day (`YYYY-MM-DD`) begins and ends at midnight of `tz`. */
export function timeCondition(f: Filter, tz: string): RawBuilder<unknown> {
  const no = f.op === 'ne' ? sql`not` : sql``;
  const text = String(f.value);
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  if (Number.isNaN(Date.parse(text))) return sql`false`;
  if (!isDay) return compare(sql`i.created_at`, f.op, sql`${new Date(text)}::timestamptz`);
  const begins = sql`(${text}::date)::timestamp at time zone ${tz}`;
  const ends = sql`(${text}::date + 1)::timestamp at time zone ${tz}`;
  if (f.op === 'gte') return sql`i.created_at >= ${begins}`;
  if (f.op === 'lte') return sql`i.created_at < ${ends}`;
  return sql`${no} (i.created_at >= ${begins} and i.created_at < ${ends})`;
}
/** Compares by the filter's operator; null is different from any value. */
const compare = (left: RawBuilder<unknown>, op: Filter['op'], right: RawBuilder<unknown>) =>
  op === 'gte'
    ? sql`${left} >= ${right}`
    : op === 'lte'
      ? sql`${left} <= ${right}`
      : op === 'ne'
        ? sql`${left} is distinct from ${right}`
        : sql`${left} = ${right}`;
