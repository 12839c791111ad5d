import { sql } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import { firstOf } from '../../platform/must-be.ts';
import type { ContactFilters } from '#contract/contacts/schemas';
import { containsPattern, readSearch } from './rules.ts';
import {
  contactCondition,
  conditionsWithoutSearch,
  namesHave,
  searchRowCondition,
} from './store-filter.ts';
import { allOf, type Condition, type FilterContext } from './store-conditions.ts';
import type { ContactRow } from './store.ts';

/** Lists with more show "1,000+", and searches with more matches are walked instead of sorted. */
const maxCounted = 1000;
export interface PageWindow {
  sort: 'addedAt' | 'name';
  dir: 'asc' | 'desc';
  limit: number;
  offset: number;
  after: { value: string | null; id: number } | null;
}
interface ContactPage {
  rows: (ContactRow & { sort_value: string | null })[];
  total: number;
  capped: boolean;
}
export interface Counts {
  total: number;
  invalid: number;
  unsubscribed: number;
}

const livingContacts = (companyId: number): Condition =>
  sql`c.company_id = ${companyId} and c.deleted_at is null`;

/**
 * Conditions of the search: the IDs found when few; per row, to walk in the list's order, when
 * many.
 */
async function resolveSearch(
  tx: Tx,
  f: ContactFilters,
  facts: FilterContext,
): Promise<{ parts: Condition[]; walk: boolean; isCommon?: boolean }> {
  if (!f.search) return { parts: [], walk: false };
  const { words, digits } = readSearch(f.search);
  if (facts.masked)
    return {
      parts: [namesHave(words)],
      walk: true,
    };
  // Listing what thousands have costs more than meeting it: first, the newest are asked.
  if (digits === null && (await isCommon(tx, facts.companyId, containsPattern(words))))
    return { parts: [searchRowCondition(f.search)], walk: true, isCommon: true };
  const { rows } = await sql<{
    id: number;
  }>`select id from contacts_matching(${facts.companyId}, ${containsPattern(words)},
      ${digits === null ? null : containsPattern(digits)}, ${maxCounted + 1})`.execute(tx);
  return rows.length > maxCounted
    ? { parts: [searchRowCondition(f.search)], walk: true }
    : { parts: [sql`c.id = any(${rows.map((r) => r.id)}::bigint[])`], walk: false };
}

/** Of so many newest contacts, so many with the words make them common: */
const SAMPLE = 800;
const COMMON_IN_SAMPLE = 64;
/** Then more than a list counts must be among these, so that walking the list ends there. */
const LOOKED_THROUGH = 20_000;

/** Whether more of the newest contacts have the words than a list counts. */
async function isCommon(tx: Tx, companyId: number, pattern: string): Promise<boolean> {
  const has = async (among: number, most: number) => {
    const { rows } = await sql<{ n: number }>`select count(*)::int n from (select from
        (select search from contact where company_id = ${companyId} and deleted_at is null
          order by id desc limit ${among}) k
        where search like ${pattern} limit ${most}) x`.execute(tx);
    return (rows[0]?.n ?? 0) >= most;
  };
  return (await has(SAMPLE, COMMON_IN_SAMPLE)) && has(LOOKED_THROUGH, maxCounted + 1);
}

/**
 * Planner options for the next statements of this transaction. Lists read their company's rows by index,
 * never the whole table. Behind row-level security the planner can't estimate `like`, so a search that
 * matches many must not sort.
 */
const setPlannerOptions = (tx: Tx, options: { seqscan: boolean; sort: boolean }) =>
  sql`select set_config('enable_seqscan', ${options.seqscan ? 'on' : 'off'}, true),
    set_config('enable_sort', ${options.sort ? 'on' : 'off'}, true)`.execute(tx);

