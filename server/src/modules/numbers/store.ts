import { sql, type RawBuilder } from 'kysely';
import type { AvailableNumber } from '../../gateways/number-inventory.ts';
import { prepared, type Tx } from '../../platform/db.ts';
import type { Category } from './rules.ts';

export const owns = [
  'number',
  'number_tag',
  'number_activity',
  'number_directory',
  'number_reservation',
  'number_limit',
  'number_limit_request',
] as const;

export interface NumberRecord {
  company_id: number;
  id: number;
  number: string;
  label: string;
  status: string;
  kind: number;
  category: number;
  provider_id: number;
  provider_ref: string | null;
  purchase_key: string | null;
  vanity_text: string | null;
  rotated_to: number | null;
  forward_until: Date | null;
  country: string;
  region: string;
  city: string;
  rate_center: string;
  area_code: string;
  routing_type: string;
  forward_number: string | null;
  schedule_id: number | null;
  greeting_id: number | null;
  voicemail_enabled: boolean;
  voicemail_greeting_id: number | null;
  voicemail_greeting: string | null;
  voicemail_transcribe: boolean;
  voicemail_emails: string[];
  voicemail_sms_notify: boolean;
  record: boolean;
  recording_announcement: string;
  recording_announcement_text: string | null;
  recording_announcement_greeting_id: number | null;
  recording_retention_days: number | null;
  call_transcription_enabled: boolean;
  ai_eav_enabled: boolean;
  sms_enabled: boolean;
  mms_enabled: boolean;
  fax_enabled: boolean;
  sms_verification_status: string;
  sms_verification_campaign_id: number | null;
  sms_verification_updated_at: Date | null;
  sms_verification_reason: string | null;
  caller_id_name: string | null;
  spam_status: string;
  spam_checked_at: Date | null;
  e911_enabled: boolean;
  e911_address_id: number | null;
  dni_pool_id: number | null;
  template_id: number | null;
  monthly_price_cents: number;
  purchased_at: Date;
  last_swap_at: Date | null;
  releasing_at: Date | null;
  returns_at: Date | null;
  released_at: Date | null;
  status_before: string | null;
  lease_ends_at: Date | null;
  lease_listing_id: number | null;
  lease_monthly_cents: number | null;
  lease_term_months: number | null;
  lease_notice_at: Date | null;
  created_at: Date;
  updated_at: Date;
}
/** A number with what the lists show beside it. */
export interface NumberView extends NumberRecord {
  /** By the person at work, on some channel. */ muted: boolean;
  unread: number;
  /** The company's switch; null: never turned. */ verification_asked: boolean | null;
  last_call_at: Date | null;
  last_message_at: Date | null;
  tags: { id: number; name: string; color: string }[];
  user_ids: number[];
  /** The request that brought it here; asked of one number only. */ port?: {
    id: number;
    status: string;
    losing_carrier: string;
    completed_at: string | null;
  } | null;
}

const tagsOf = sql`coalesce((select json_agg(json_build_object('id', t.id, 'name', t.name, 'color', t.color) order by t.name_key) from number_tag nt join tag t on t.company_id = nt.company_id and t.id = nt.tag_id and t.deleted_at is null where nt.company_id = n.company_id and nt.number_id = n.id), '[]') tags`;
const activityColumns = sql`coalesce(a.unread, 0) unread, a.last_call_at, a.last_message_at`;
const verificationAsked = sql`(select c.settings -> 'texting_requires_verification' from company c where c.id = n.company_id) verification_asked`;
const viewColumns = sql`n.*, ${verificationAsked}, number_is_muted(n.company_id, n.id) muted, ${activityColumns}, ${tagsOf},
  coalesce((select array_agg(m.user_id order by m.user_id) from membership m where m.company_id = n.company_id and n.id = any (m.number_ids) and m.role <> 'deactivated'), '{}') user_ids`;
const rowColumns = [
  'id',
  'number',
  'label',
  'category',
  'kind',
  'status',
  'routing_type',
  'forward_number',
  'region',
  'city',
  'sms_enabled',
  'sms_verification_status',
  'provider_ref',
  'record',
  'returns_at',
  'purchased_at',
] as const;
/** What a row of the table shows. */
export type NumberRowView = Pick<
  NumberView,
  | (typeof rowColumns)[number]
  | 'verification_asked'
  | 'unread'
  | 'last_call_at'
  | 'last_message_at'
  | 'tags'
