import { rowHasFolded } from '../../platform/folded.ts';
import { sql } from 'kysely';
import type { ContactFilters } from '#contract/contacts/schemas';
import { containsPattern, readSearch } from './rules.ts';
import { inGroup, hasLabel, ruleCondition } from './store-rule.ts';
import { type Condition, type FilterContext, allOf } from './store-conditions.ts';

/** The SQL condition of a contact filter on `contact c`, search included. */
export function contactCondition(f: ContactFilters, facts: FilterContext): Condition {
  const parts: Condition[] = [];
  if (f.search) parts.push(searchCondition(f.search, facts));
  parts.push(...conditionsWithoutSearch(f, facts));
  return allOf(parts);
}

/** All conditions but the search, which lists resolve themselves. */
export function conditionsWithoutSearch(f: ContactFilters, facts: FilterContext): Condition[] {
  const parts: Condition[] = [];
  if (f.groupId !== undefined) {
    const rule = facts.rules.get(f.groupId);
    parts.push(rule ? ruleCondition(rule, facts) : inGroup(f.groupId));
  }
  if (f.labelId !== undefined) parts.push(hasLabel(f.labelId));
  if (f.state === 'active') parts.push(sql`not c.invalid and c.unsubscribed_at is null`);
  if (f.state === 'unsubscribed') parts.push(sql`not c.invalid and c.unsubscribed_at is not null`);
  if (f.state === 'invalid') parts.push(sql`c.invalid`);
  if (f.source) parts.push(sql`c.source = ${f.source}`);
  if (f.type) parts.push(sql`c.type = ${f.type}`);
  if (f.addedAfter) parts.push(sql`c.created_at >= ${new Date(f.addedAfter)}`);
  if (f.addedBefore) parts.push(sql`c.created_at < ${new Date(f.addedBefore)}`);
  if (f.rule) parts.push(ruleCondition(f.rule, facts));
  parts.push(...facts.eav);
  return parts;
}

/** What people who may not see contact details search: names, without numbers and emails in them. */
export const namesHave = (words: string): Condition =>
  sql`folded(without_details(c.name || ' ' || c.company_name, true)) like ${containsPattern(words)}`;

/** Contacts matching a search, by the function that can use the trigram index. */
function searchCondition(typed: string, facts: FilterContext): Condition {
  const { words, digits } = readSearch(typed);
  if (facts.masked) return namesHave(words);
  return sql`c.id in (select m.id from contacts_matching(${facts.companyId},
        ${containsPattern(words)}, ${digits === null ? null : containsPattern(digits)}, null) m)`;
}
/**
 * The same per row: faster for lists in which so many match that a walk in order soon fills a page.
 */
export function searchRowCondition(typed: string): Condition {
  const { words, digits } = readSearch(typed);
  return digits === null
    ? rowHasFolded(sql`c.search`, containsPattern(words))
    : sql`(${rowHasFolded(sql`c.search`, containsPattern(words))} or c.search like ${containsPattern(digits)}
        or exists (select from contact_number n where n.company_id = c.company_id
          and n.contact_id = c.id and n.number like ${containsPattern(digits)}))`;
}
