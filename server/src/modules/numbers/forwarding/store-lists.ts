import { sql } from 'kysely';
import { forwarding as contract } from '#contract';
import { oneRow, type Tx } from '../../../platform/db.ts';
import type { ContactRow } from './store.ts';
import { foldedPattern } from '../../../platform/folded.ts';

/** A contact with its tags and how many routes use it. `attempts` and `answered` count 30 days. */
export interface ContactView extends ContactRow {
  used: number;
  attempts: number;
  answered: number;
  tags: { id: number; name: string; color: string }[];
}

/** The answer rate counts 30 days. */
const answerRateSince = (now: Date) => new Date(now.getTime() - 30 * 86_400_000);
/** The contact's ID and those of contacts it replaced, which routes may still refer to. */
const representedIds = sql`(select array_agg(r.id) || c.id
    from forward_contact r where r.company_id = c.company_id and r.replaced_by = c.id)`;
const usageCount = sql`(select count(distinct f.route_id)::int
    from forward f where f.company_id = c.company_id
    and f.contact_id = any (coalesce(${representedIds}, array[c.id])))`;
const fromWithRate = (now: Date) => sql`from forward_contact c
  left join lateral (select count(*)::int attempts, count(*) filter (where a.answered)::int answered
      from forward_attempt a where a.company_id = c.company_id
      and a.contact_id = c.id and a.at >= ${answerRateSince(now)}) rate on true`;
const view = sql`c.*, ${usageCount} used, rate.attempts, rate.answered,
  coalesce((select json_agg(json_build_object('id', t.id, 'name', t.name, 'color', t.color)
          order by folded(t.name)) from tag t where t.company_id = c.company_id
        and t.id = any (c.tag_ids) and t.deleted_at is null), '[]') tags`;
const isFailing = sql`(rate.attempts >= ${contract.failing.attempts}::int
    and rate.answered < rate.attempts * ${contract.failing.share}::real)`;

interface ContactFilter {
  search?: string | undefined;
  type?: string | undefined;
  state?: 'used' | 'unused' | 'failing' | undefined;
  tag?: string | undefined;
}
const sorts = {
  name: sql`folded(c.name)`,
  number: sql`c.target`,
  createdAt: sql`c.created_at`,
  last_answered_at: sql`coalesce(c.last_answered_at, '-infinity')`,
  used_by_count: usageCount,
  answer_rate_30d: sql`coalesce(rate.answered::real / nullif(rate.attempts, 0), 2)`,
} as const;
type ContactSort = keyof typeof sorts;

/** A page of contacts, and how many match in all. Pages start at 1. */
export async function contactPage(
  tx: Tx,
  companyId: number,
  filter: ContactFilter,
  page: { sort: ContactSort; dir: 'asc' | 'desc'; page: number; perPage: number },
  now: Date,
): Promise<{ rows: ContactView[]; total: number }> {
  const all = [sql`c.company_id = ${companyId} and c.deleted_at is null`];
  if (filter.search) {
    const like = foldedPattern;
    const digits = filter.search.replace(/\D/g, '');
    all.push(
      sql`(folded(c.name) like ${like(filter.search)}
          or folded(c.notes) like ${like(filter.search)} or folded(c.phone) like ${like(filter.search)}
          ${digits.length >= 2 ? sql`or c.phone like ${like(digits)}` : sql``})`,
    );
  }
  if (filter.type) all.push(sql`c.type = ${filter.type}`);
  if (filter.tag)
    all.push(
      sql`exists (select from tag t where t.company_id = c.company_id and t.id = any (c.tag_ids)
          and t.deleted_at is null and t.name_key = ${filter.tag.toLowerCase()})`,
    );
  if (filter.state === 'failing') all.push(isFailing);
  else if (filter.state)
    all.push(filter.state === 'used' ? sql`${usageCount} > 0` : sql`${usageCount} = 0`);
  const where = sql.join(all, sql` and `);
  const direction = page.dir === 'asc' ? sql`asc` : sql`desc`;
  const { rows } = await sql<ContactView>`select ${view} ${fromWithRate(now)}
      where ${where} order by ${sorts[page.sort]} ${direction}, c.id ${direction}
      limit ${page.perPage} offset ${(page.page - 1) * page.perPage}`.execute(tx);
  const total = (
    await oneRow(tx, sql<{ n: number }>`select count(*)::int n ${fromWithRate(now)} where ${where}`)
  ).n;
  return { rows, total };
}
/** Undefined: the company has no such contact, or it was deleted. */
export const contactView = async (
  tx: Tx,
  companyId: number,
  id: number,
  now: Date,
): Promise<ContactView | undefined> =>
  (
    await sql<ContactView>`select ${view} ${fromWithRate(now)}
      where c.company_id = ${companyId} and c.id = ${id} and c.deleted_at is null`.execute(tx)
  ).rows[0];

/** How many contacts there are, are unused by routes, and are failing. */
export const countContacts = async (
  tx: Tx,
  companyId: number,
  now: Date,
): Promise<{ total: number; unused: number; failing: number }> =>
  oneRow(
    tx,
    sql<{
      total: number;
      unused: number;
      failing: number;
    }>`select count(*)::int total, count(*) filter (where x.used = 0)::int unused,
      count(*) filter (where x.bad)::int failing
    from (select ${usageCount} used, ${isFailing} bad ${fromWithRate(now)}
        where c.company_id = ${companyId} and c.deleted_at is null) x`,
  );

interface UseRow {
  number_id: number;
  number: string;
  label: string;
  route_id: number;
  extension: number;
  route_label: string;
  position: number;
  weight: number | null;
}
/** Routes that refer to a contact, or to one it replaced. */
export const usesOf = async (tx: Tx, companyId: number, id: number): Promise<UseRow[]> =>
  (
    await sql<UseRow>`select n.id number_id, n.number, n.label, r.id route_id, r.extension,
      r.label route_label, f.position, f.weight
    from forward f join route r on r.company_id = f.company_id and r.id = f.route_id
      join number n on n.company_id = r.company_id and n.id = r.number_id
    where f.company_id = ${companyId} and f.contact_id in (select c.id from forward_contact c
        where c.company_id = ${companyId} and (c.id = ${id} or c.replaced_by = ${id}))
      order by n.number, r.extension, f.position`.execute(tx)
  ).rows;

/**
 * Labels and extensions of routes with how many numbers have them, most first. Released numbers
 * don't count. `numberIds` undefined or `visibleNumbers` null: all.
 */
export const extensionsInUse = async (
  tx: Tx,
  companyId: number,
  numberIds: readonly number[] | undefined,
  visibleNumbers: readonly number[] | null,
): Promise<{ label: string; extension: number; count: number }[]> =>
  (
    await sql<{ label: string; extension: number; count: number }>`
    select r.label, r.extension, count(distinct r.number_id)::int count
    from route r join number n on n.company_id = r.company_id and n.id = r.number_id
    where r.company_id = ${companyId} and n.status <> 'released'
      ${numberIds === undefined ? sql`` : sql`and n.id = any (${[...numberIds]}::bigint[])`}
      ${visibleNumbers === null ? sql`` : sql`and n.id = any (${[...visibleNumbers]}::bigint[])`}
    group by r.label, r.extension order by count desc, r.extension, r.label`.execute(tx)
  ).rows;