>;
const rowViewColumns = sql`${sql.join(rowColumns.map((column) => sql.ref(`n.${column}`)))}, ${verificationAsked}, ${activityColumns}, ${tagsOf}`;
const portColumn = sql`number_port(n.company_id, n.id) port`;
const numberSource = sql`from number n left join number_activity a on a.company_id = n.company_id and a.number_id = n.id`;
/** A person limited to certain numbers sees those; an empty list would be nobody's. */
const visibleCondition = (only: readonly number[] | null) =>
  only === null ? sql`true` : sql`n.id = any (${[...only]}::bigint[])`;

export async function numberView(
  tx: Tx,
  companyId: number,
  id: number,
  visibleNumbers: readonly number[] | null,
): Promise<NumberView | undefined> {
  return (
    await sql<NumberView>`select ${viewColumns}, ${portColumn} ${numberSource} where n.company_id = ${companyId} and n.id = ${id} and n.status <> 'released' and ${visibleCondition(visibleNumbers)}`.execute(
      tx,
    )
  ).rows[0];
}
export async function numberViews(
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<NumberView[]> {
  return (
    await sql<NumberView>`select ${viewColumns} ${numberSource} where n.company_id = ${companyId} and n.id = any (${[...ids]}::bigint[]) order by n.id`.execute(
      tx,
    )
  ).rows;
}
export const numberRecord = (tx: Tx, companyId: number, id: number) =>
  tx
    .selectFrom('number')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirst();
/** The row, held until the transaction ends. */
export async function lockNumber(
  tx: Tx,
  companyId: number,
  id: number,
  visibleNumbers: readonly number[] | null,
): Promise<NumberRecord | undefined> {
  return (
    await sql<NumberRecord>`select n.* from number n where n.company_id = ${companyId} and n.id = ${id} and n.status <> 'released' and ${visibleCondition(visibleNumbers)} for update`.execute(
      tx,
    )
  ).rows[0];
}

// ---- lists -----------------------------------------------------------------------------------------------------------

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
  /** Also those that went back to the carrier. */
  withTrashed?: boolean | undefined;
  /** Only these: what a look-up of the search came to. */
  matchingIds?: readonly number[] | undefined;
  /** What custom fields ask, as conditions on `numberColumn`. */
  extraConditions?: readonly RawBuilder<unknown>[];
}
export const numberColumn = sql`n.id`;
const unusedSince = (now: Date) => {
  const since = new Date(now.getTime() - 30 * 86_400_000);
  return sql`(coalesce(greatest(a.last_call_at, a.last_message_at), n.purchased_at) < ${since})`;
};
const like = (text: string) => `%${text.replace(/[%_\\]/g, '\\$&')}%`;
/** Beyond so many, walking the list in its order and asking each row finds a page sooner. */
const maxMatches = 1000;
/** The filter with the numbers that may match its search, when they are few: what is shorter than a trigram, or common, is asked row by row. */
async function resolveSearch(
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
  const { rows } = await sql<{
    id: number;
  }>`select id from numbers_matching(${companyId}, ${like(filter.search.toLowerCase())}, ${digits.length > 2 ? digits : null}, ${maxMatches + 1})`.execute(
    tx,
  );
  return rows.length > maxMatches
    ? filter
    : { ...filter, matchingIds: [...new Set(rows.map((row) => row.id))] };
}
const matchingCondition = (
  companyId: number,
  filter: NumberFilter,
  only: readonly number[] | null,
  now: Date,
): RawBuilder<unknown> => sql.join(conditionsOf(companyId, filter, only, now), sql` and `);
/** So many conditions stand where nothing is asked for. */
const baseConditionCount = 3;
function conditionsOf(
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
    all.push(
      sql`(n.label ilike ${like(filter.search)} or n.city ilike ${like(filter.search)} or n.vanity_text ilike ${like(filter.search)} ${digits.length >= 2 ? sql`or n.number like ${like(digits)}` : sql``})`,
    );
  }
  if (filter.category) all.push(sql`n.category = ${filter.category}`);
  if (filter.kind) all.push(sql`n.kind = ${filter.kind}`);
  if (filter.routingType) all.push(sql`n.routing_type = ${filter.routingType}`);
  if (filter.areaCode) all.push(sql`n.area_code = ${filter.areaCode}`);
  if (filter.region) all.push(sql`n.region = ${filter.region.toUpperCase()}`);
  if (filter.tag)
    all.push(
      sql`exists (select from number_tag nt join tag t on t.company_id = nt.company_id and t.id = nt.tag_id and t.deleted_at is null where nt.company_id = n.company_id and nt.number_id = n.id and t.name_key = ${filter.tag.toLowerCase()})`,
    );
  addFlag(filter.sms, sql`n.sms_enabled`);
  addFlag(filter.verified, sql`n.sms_verification_status = 'approved'`);
  addFlag(filter.recorded, sql`n.record`);
  addFlag(filter.in_pool, sql`n.dni_pool_id is not null`);
  addFlag(filter.unread, sql`coalesce(a.unread, 0) > 0`);
  addFlag(filter.unused, unusedSince(now));
  all.push(...(filter.extraConditions ?? []));
  return all;
}

