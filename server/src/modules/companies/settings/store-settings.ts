import { sql } from 'kysely';
import { settingRules } from '#contract/settings/rules';
import type { Tx } from '../../../platform/db.ts';

/** Whose settings: a company's, those its organization gives it, or those of the installation. */
export interface SettingOwner {
  companyId: number | null;
  organizationId: number | null;
}
/** A value that was set, and its owner. `updated_by` null: the system. */
export interface SettingValueRow {
  company_id: number | null;
  organization_id: number | null;
  key: string;
  value: unknown;
  updated_at: Date;
  updated_by: number | null;
}
/** One change. Null: not set there before or after. */
export interface SettingChange {
  key: string;
  before: unknown;
  after: unknown;
}

const isOwner = ({ companyId, organizationId }: SettingOwner) =>
  sql`company_id is not distinct from ${companyId}
    and organization_id is not distinct from ${organizationId}`;

/** Everything that is set for a company, or for an organization, itself and above it. */
export const valuesFor = async (db: Tx, owner: SettingOwner): Promise<SettingValueRow[]> =>
  (
    await sql<SettingValueRow>`select company_id, organization_id, key, value, updated_at, updated_by
    from setting_value where (company_id is null and organization_id is null)
      or company_id = ${owner.companyId} or organization_id = ${owner.organizationId}
      or organization_id = (select organization_id from company where id = ${owner.companyId})
    `.execute(db)
  ).rows;

/** The companies whose settings these are, locked in one order until the transaction ends. */
export async function lockCompaniesOf(tx: Tx, owner: SettingOwner): Promise<number[]> {
  const isOwn = owner.companyId
    ? sql`id = ${owner.companyId}`
    : owner.organizationId
      ? sql`organization_id = ${owner.organizationId}`
      : sql`true`;
  const { rows } = await sql<{ id: number }>`select id from company where ${isOwn}
    order by id for no key update`.execute(tx);
  return rows.map(({ id }) => id);
}

/**
 * Writes values (null: removed, so inherited) with their history, and returns what changed. The
 * companies are locked before (`lockCompaniesOf`), except for a company that writes its own columns.
 */
export async function writeValues(
  tx: Tx,
  owner: SettingOwner,
  values: Readonly<Record<string, unknown>>,
  { by, now }: { by: number | null; now: Date },
): Promise<SettingChange[]> {
  const sent = Object.entries(values);
  if (!sent.length) return [];
  const keys = sent.map(([key]) => key);
  const { rows } = await sql<{ key: string; value: unknown }>`select key, value from setting_value
    where ${isOwner(owner)} and key = any(${keys})`.execute(tx);
  const before = new Map(rows.map(({ key, value }) => [key, value]));
  const changes = sent
    .map(([key, after]) => ({ key, before: before.get(key) ?? null, after: after ?? null }))
    .filter((one) => !isSame(one.before, one.after));
  for (const { key, after } of changes)
    if (after === null)
      await sql`delete from setting_value where ${isOwner(owner)} and key = ${key}`.execute(tx);
    else
      await sql`insert into setting_value
          (company_id, organization_id, key, value, updated_at, updated_by)
        values (${owner.companyId}, ${owner.organizationId}, ${key},
          ${JSON.stringify(after)}::jsonb, ${now}, ${by})
        on conflict (company_id, organization_id, key) do update
          set value = excluded.value, updated_at = excluded.updated_at,
            updated_by = excluded.updated_by`.execute(tx);
  for (const change of changes)
    await sql`insert into setting_change
        (company_id, organization_id, key, before, after, at, by_id)
      values (${owner.companyId}, ${owner.organizationId}, ${change.key},
        ${jsonOrNull(change.before)}::jsonb, ${jsonOrNull(change.after)}::jsonb,
        ${now}, ${by})`.execute(tx);
  return changes;
}
const jsonOrNull = (value: unknown) => (value === null ? null : JSON.stringify(value));

/** Whether two JSON values are equal, whatever the order of their keys. */
export const isSame = (a: unknown, b: unknown): boolean => sorted(a) === sorted(b);
const sorted = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );

/** Settings that are columns of the company. */
const columns = ['timezone', 'links_enabled'];

/**
 * Writes the effective settings of companies (system, then organization, then company; what the
 * plan lacks is off) into their rows. Needs the system role. Keys outside of the catalogue, which operators set, stay.
 */
export async function writeEffective(
  tx: Tx,
  companyIds: readonly number[],
  now: Date,
): Promise<void> {
  if (!companyIds.length) return;
  const ids = [...companyIds];
  const known = Object.keys(settingRules);
  await sql`with merged as (
      select c.id, coalesce(jsonb_object_agg(v.key, v.value) filter (where v.key is not null), '{}') m
      from company c left join lateral (
        select distinct on (s.key) s.key, s.value from setting_value s
        where s.company_id = c.id or (s.company_id is null and s.organization_id = c.organization_id)
          or (s.company_id is null and s.organization_id is null)
        order by s.key, s.company_id nulls last, s.organization_id nulls last) v on true
      where c.id = any(${ids}::bigint[]) group by c.id)
    update company c set timezone = coalesce(m ->> 'timezone', 'UTC'),
      links_enabled = coalesce((m ->> 'links_enabled')::boolean, false),
      settings = (select coalesce(jsonb_object_agg(e.key, e.value), '{}') from jsonb_each(c.settings) e
          where not e.key = any(${known}) and e.key not like 'feature.%') || (m - ${columns}::text[])
        || (select coalesce(jsonb_object_agg('feature.' || lacked, false), '{}')
          from unnest(c.plan_lacks) lacked)
        || case when c.plan_lacks = '{}' then '{}'
          else jsonb_build_object('feature.plan_lacks', c.plan_lacks) end,
      updated_at = ${now}
    from merged where merged.id = c.id`.execute(tx);
}

/** The effective `allowed_ip_ranges` of companies; undefined: not set. */
export const networksOfCompanies = async (tx: Tx, companyIds: readonly number[]) =>
  new Map(
    (
      await sql<{ id: number; networks: unknown }>`select id,
          settings -> 'allowed_ip_ranges' networks
        from company where id = any(${[...companyIds]}::bigint[]) order by id`.execute(tx)
    ).rows.map(({ id, networks }) => [id, networks ?? undefined]),
  );

/** Removes what is set for a company, with its history. */
export async function removeSettings(tx: Tx, companyId: number): Promise<void> {
  await sql`delete from setting_value where company_id = ${companyId}`.execute(tx);
  await sql`delete from setting_change where company_id = ${companyId}`.execute(tx);
}

/** A page of changes, newest first. `key` null: of all settings. */
export async function changesOf(
  db: Tx,
  owner: SettingOwner,
  filter: { key: string | null; limit: number; offset: number },
) {
  const where = sql`${isOwner(owner)} and ${filter.key ? sql`key = ${filter.key}` : sql`true`}`;
  const { rows } = await sql<{
    id: number;
    key: string;
    before: unknown;
    after: unknown;
    at: Date;
    by_id: number | null;
  }>`select id, key, before, after, at, by_id from setting_change where ${where}
    order by id desc limit ${filter.limit} offset ${filter.offset}`.execute(db);
  const total = await sql<{ n: number }>`select count(*)::int n from setting_change
    where ${where}`.execute(db);
  return { rows, total: total.rows[0]?.n ?? 0 };
}

/** One change of these settings. Undefined: none of this ID. */
export const changeRow = async (db: Tx, owner: SettingOwner, id: number) =>
  (
    await sql<{ key: string; before: unknown; after: unknown }>`select key, before, after
    from setting_change where ${isOwner(owner)} and id = ${id}`.execute(db)
  ).rows[0];

/** Whether the company has a schedule of this ID. */
export const scheduleExists = async (tx: Tx, companyId: number, id: number): Promise<boolean> =>
  Boolean(
    await tx
      .selectFrom('schedule')
      .select('id')
      .where('company_id', '=', companyId)
      .where('id', '=', id)
      .executeTakeFirst(),
  );
