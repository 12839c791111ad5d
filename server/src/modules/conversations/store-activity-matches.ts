import { sql, type RawBuilder } from 'kysely';
import type { Tx } from '../../platform/db.ts';
import { like, listOf, type ActivityFilter, type Filter } from './store-activity.ts';
import { isCommon } from './store-common-words.ts';
import { contactHas, digitsLike, ids, partyContains, textHas } from './store-search.ts';

/** More matches than these are looked for along the list instead. */
const MOST_MATCHES = 3000;
const MOST_CONVERSATIONS = 500;

interface Match {
  /** Instead of the filter's own condition, which would be evaluated against everything. */
  condition: RawBuilder<unknown>;
  /** The only items, or the only conversations, among which the filter can match. */
  items?: readonly number[];
  conversations?: readonly number[];
}
export type Matches = ReadonlyMap<Filter, Match>;

/**
 * What the filters on words, people and numbers of people match, found through their own indexes
 * first. Under row-level security trigram indexes can only be used by functions.
 */
export async function matchFilters(tx: Tx, f: ActivityFilter): Promise<Matches> {
  const found = new Map<Filter, Match>();
  for (const filter of f.groups.flat()) {
    const match = await matchOf(tx, f, filter);
    if (match) found.set(filter, match);
  }
  return found;
}

async function matchOf(tx: Tx, f: ActivityFilter, filter: Filter): Promise<Match | null> {
  const { field, op, value } = filter;
  if (field === 'text') return matchText(tx, f, filter);
  if (field === 'party' && op === 'contains') {
    const condition = partyContains(String(value));
    const conversations = /\p{L}/u.test(String(value))
      ? await conversationsWhere(tx, f, condition)
      : await idsOf(
          tx,
          sql`match_parties(${f.companyId}, ${digitsLike(String(value))}, ${MOST_CONVERSATIONS + 1})`,
        );
    return inConversations(conversations, condition);
  }
  if (field === 'contact' && op === 'contains') {
    const pattern = like(String(value));
    const contacts = await idsOf(
      tx,
      sql`contacts_matching(${f.companyId}, ${pattern}, null, ${MOST_CONVERSATIONS + 1})`,
    );
    const has = sql`exists (select from contact k where k.company_id = ${f.companyId}
      and k.id = c.contact_id and k.deleted_at is null and ${contactHas(pattern, f.hidden)})`;
    if (contacts.length > MOST_CONVERSATIONS) return { condition: has };
    const condition = sql`c.contact_id = any(${ids(contacts)}) ${f.hidden ? sql`and ${has}` : sql``}`;
    return inConversations(await conversationsWhere(tx, f, condition), condition);
  }
  if (op === 'ne') return null;
  if (field === 'contact') {
    const condition = sql`c.contact_id = any(${ids(listOf(value).map(Number).filter(Number.isSafeInteger))})`;
    return inConversations(await conversationsWhere(tx, f, condition), condition);
  }
  if (field === 'party') {
    const condition = sql`c.party = any(${listOf(value)}::text[])`;
    return inConversations(await conversationsWhere(tx, f, condition), condition);
  }
  return null;
}

async function matchText(tx: Tx, f: ActivityFilter, { op, value }: Filter): Promise<Match> {
  const pattern = like(value);
  const contains = textHas(pattern, f.hidden);
  if (op === 'ne') return { condition: sql`not (${contains})` };
  if (await isCommon(tx, f.companyId, pattern)) return { condition: contains };
  const items = await idsOf(
    tx,
    sql`match_items(${f.companyId}, ${pattern}, '-infinity', 'infinity', ${MOST_MATCHES + 1})`,
  );
  return items.length > MOST_MATCHES
    ? { condition: contains }
    : { condition: f.hidden ? contains : sql`i.id = any(${ids(items)})`, items };
}

const inConversations = (found: readonly number[], otherwise: RawBuilder<unknown>): Match =>
  found.length > MOST_CONVERSATIONS
    ? { condition: otherwise }
    : { condition: sql`c.id = any(${ids(found)})`, conversations: found };

const conversationsWhere = (tx: Tx, { companyId }: ActivityFilter, where: RawBuilder<unknown>) =>
  idsOf(
    tx,
    sql`(select c.id from conversation c where c.company_id = ${companyId} and ${where}
      limit ${MOST_CONVERSATIONS + 1}) m`,
  );

const idsOf = async (tx: Tx, from: RawBuilder<unknown>): Promise<number[]> => [
  ...new Set((await sql<{ id: number }>`select id from ${from}`.execute(tx)).rows.map((r) => r.id)),
];