/** Each sort's expression and its type, so that a cursor's text compares as the column does. Nulls come last when newest is first. */
const sorts = {
  number: [sql`n.number`, sql`text`],
  label: [sql`lower(n.label)`, sql`text`],
  status: [sql`n.status`, sql`text`],
  category: [sql`n.category`, sql`int`],
  routingType: [sql`n.routing_type`, sql`text`],
  last_call_at: [sql`coalesce(a.last_call_at, '-infinity')`, sql`timestamptz`],
  last_message_at: [sql`coalesce(a.last_message_at, '-infinity')`, sql`timestamptz`],
  purchased_at: [sql`n.purchased_at`, sql`timestamptz`],
  created_at: [sql`n.created_at`, sql`timestamptz`],
  unread_messages_count: [sql`coalesce(a.unread, 0)`, sql`int`],
} as const;
export type NumberSort = keyof typeof sorts;

export interface NumberPage {
  sort: NumberSort;
  dir: 'asc' | 'desc';
  perPage: number;
  page: number;
  after: { value: string; id: number } | null;
}
/** So many are counted; a company with more is told "10,000+", because counting a hundred thousand costs more than the page. */
const maxCounted = 10_000;
type WithSortValue<V> = V & { sort_value: string };
export interface Page<V> {
  rows: WithSortValue<V>[];
  total: number;
  capped: boolean;
}
/** A page of the list, by cursor or by its place. */
export const numberPage = (
  tx: Tx,
  companyId: number,
  filter: NumberFilter,
  by: NumberPage,
  only: readonly number[] | null,
  now: Date,
): Promise<Page<NumberView>> => pageOf(tx, viewColumns, companyId, filter, by, only, now);
/** The same with only what a row of the table shows. */
export const numberRowPage = (
  tx: Tx,
  companyId: number,
  filter: NumberFilter,
  by: NumberPage,
  only: readonly number[] | null,
  now: Date,
): Promise<Page<NumberRowView>> => pageOf(tx, rowViewColumns, companyId, filter, by, only, now);

/** The page is found first and what stands beside its rows afterwards: a sort never carries it along. The count travels with the rows. */
async function pageOf<V>(
  tx: Tx,
  columns: RawBuilder<unknown>,
  companyId: number,
  requested: NumberFilter,
  page: NumberPage,
  visibleNumbers: readonly number[] | null,
  now: Date,
): Promise<Page<V>> {
  const [expression, type] = sorts[page.sort];
  const filter = await resolveSearch(tx, companyId, requested);
  const conditions = conditionsOf(companyId, filter, visibleNumbers, now);
  const where = sql.join(conditions, sql` and `);
  const direction = page.dir === 'asc' ? sql`asc` : sql`desc`;
  const cursorCondition =
    page.after === null
      ? sql`true`
      : page.dir === 'asc'
        ? sql`(${expression}, n.id) > (${page.after.value}::${type}, ${page.after.id})`
        : sql`(${expression}, n.id) < (${page.after.value}::${type}, ${page.after.id})`;
  const offset = page.after === null ? (page.page - 1) * page.perPage : 0;
  // The first page without filters is asked again and again, and its plan is right for every company. Of few page sizes, because each is kept.
  const isPrepared =
    columns === rowViewColumns &&
    visibleNumbers === null &&
    offset === 0 &&
    page.after === null &&
    [25, 50, 100].includes(page.perPage) &&
    conditions.length === baseConditionCount &&
    !filter.status?.length &&
    !filter.withTrashed;
  const limit = isPrepared ? sql.raw(String(page.perPage)) : sql`${page.perPage}`;
  const { rows } = await sql<
    WithSortValue<V> & { counted: number }
  >`${isPrepared ? prepared : sql``}with page as materialized (select n.id, (${expression})::text sort_value, row_number() over (order by ${expression} ${direction}, n.id ${direction}) place ${numberSource} where ${where} and ${cursorCondition}
      order by ${expression} ${direction}, n.id ${direction} limit ${limit} offset ${offset})
    select ${columns}, page.sort_value, (select count(*)::int from (select ${numberSource} where ${where} limit ${sql.raw(String(maxCounted + 1))}) x) counted
      ${numberSource} join page on page.id = n.id where n.company_id = ${companyId} order by page.place`.execute(
    tx,
  );
  const n =
    rows[0]?.counted ?? (offset === 0 && page.after === null ? 0 : await numberCount(tx, where));
  return { rows, total: Math.min(n, maxCounted), capped: n > maxCounted };
}
const numberCount = async (tx: Tx, where: RawBuilder<unknown>): Promise<number> =>
  (
    await sql<{
      n: number;
    }>`select count(*)::int n from (select ${numberSource} where ${where} limit ${maxCounted + 1}) counted`.execute(
      tx,
    )
  ).rows[0]!.n;

