import { sql, type RawBuilder } from 'kysely';
import { oneRow, type Tx } from '../../platform/db.ts';
import { textSeen, type Hidden } from '../../platform/masking/mask-text.ts';
import type { InboxSearch } from './rules.ts';
import { isCommon, isVeryCommon } from './store-common-words.ts';
import { foldedPattern, rowHasFolded } from '../../platform/folded.ts';

/**
 * With more matches than this the list is walked in its own order instead, because matches are met
 * soon.
 */
const maxMatches = 3000;
/** A walk counts no further than this. */
const maxWalked = 1000;
/** Pages that end further down aren't looked for among the newest conversations alone. */
const MOST_MET = 100;
/** Those are so many, and more for a long page. */
const metAmong = (end: number) => Math.max(500, 10 * end);
/** Words of one or two letters are in no index: they are searched among this many newest items. */
const maxShortWalked = 20_000;
const like = foldedPattern;
/** IDs as an SQL array. */
export const ids = (list: readonly number[]) => sql`${[...list]}::bigint[]`;
/** All conditions together; none is always true. */
export const and = (parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  parts.length ? sql`${sql.join([...parts], sql` and `)}` : sql`true`;
/** A single one is compared with `=`: only then does an index keep its order. */
const anyOf = (column: RawBuilder<unknown>, list: readonly number[]) =>
  list.length === 1 ? sql`${column} = ${list[0]}::bigint` : sql`${column} = any(${ids(list)})`;

/**
 * A condition on `c` (and `i`, for items). `walk`: too many matches to list them, so counting stops
 * there. `newest`: only these are searched.
 */
export interface SearchCondition {
  parts: RawBuilder<unknown>[];
  walkLimit: number | null;
  newestLimit: number | null;
  /** The newest are those behind the cursor. */
  isFromCursor?: boolean;
}
interface SearchScope {
  companyId: number;
  /** What the person may not see, and so not find. Null: nothing. */
  hidden: Hidden | null;
  me: number;
  since: Date;
  until: Date;
}
type MatchedIds = { ids: number[] } | 'many';
const capMatches = (rows: readonly { id: number }[]): MatchedIds =>
  rows.length >= maxMatches ? 'many' : { ids: [...new Set(rows.map((r) => r.id))] };

/**
 * Under row-level security no trigram index can be used, so functions return the matches
 * (120_conversations.sql).
 */
const partiesLike = async (tx: Tx, companyId: number, digits: string): Promise<MatchedIds> =>
  capMatches(
    (
      await sql<{
        id: number;
      }>`select id from match_parties(${companyId}, ${like(digits)}, ${maxMatches})`.execute(tx)
    ).rows,
  );
/** Conversations with senders that have a name instead of a number. */
const namedSendersLike = async (tx: Tx, companyId: number, words: string): Promise<number[]> =>
  (
    await sql<{ id: number }>`select id from conversation
      where company_id = ${companyId} and party not like '+%' and party <> 'anonymous'
        and folded(party) like ${like(words)} limit ${maxMatches}`.execute(tx)
  ).rows.map((r) => r.id);
const numbersLike = async (tx: Tx, companyId: number, digits: string): Promise<number[]> =>
  (
    await sql<{
      id: number;
    }>`select id from number
      where company_id = ${companyId} and number like ${like(digits)}`.execute(tx)
  ).rows.map((r) => r.id);
const isShortSearch = (s: InboxSearch) => s.words !== null && s.words.length < 3;
const searchPattern = (s: InboxSearch) => like(s.words ?? s.digits ?? '');

/**
 * Whether the party of the conversation `c` contains these digits or, if there are letters, is a
 * sender with such a name.
 */
export const partyContains = (typed: string): RawBuilder<unknown> =>
  /\p{L}/u.test(typed)
    ? sql`c.party not like '+%' and c.party <> 'anonymous' and folded(c.party) like ${like(typed.trim())}`
    : sql`c.party like ${digitsLike(typed)}`;
/** The pattern of typed digits, however they are separated. */
export const digitsLike = (typed: string): string => like(typed.replace(/[\s().-]/g, ''));

/** Whether the text of the item `i` has the words, as far as the person sees it. */
export const textHas = (
  pattern: string,
  hidden: Hidden | null,
) => sql`i.text <> '' and ${rowHasFolded(sql`i.text`, pattern)}
  ${hidden ? sql`and folded(${textSeen(sql`i.text`, hidden)}) like ${pattern}` : sql``}`;
/** Whether the contact `k` has them: in its numbers and emails only for those who see them. */
export const contactHas = (pattern: string, hidden: Hidden | null) =>
  hidden
    ? sql`folded(${textSeen(sql`(k.name || ' ' || k.company_name)`, hidden)}) like ${pattern}`
    : rowHasFolded(sql`k.search`, pattern);

/** Whether the list is walked without asking the index first. Times narrow what the sample can't. */
const isWalked = async (tx: Tx, s: InboxSearch, { companyId }: SearchScope): Promise<boolean> =>
  isShortSearch(s) ||
  (s.words !== null &&
    s.digits === null &&
    !s.before &&
    !s.after &&
    isVeryCommon(tx, companyId, searchPattern(s)));

/**
 * Whether a page of this search is first looked for among the newest conversations: words alone that
 * many of the newest texts have. Where they fill the page, no index is asked.
 */
export const isMetSoon = async (
  tx: Tx,
  companyId: number,
  s: InboxSearch,
  { offset, limit }: { offset: number; limit: number },
): Promise<boolean> =>
  offset + limit <= MOST_MET &&
  s.words !== null &&
  !isShortSearch(s) &&
  ![s.digits, s.before, s.after, s.from, s.to, s.hasMedia, s.source].some(Boolean) &&
  isCommon(tx, companyId, searchPattern(s));

/**
 * A search as conditions on a list of conversations.
 * @param metSoon where the page ends: among the newest alone, without asking the index
 */
export async function findConversations(
  tx: Tx,
  s: InboxSearch,
  a: SearchScope,
  metSoon: number | null = null,
): Promise<SearchCondition> {
  const parts = await conversationConditions(tx, s, a);
  let [walk, newest]: [number | null, number | null] = [null, null];
  const item = (more: RawBuilder<unknown>) =>
    sql`exists (select from conversation_item i where i.company_id = c.company_id
        and i.conversation_id = c.id and i.deleted_at is null and ${more})`;
  const when = sql`i.created_at >= ${a.since} and i.created_at < ${a.until}`;
  if (s.words || s.digits) {
    const found =
      metSoon !== null || (await isWalked(tx, s, a))
        ? 'many'
        : capMatches(
            (
              await sql<{
                id: number;
              }>`select id from conversations_found(${a.companyId},
                ${searchPattern(s)}, ${s.digits ? like(s.digits) : null}, ${a.since},
                ${a.until}, ${maxMatches})`.execute(tx)
            ).rows,
          );
    const named = s.words === null ? [] : await namedSendersLike(tx, a.companyId, s.words);
    // What was found by what they may not see is looked at again.
    if (found !== 'many') parts.push(anyOf(sql`c.id`, [...new Set([...found.ids, ...named])]));
    if (found === 'many' || (a.hidden && s.words)) {
      if (found === 'many') [walk, newest] = [maxWalked, isShortSearch(s) ? maxShortWalked : null];
      // Evaluated per conversation: an `exists` beside an `or` would be computed for all of them
      // first. Fenced, and by a range of one conversation, whose order only the index of threads has:
      // without statistics each would read the company's items.
      parts.push(sql`((select 1 from (select * from conversation_item where company_id = c.company_id
            and conversation_id between c.id and c.id and deleted_at is null
            order by conversation_id, created_at desc, id desc offset 0) i
            where ${textHas(searchPattern(s), a.hidden)} and ${when} limit 1) is not null
        or (select 1 from (select * from contact where company_id = c.company_id
            and id = c.contact_id limit 1) k
            where k.deleted_at is null and ${contactHas(searchPattern(s), a.hidden)}
            limit 1) is not null ${s.digits ? sql`or c.party like ${like(s.digits)}` : sql``}
        ${named.length ? sql`or c.id = any(${ids(named)})` : sql``})`);
    }
  }
  for (const [digits, theirs] of [
    [s.from, true],
    [s.to, false],
  ] as const) {
    if (!digits) continue;
    // `from:` a person: inbound items; `to:` a person: outbound. With our own number it is reversed.
    const [parties, numbers] = [
      await partiesLike(tx, a.companyId, digits),
      await numbersLike(tx, a.companyId, digits),
    ];
    if (parties === 'many') walk = maxWalked;
    const them = sql`${
      parties === 'many'
        ? sql`c.party like
      ${like(digits)}`
        : anyOf(sql`c.id`, parties.ids)
    }
      and ${item(sql`i.is_inbound = ${theirs}`)}`;
    parts.push(
      numbers.length
        ? sql`(${them} or ${anyOf(sql`c.number_id`, numbers)}
            and ${item(sql`i.is_inbound = ${!theirs}`)})`
        : them,
    );
  }
  if (s.hasMedia) parts.push(item(hasMedia));
  if (s.source) {
    const from = await conversationsFrom(tx, a.companyId, hasSourceWords(s.source));
    walk = from.walkLimit ?? walk;
    parts.push(...from.parts);
  }
  if (!s.words && !s.digits && (s.before || s.after)) parts.push(item(when));
  if (metSoon === null) return { parts, walkLimit: walk, newestLimit: newest };
  const among = metAmong(metSoon);
  return { parts, walkLimit: among, newestLimit: among, isFromCursor: true };
}

/** A search as conditions on a list of items, with their conversation `c`. */
export async function findItems(tx: Tx, s: InboxSearch, a: SearchScope): Promise<SearchCondition> {
  const parts = await conversationConditions(tx, s, a);
  let [walk, newest]: [number | null, number | null] = [null, null];
  const when = sql`i.created_at >= ${a.since} and i.created_at < ${a.until}`;
  if (s.words || s.digits) {
    const texts = (await isWalked(tx, s, a))
      ? 'many'
      : capMatches(
          (
            await sql<{
              id: number;
            }>`select id from match_items(${a.companyId}, ${searchPattern(s)}, ${a.since},
                ${a.until}, ${maxMatches})`.execute(tx)
          ).rows,
        );
    const parties = s.digits ? await partiesLike(tx, a.companyId, s.digits) : { ids: [] };
    if (texts === 'many' || parties === 'many') {
      [walk, newest] = [maxWalked, isShortSearch(s) ? maxShortWalked : null];
      parts.push(
        when,
        sql`(${textHas(searchPattern(s), a.hidden)}
            ${s.digits ? sql`or c.party like ${like(s.digits)}` : sql``})`,
      );
    } else
      parts.push(
        parties.ids.length
          ? sql`${when} and i.id in (select unnest(${ids(texts.ids)})
              union select x.id from conversation_item x where x.company_id = ${a.companyId}
              and x.conversation_id = any(${ids(parties.ids)}) and x.deleted_at is null)`
          : anyOf(sql`i.id`, texts.ids),
        ...(a.hidden && s.words ? [textHas(searchPattern(s), a.hidden)] : []),
      );
  } else parts.push(when);
  for (const [digits, theirs] of [
    [s.from, true],
    [s.to, false],
  ] as const) {
    if (!digits) continue;
    const [parties, numbers] = [
      await partiesLike(tx, a.companyId, digits),
      await numbersLike(tx, a.companyId, digits),
    ];
    if (parties === 'many') walk = maxWalked;
    const them = sql`i.is_inbound = ${theirs} and
      ${
        parties === 'many'
          ? sql`c.party like
        ${like(digits)}`
          : anyOf(sql`i.conversation_id`, parties.ids)
      }`;
    parts.push(
      numbers.length
        ? sql`(${them} or i.is_inbound = ${!theirs} and ${anyOf(sql`i.number_id`, numbers)})`
        : them,
    );
  }
  if (s.hasMedia) parts.push(hasMedia);
  if (s.source) {
    const found = await matchedConversations(tx, a.companyId, hasSourceWords(s.source));
    if (found === 'many') [walk, newest] = [maxWalked, maxShortWalked];
    else parts.push(anyOf(sql`i.conversation_id`, found.ids));
    parts.push(sql`i.kind <> 'trackingmatch' and ${hasSourceWords(s.source)}`);
  }
  return { parts, walkLimit: walk, newestLimit: newest };
}
/** What an item says of where it came from; null: nothing. */
const sourceWords = sql`(i.details ->> 'source' || ' ' || coalesce(i.details ->> 'campaign', '')
  || ' ' || coalesce(i.details ->> 'keyword', '') || ' ' || coalesce(i.details ->> 'landingUrl', ''))`;
const hasSourceWords = (words: string) => sql`folded(${sourceWords}) like ${like(words)}`;
/** Whether an item came from one of these sources, by their keys. */
export const isOfSources = (keys: readonly string[]): RawBuilder<unknown> =>
  sql`i.details ->> 'sourceKey' = any(${[...keys]}::text[])`;
/** Conversations of people who came from one of these sources, by their keys. */
export const conversationsOfSources = (tx: Tx, companyId: number, keys: readonly string[]) =>
  conversationsFrom(tx, companyId, isOfSources(keys));
/** Conversations with such a match; where too many have one, the list is walked. */
async function conversationsFrom(
  tx: Tx,
  companyId: number,
  matches: RawBuilder<unknown>,
): Promise<SearchCondition> {
  const found = await matchedConversations(tx, companyId, matches);
  return found === 'many'
    ? {
        parts: [
          sql`exists (select from conversation_item i where i.company_id = c.company_id
            and i.conversation_id = c.id and i.deleted_at is null and i.kind = 'trackingmatch'
            and ${matches})`,
        ],
        walkLimit: maxWalked,
        newestLimit: null,
      }
    : { parts: [anyOf(sql`c.id`, found.ids)], walkLimit: null, newestLimit: null };
}
/** The same, among the newest matches. */
const matchedConversations = async (
  tx: Tx,
  companyId: number,
  matches: RawBuilder<unknown>,
): Promise<MatchedIds> =>
  capMatches(
    (
      await sql<{ id: number }>`select i.conversation_id id
        from (select conversation_id, details from conversation_item
          where company_id = ${companyId} and kind = 'trackingmatch' and deleted_at is null
          order by created_at desc, id desc limit ${maxShortWalked}) i
        where ${matches} limit ${maxMatches}`.execute(tx)
    ).rows,
  );
const hasMedia = sql`i.kind = 'message' and (i.details -> 'media' -> 0) is not null`;

/** The search's conditions on the conversation itself: labels, assignment, state. */
async function conversationConditions(
  tx: Tx,
  s: InboxSearch,
  { companyId, me }: SearchScope,
): Promise<RawBuilder<unknown>[]> {
  const parts: RawBuilder<unknown>[] = [];
  if (s.label) {
    const at = await oneRow(
      tx,
      sql<{ labels: number[]; numbers: number[] }>`select array(select l.id from contact_label l
        where l.company_id = ${companyId} and folded(l.label) like ${like(s.label)}) labels,
      array(select n.id from number n where n.company_id = ${companyId}
        and folded(n.label) like ${like(s.label)}) numbers`,
    );
    const theirs = sql`c.contact_id in (select u.contact_id from contact_label_use u
        where u.company_id = ${companyId} and ${anyOf(sql`u.label_id`, at.labels)})`;
    parts.push(
      at.labels.length && at.numbers.length
        ? sql`(${theirs} or ${anyOf(sql`c.number_id`, at.numbers)})`
        : at.labels.length
          ? theirs
          : anyOf(sql`c.number_id`, at.numbers),
    );
  }
  if (s.assigned === 'me') parts.push(sql`c.assigned_to = ${me}`);
  else if (s.assigned === 'none' || s.assigned === 'nobody')
    parts.push(sql`c.assigned_to is null and c.team_id is null`);
  else if (s.assigned) parts.push(await assignedLike(tx, companyId, s.assigned));
  if (s.is === 'unread' || s.is === 'read')
    parts.push(s.is === 'unread' ? sql`c.unread > 0` : sql`c.unread = 0`);
  if (s.is === 'snoozed') parts.push(sql`c.snoozed_until is not null`);
  if (s.is === 'open' || s.is === 'archived')
    parts.push(
      s.is === 'open'
        ? sql`c.archived_at is null`
        : sql`c.archived_at is not null and c.snoozed_until is null`,
    );
  return parts;
}
/** Assigned to a person or a team with such a name. */
async function assignedLike(tx: Tx, companyId: number, name: string) {
  const teams = await teamsLike(tx, companyId, name);
  const person = sql`(${anyOf(sql`c.assigned_to`, await assigneesLike(tx, companyId, name))}
    and c.assigned_to is not null and folded(c.assigned_name) like ${like(name)})`;
  return teams.length ? sql`(${person} or ${anyOf(sql`c.team_id`, teams)})` : person;
}
const teamsLike = async (tx: Tx, companyId: number, name: string): Promise<number[]> =>
  (
    await sql<{ id: number }>`select t.id from team t
      where t.company_id = ${companyId} and folded(t.name) like ${like(name)}`.execute(tx)
  ).rows.map((row) => row.id);

/**
 * People with conversations and a matching name: one index step per person, however many
 * conversations they have.
 */
const assigneesLike = async (tx: Tx, companyId: number, name: string): Promise<number[]> =>
  (
    await sql<{
      id: number;
    }>`with recursive who(id) as (select min(c.assigned_to) from conversation c
        where c.company_id = ${companyId} and c.assigned_to is not null and c.deleted_at is null
      union all select (select min(c.assigned_to) from conversation c
          where c.company_id = ${companyId} and c.assigned_to > who.id and c.deleted_at is null)
        from who where who.id is not null)
    select who.id from who where who.id is not null and exists (select from (select c.assigned_name
          from conversation c where c.company_id = ${companyId} and c.assigned_to = who.id
          and c.deleted_at is null order by c.last_activity_at desc limit 100) n
        where folded(n.assigned_name) like ${like(name)})`.execute(tx)
  ).rows.map((r) => r.id);

/** Whether the conversation has an item of one of these kinds; rare kinds have their own index. */
export const kindCondition = (kinds: readonly string[]) =>
  sql`i.kind = any(${[...kinds]}::text[])
    ${kinds.includes('message') ? sql`` : sql`and i.kind <> 'message'`}`;