async function countTo(tx: Tx, where: Condition, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int n
    from (select 1 from contact c where ${where} limit ${most}) counted`.execute(tx);
  return rows[0]?.n ?? 0;
}

/** A page of contacts by filter, and how many there are. A cursor wins over the page number. */
export async function contactPage(
  tx: Tx,
  f: ContactFilters,
  facts: FilterContext,
  window: PageWindow,
): Promise<ContactPage> {
  const search = await resolveSearch(tx, f, facts);
  const parts = [
    livingContacts(facts.companyId),
    ...search.parts,
    ...conditionsWithoutSearch(f, facts),
  ];
  const [sortColumn, direction, comparison] = [
    window.sort === 'name' ? sql`folded(c.name)` : null,
    sql.raw(window.dir),
    sql.raw(window.dir === 'asc' ? '>' : '<'),
  ];
  // IDs are in the order of creation, so sorting by `addedAt` walks the primary key.
  const cursorCondition = window.after
    ? sortColumn
      ? sql`and (${sortColumn}, c.id)
        ${comparison} (${window.after.value ?? ''}, ${window.after.id})`
      : sql`and c.id ${comparison} ${window.after.id}`
    : sql``;
  const order = sortColumn
    ? sql`${sortColumn} ${direction}, c.id ${direction}`
    : sql`c.id ${direction}`;
  const where = allOf(parts);
  await setPlannerOptions(tx, { seqscan: false, sort: !search.walk });
  const { rows } = await sql<
    ContactRow & { sort_value: string | null }
  >`select c.*, ${sortColumn ?? sql`null`} sort_value
    -- What a page skips is skipped in the index: rows are read for the page alone.
    from (select c.id from contact c where ${where} ${cursorCondition}
      order by ${order} limit ${window.limit} offset ${window.after ? 0 : window.offset}) page
    -- Fenced: without statistics a join would read all contacts of the company.
    cross join lateral (select * from contact
      where company_id = ${facts.companyId} and id = page.id limit 1) c
    order by ${order}`.execute(tx);
  // The count of all contacts is kept elsewhere, and is not counted as far as a late page.
  const isAll = parts.length === 1;
  const countLimit = (isAll ? maxCounted : Math.max(maxCounted, window.offset + window.limit)) + 1;
  const isCounted = search.isCommon && parts.length === 2 && countLimit === maxCounted + 1;
  const n = isCounted ? countLimit : await countTo(tx, where, countLimit);
  await setPlannerOptions(tx, { seqscan: true, sort: true });
  return { rows, total: Math.min(n, countLimit - 1), capped: n === countLimit };
}

/**
 * Deleted contacts, latest first, without those merged into others: undoing the merge restores
 * those.
 */
export async function trashPage(
  tx: Tx,
  companyId: number,
  limit: number,
  offset: number,
): Promise<{ rows: ContactRow[]; total: number }> {
  const where = sql`c.company_id = ${companyId}
    and c.deleted_at is not null and not exists (select from contact_merge m
      where m.company_id = c.company_id and m.source_id = c.id and m.undone_at is null)`;
  const { rows } = await sql<ContactRow>`select c.* from contact c where ${where}
      order by c.deleted_at desc, c.id desc limit ${limit} offset ${offset}`.execute(tx);
  const n =
    (
      await sql<{
        n: number;
      }>`select count(*)::int n
        from (select 1 from contact c where ${where} limit ${maxCounted + 1}) counted`.execute(tx)
    ).rows[0]?.n ?? 0;
  return { rows, total: n };
}

/** Exact counts, each contact once (A11). */
export async function countExactly(
  tx: Tx,
  condition: Condition,
  companyId: number,
): Promise<Counts> {
  const { rows } =
    await sql<Counts>`select count(*)::int total, count(*) filter (where c.invalid)::int invalid,
      count(*) filter (where c.unsubscribed_at is not null and not c.invalid)::int unsubscribed
      from contact c where ${livingContacts(companyId)} and ${condition}`.execute(tx);
  return firstOf(rows);
}

/** IDs of matching contacts in order, after `from.after`: a job can resume there. */
export async function contactIdsAfter(
  tx: Tx,
  f: ContactFilters,
  facts: FilterContext,
  from: { after: number; createdBefore: Date; limit: number },
): Promise<number[]> {
  const { rows } = await sql<{
    id: number;
  }>`select c.id from contact c where ${livingContacts(facts.companyId)} and c.id > ${from.after}
    and c.created_at <= ${from.createdBefore} and ${contactCondition(f, facts)}
    order by c.id limit ${from.limit}`.execute(tx);
  return rows.map((r) => r.id);
}
/** Those of the IDs whose contacts exist and are not deleted, in order. */
export async function livingContactIdsAmong(
  tx: Tx,
  companyId: number,
  ids: readonly number[],
): Promise<number[]> {
  if (!ids.length) return [];
  return (
    await sql<{
      id: number;
    }>`select c.id from contact c where ${livingContacts(companyId)}
      and c.id = any(${[...ids]}::bigint[]) order by c.id`.execute(tx)
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
/**
 * The next contacts by ID that meet a condition on `contact c`. `after`: the last ID read, 0 at the
 * start.
 */
export async function membersAfter(
  tx: Tx,
  condition: Condition,
  companyId: number,
  after: number,
  limit: number,
): Promise<MemberRow[]> {
  return (
    await sql<MemberRow>`select c.id, c.number, c.name, c.email, c.company_name "companyName",
      c.city, c.state, c.zip, c.country, c.unsubscribed_at is not null unsubscribed, c.invalid
    from contact c where ${livingContacts(companyId)} and c.id > ${after} and ${condition}
      order by c.id limit ${limit}`.execute(tx)
  ).rows;
}