/** Ids of the numbers named, or of all that fit, in the order of the list; only of these statuses. */
export async function idsMatching(
  tx: Tx,
  companyId: number,
  selection: { ids: readonly number[] } | { filter: NumberFilter },
  visibleNumbers: readonly number[] | null,
  statuses: readonly string[],
  now: Date,
): Promise<number[]> {
  const where =
    'ids' in selection
      ? sql`n.company_id = ${companyId} and ${visibleCondition(visibleNumbers)} and n.id = any (${[...selection.ids]}::bigint[])`
      : matchingCondition(
          companyId,
          await resolveSearch(tx, companyId, selection.filter),
          visibleNumbers,
          now,
        );
  return (
    await sql<{
      id: number;
    }>`select n.id ${numberSource} where ${where} and n.status = any (${[...statuses]}::text[]) order by n.created_at desc, n.id desc`.execute(
      tx,
    )
  ).rows.map((row) => row.id);
}

export const numberSummaries = async (tx: Tx, companyId: number, only: readonly number[] | null) =>
  (
    await sql<
      Pick<NumberRecord, 'id' | 'number' | 'label' | 'sms_enabled' | 'category' | 'status'>
    >`select n.id, n.number, n.label, n.sms_enabled, n.category, n.status from number n
    where n.company_id = ${companyId} and n.status not in ('released', 'pending') and ${visibleCondition(only)} order by lower(nullif(n.label, '')) nulls last, n.number`.execute(
      tx,
    )
  ).rows;

export interface NumberCounts {
  total: number;
  local: number;
  toll_free: number;
  fax: number;
  bulk: number;
  sms_enabled: number;
  verified: number;
  in_pools: number;
  unused_30d: number;
  pending_ports: number;
  releasing: number;
}
export async function countNumbers(
  tx: Tx,
  companyId: number,
  visibleNumbers: readonly number[] | null,
  now: Date,
): Promise<NumberCounts> {
  const { rows } =
    await sql<NumberCounts>`select count(*)::int total, count(*) filter (where n.category = 2)::int local, count(*) filter (where n.category = 1)::int toll_free, count(*) filter (where n.category = 3)::int fax,
      count(*) filter (where n.category = 4)::int bulk, count(*) filter (where n.sms_enabled)::int sms_enabled, count(*) filter (where n.sms_verification_status = 'approved')::int verified,
      count(*) filter (where n.dni_pool_id is not null)::int in_pools, count(*) filter (where ${unusedSince(now)})::int unused_30d, ${visibleNumbers === null ? sql`count_porting_numbers(${companyId})` : sql`0`} pending_ports, count(*) filter (where n.status = 'releasing')::int releasing
    ${numberSource} where n.company_id = ${companyId} and n.status not in ('released', 'pending') and ${visibleCondition(visibleNumbers)}`.execute(
      tx,
    );
  return rows[0]!;
}
export const countByAreaCode = async (tx: Tx, companyId: number, only: readonly number[] | null) =>
  (
    await sql<{
      area_code: string;
      n: number;
    }>`select n.area_code, count(*)::int n from number n where n.company_id = ${companyId} and n.status not in ('released', 'pending') and n.area_code <> '' and ${visibleCondition(only)} group by n.area_code order by n desc, n.area_code`.execute(
      tx,
    )
  ).rows;

// ---- taking and giving back ------------------------------------------------------------------------------------------

