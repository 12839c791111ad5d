import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import type { ContactFilters } from '#contract/contacts';
import { anywhere, readSearch } from './rules.ts';
import {
  allOf,
  contactCondition,
  matchingHere,
  plainParts,
  type Condition,
  type FilterFacts,
} from './store-filter.ts';
import type { ContactRow } from './store.ts';

/** Beyond this many a list says "1,000+", and a search is walked instead of sorted. */
export const countTo = 1000;
export interface Window {
  sort: 'addedAt' | 'name';
  dir: 'asc' | 'desc';
  limit: number;
  offset: number;
  after: { value: string | null; id: number } | null;
}
export interface Page {
  rows: (ContactRow & { sort_value: string | null })[];
  total: number;
  capped: boolean;
}
export interface Counts {
  total: number;
  invalid: number;
  unsubscribed: number;
}

const alive = (companyId: number): Condition =>
  sql`c.company_id = ${companyId} and c.deleted_at is null`;

/** How the search is asked: the ids it found when they are few, a walk in the list's order when they are many. */
async function searched(
  tx: Tx,
  f: ContactFilters,
  facts: FilterFacts,
): Promise<{ parts: Condition[]; walk: boolean }> {
  if (!f.search) return { parts: [], walk: false };
  const { words, digits } = readSearch(f.search);
  if (facts.masked)
    return {
      parts: [sql`lower(c.name || ' ' || c.company_name) like ${anywhere(words)}`],
      walk: true,
    };
  const { rows } = await sql<{
    id: number;
  }>`select id from contacts_matching(${facts.companyId}, ${anywhere(words)}, ${digits === null ? null : anywhere(digits)}, ${countTo + 1})`.execute(
    tx,
  );
  return rows.length > countTo
    ? { parts: [matchingHere(f.search)], walk: true }
    : { parts: [sql`c.id = any(${rows.map((r) => r.id)}::bigint[])`], walk: false };
}

/**
 * How the next statements of this transaction are planned. A list reads its own company's rows by an index, never a table from
 * end to end; and behind row-level security the planner knows nothing of `like`, so a search that most people fit is told not to sort.
 */
const plan = (tx: Tx, how: { seqscan: boolean; sort: boolean }) =>
  sql`select set_config('enable_seqscan', ${how.seqscan ? 'on' : 'off'}, true), set_config('enable_sort', ${how.sort ? 'on' : 'off'}, true)`.execute(
    tx,
  );

export async function contactPage(
  tx: Tx,
  f: ContactFilters,
  facts: FilterFacts,
  w: Window,
): Promise<Page> {
  const search = await searched(tx, f, facts);
  const parts = [alive(facts.companyId), ...search.parts, ...plainParts(f, facts)];
  const [by, way, than] = [
    w.sort === 'name' ? sql`lower(c.name)` : null,
    sql.raw(w.dir),
    sql.raw(w.dir === 'asc' ? '>' : '<'),
  ];
  // Ids are made in the order of time, so "added" walks the primary key.
  const place = w.after
    ? by
      ? sql`and (${by}, c.id) ${than} (${w.after.value ?? ''}, ${w.after.id})`
      : sql`and c.id ${than} ${w.after.id}`
    : sql``;
  const order = by ? sql`${by} ${way}, c.id ${way}` : sql`c.id ${way}`;
  const where = allOf(parts);
  await plan(tx, { seqscan: false, sort: !search.walk });
  const { rows } = await sql<
    ContactRow & { sort_value: string | null }
  >`select c.*, ${by ?? sql`null`} sort_value from contact c where ${where} ${place} order by ${order} limit ${w.limit} offset ${w.after ? 0 : w.offset}`.execute(
    tx,
  );
  const most = Math.max(countTo, w.offset + w.limit) + 1;
  const n =
    (
      await sql<{
        n: number;
      }>`select count(*)::int n from (select 1 from contact c where ${where} limit ${most}) counted`.execute(
        tx,
      )
    ).rows[0]?.n ?? 0;
  await plan(tx, { seqscan: true, sort: true });
  return { rows, total: Math.min(n, most - 1), capped: n === most };
}

/** Deleted ones, newest deletion first. Those that went into another contact come back by undoing the merge. */
export async function trashPage(
  tx: Tx,
  companyId: number,
  limit: number,
  offset: number,
): Promise<{ rows: ContactRow[]; total: number }> {
  const where = sql`c.company_id = ${companyId} and c.deleted_at is not null and not exists (select from contact_merge m where m.company_id = c.company_id and m.gone_id = c.id and m.undone_at is null)`;
  const { rows } =
    await sql<ContactRow>`select c.* from contact c where ${where} order by c.deleted_at desc, c.id desc limit ${limit} offset ${offset}`.execute(
      tx,
    );
  const n =
    (
      await sql<{
        n: number;
      }>`select count(*)::int n from (select 1 from contact c where ${where} limit ${countTo + 1}) counted`.execute(
        tx,
      )
    ).rows[0]?.n ?? 0;
  return { rows, total: n };
}

/** Exactly how many, each counted once (A11). */
export async function countExactly(
  tx: Tx,
  condition: Condition,
  companyId: number,
): Promise<Counts> {
  const { rows } =
    await sql<Counts>`select count(*)::int total, count(*) filter (where c.invalid)::int invalid, count(*) filter (where c.unsubscribed_at is not null and not c.invalid)::int unsubscribed from contact c where ${alive(companyId)} and ${condition}`.execute(
      tx,
    );
  return rows[0]!;
}

/** Ids of those that fit, in order, after one: a thousand at a time, so that a job can go on where it stopped. */
export async function idsAfter(
  tx: Tx,
  f: ContactFilters,
  facts: FilterFacts,
  from: { after: number; madeBefore: Date; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{
    id: number;
  }>`select c.id from contact c where ${alive(facts.companyId)} and c.id > ${from.after} and c.created_at <= ${from.madeBefore} and ${contactCondition(f, facts)} order by c.id limit ${from.limit}`.execute(
    tx,
  );
  return rows.map((r) => r.id);
}
export async function livingAmong(
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<number[]> {
  if (!ids.length) return [];
  return (
    await sql<{
      id: number;
    }>`select c.id from contact c where ${alive(companyId)} and c.id = any(${[...ids]}::bigint[]) order by c.id`.execute(
      tx,
    )
  ).rows.map((r) => r.id);
}

export interface MemberRow {
  id: number;
  number: string;
  name: string;
  email: string;
  companyName: string;
  city: string;
  state: string;
  zip: string;
  country: string;
  unsubscribed: boolean;
  invalid: boolean;
}
export async function membersAfter(
  tx: Tx,
  condition: Condition,
  companyId: number,
  after: number,
  limit: number,
): Promise<MemberRow[]> {
  return (
    await sql<MemberRow>`select c.id, c.number, c.name, c.email, c.company_name "companyName", c.city, c.state, c.zip, c.country, c.unsubscribed_at is not null unsubscribed, c.invalid
    from contact c where ${alive(companyId)} and c.id > ${after} and ${condition} order by c.id limit ${limit}`.execute(
      tx,
    )
  ).rows;
}