/** Lock the company's limit, so that two purchases at once cannot pass it together. */
export async function lockLimit(tx: Tx, companyId: number, usual: number): Promise<number> {
  await tx
    .insertInto('number_limit')
    .values({ company_id: companyId, max_numbers: usual })
    .onConflict((c) => c.column('company_id').doNothing())
    .execute();
  return (
    await tx
      .selectFrom('number_limit')
      .select('max_numbers')
      .where('company_id', '=', companyId)
      .forUpdate()
      .executeTakeFirstOrThrow()
  ).max_numbers;
}
export const limitOf = async (tx: Tx, companyId: number, usual: number): Promise<number> =>
  (
    await tx
      .selectFrom('number_limit')
      .select('max_numbers')
      .where('company_id', '=', companyId)
      .executeTakeFirst()
  )?.max_numbers ?? usual;
export const setLimit = (tx: Tx, companyId: number, limit: number) =>
  tx
    .insertInto('number_limit')
    .values({ company_id: companyId, max_numbers: limit })
    .onConflict((c) => c.column('company_id').doUpdateSet({ max_numbers: limit }))
    .execute();
/** Numbers that count against the limit: all but those given up. */
export const usedNumbers = async (tx: Tx, companyId: number): Promise<number> =>
  (
    await sql<{
      n: number;
    }>`select count(*)::int n from number where company_id = ${companyId} and status not in ('released', 'releasing')`.execute(
      tx,
    )
  ).rows[0]!.n;

export interface NewNumber {
  number: string;
  label: string;
  status: 'pending' | 'active';
  kind: number;
  category: Category;
  country: string;
  area_code: string;
  found: AvailableNumber | null;
  purchase_key: string | null;
  purchased_by: number | null;
  provider_ref?: string;
  record: boolean;
  call_transcription_enabled: boolean;
  voicemail_transcribe: boolean;
  recording_announcement?: 'none' | 'default';
  sms_verification_status: string;
  at: Date;
}
/** Ours once this commits; null when somebody has it or holds it. */
export async function claimNumber(
  tx: Tx,
  companyId: number,
  n: NewNumber,
  holder: number,
): Promise<number | null> {
  const { rows } = await sql<{
    id: number;
    won: boolean;
  }>`with new as materialized (select next_id() id) select id, claim_number(${n.number}, id, ${holder}, ${n.at}) won from new`.execute(
    tx,
  );
  const { id, won } = rows[0]!;
  if (!won) return null;
  const features = n.found?.features ?? (n.category === 3 ? ['fax'] : ['voice', 'sms', 'mms']);
  await tx
    .insertInto('number')
    .values({
      company_id: companyId,
      id,
      number: n.number,
      label: n.label,
      status: n.status,
      kind: n.kind,
      category: n.category,
      country: n.country,
      area_code: n.area_code,
      purchase_key: n.purchase_key,
      purchased_by: n.purchased_by,
      provider_ref: n.provider_ref ?? null,
      provider_id: n.found?.providerId ?? 1,
      region: n.found?.region ?? '',
      city: n.found?.city ?? '',
      rate_center: n.found?.rateCenter ?? '',
      vanity_text: n.found?.vanityText ?? null,
      monthly_price_cents: n.found?.monthlyCents ?? 0,
      setup_price_cents: n.found?.setupCents ?? 0,
      record: n.record,
      call_transcription_enabled: n.call_transcription_enabled,
      voicemail_transcribe: n.voicemail_transcribe,
      recording_announcement: n.recording_announcement ?? 'default',
      sms_verification_status: n.sms_verification_status,
      sms_enabled: features.includes('sms'),
      mms_enabled: features.includes('mms'),
      fax_enabled: features.includes('fax'),
      purchased_at: n.at,
      created_at: n.at,
      updated_at: n.at,
    })
    .execute();
  return id;
}
/** Rows of one purchase, in whatever state they are. */
export const purchaseRows = (tx: Tx, companyId: number, key: string) =>
  tx
    .selectFrom('number')
    .select(['id', 'number', 'status', 'provider_id'])
    .where('company_id', '=', companyId)
    .where('purchase_key', '=', key)
    .where('status', '<>', 'released')
    .execute();
/** The carrier delivered. False: no longer waiting for it. */
export async function activateNumber(
  tx: Tx,
  companyId: number,
  id: number,
  providerRef: string,
  found: AvailableNumber,
  now: Date,
): Promise<boolean> {
  const { rows } =
    await sql`update number set status = 'active', provider_ref = ${providerRef}, updated_at = ${now},
      region = coalesce(nullif(region, ''), ${found.region}), city = coalesce(nullif(city, ''), ${found.city}), rate_center = coalesce(nullif(rate_center, ''), ${found.rateCenter}), monthly_price_cents = case when monthly_price_cents = 0 then ${found.monthlyCents} else monthly_price_cents end
    where company_id = ${companyId} and id = ${id} and status = 'pending' returning 1`.execute(tx);
  return rows.length > 0;
}
/** A claim that came to nothing leaves no trace. */
export async function deleteClaims(
  tx: Tx,
  companyId: number,
  numbers: readonly { id: number; number: string }[],
): Promise<void> {
  for (const { id, number } of numbers) {
    await sql`select unclaim_number(${number}, ${id})`.execute(tx);
    await tx
      .deleteFrom('number')
      .where('company_id', '=', companyId)
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .execute();
  }
}
/** The carrier has it back: nobody owns it now. */
export async function releaseNumber(
  tx: Tx,
  companyId: number,
  id: number,
  number: string,
  now: Date,
): Promise<boolean> {
  const { rows } =
    await sql`update number set status = 'released', released_at = ${now}, updated_at = ${now} where company_id = ${companyId} and id = ${id} and status = 'releasing' and returns_at <= ${now} returning 1`.execute(
      tx,
    );
  if (rows.length) await sql`select unclaim_number(${number}, ${id})`.execute(tx);
  return rows.length > 0;
}
export const unclaimNumber = (tx: Tx, number: string, id: number) =>
  sql`select unclaim_number(${number}, ${id})`.execute(tx);
/** A number that was passed on is its old row's again. False: somebody else has it. */
export const reclaimNumber = async (
  tx: Tx,
  number: string,
  id: number,
  at: Date,
): Promise<boolean> =>
  (await sql<{ won: boolean }>`select claim_number(${number}, ${id}, 0, ${at}) won`.execute(tx))
    .rows[0]!.won;
/** The number this company has by a lease. Undefined: none, or it was given up. */
export const leasedNumber = (tx: Tx, companyId: number, listingId: number) =>
  tx
    .selectFrom('number')
    .select(['id', 'number'])
    .where('company_id', '=', companyId)
    .where('lease_listing_id', '=', listingId)
    .where('status', '<>', 'released')
    .executeTakeFirst();
export const updateNumberRow = (
  tx: Tx,
  companyId: number,
  id: number,
  set: Partial<Omit<NumberRecord, 'company_id' | 'id'>> & { release_reason?: string | null },
) =>
  tx
    .updateTable('number')
    .set(set)
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .execute();

export async function replaceTags(
  tx: Tx,
  companyId: number,
  numberId: number,
  tagIds: readonly number[],
): Promise<void> {
  await tx
    .deleteFrom('number_tag')
    .where('company_id', '=', companyId)
    .where('number_id', '=', numberId)
    .execute();
  if (tagIds.length)
    await tx
      .insertInto('number_tag')
      .values(tagIds.map((tag_id) => ({ company_id: companyId, number_id: numberId, tag_id })))
      .execute();
}

// ---- traffic ---------------------------------------------------------------------------------------------------------

export const recordActivity = (
  tx: Tx,
  companyId: number,
  numberId: number,
  activity: { callAt?: Date; messageAt?: Date; unread?: number },
) =>
  sql`insert into number_activity as a (company_id, number_id, unread, last_call_at, last_message_at) values (${companyId}, ${numberId}, greatest(0, ${activity.unread ?? 0}::int), ${activity.callAt ?? null}, ${activity.messageAt ?? null})
    on conflict (company_id, number_id) do update set unread = greatest(0, a.unread + ${activity.unread ?? 0}::int), last_call_at = greatest(a.last_call_at, excluded.last_call_at), last_message_at = greatest(a.last_message_at, excluded.last_message_at)`.execute(
    tx,
  );

// ---- limit requests --------------------------------------------------------------------------------------------------

export const openLimitRequest = (tx: Tx, companyId: number) =>
  tx
    .selectFrom('number_limit_request')
    .select(['id', 'requested', 'status', 'created_at'])
    .where('company_id', '=', companyId)
    .where('status', '=', 'open')
    .executeTakeFirst();
/** Undefined: one is open already. */
export const insertLimitRequest = (
  tx: Tx,
  companyId: number,
  r: { requested: number; reason: string; requested_by: number | null; created_at: Date },
) =>
  tx
    .insertInto('number_limit_request')
    .values({ company_id: companyId, ...r })
    .onConflict((c) => c.column('company_id').where('status', '=', 'open').doNothing())
    .returning(['id', 'requested', 'status', 'created_at'])
    .executeTakeFirst();
