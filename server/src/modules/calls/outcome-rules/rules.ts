/** What rules decide, pure. */
import type { RuleWanted } from '#contract/calls/outcome-rules/schemas';
import type { RuleFacts, RuleRow } from './store.ts';

/** The fields of a call that rules set. */
const ruledFields = ['outcome_tags', 'department', 'qualified', 'lead'] as const;
export type RuledField = (typeof ruledFields)[number];
export type RuledPatch = Partial<Pick<RuleFacts, RuledField>>;

/** Whether a rule's conditions hold. `said`: the lists of which a phrase was said. */
const applies = (
  rule: Omit<RuleWanted, 'sets'>,
  call: Pick<RuleFacts, 'outbound' | 'talk_seconds'>,
  said: ReadonlySet<number>,
): boolean =>
  (rule.phrase_list_id === null || said.has(rule.phrase_list_id)) &&
  call.talk_seconds >= rule.min_talk_seconds &&
  (rule.direction === null || call.outbound === (rule.direction === 'outbound'));

/** What a rule would change in a call. What a person set stays, and what is so already isn't listed. */
export function changesOf(sets: RuleWanted['sets'], call: RuleFacts): RuledPatch {
  const patch: RuledPatch = {};
  const isOpen = (field: RuledField) => !call.person_set.includes(field);
  const tag = sets.outcome_tag;
  if (tag !== null && isOpen('outcome_tags') && !call.outcome_tags.includes(tag))
    patch.outcome_tags = [...call.outcome_tags, tag];
  if (sets.department !== null && isOpen('department') && call.department !== sets.department)
    patch.department = sets.department;
  if (sets.qualified !== null && isOpen('qualified') && call.qualified !== sets.qualified)
    patch.qualified = sets.qualified;
  if (sets.lead !== null && isOpen('lead') && call.lead !== sets.lead) patch.lead = sets.lead;
  return patch;
}

/** One rule's share in what changes. */
interface RuleChange {
  /** ID null: the company's setting. */
  rule: Pick<RuleRow, 'name'> & { id: number | null };
  patch: RuledPatch;
}

/**
 * What rules change together, by rule. They run in order: outcomes add up, of everything else the first
 * rule that says something decides.
 */
export function changesOfRules(
  rules: readonly RuleRow[],
  call: RuleFacts,
  said: ReadonlySet<number>,
): RuleChange[] {
  const changes: RuleChange[] = [];
  const decided = new Set<keyof RuleWanted['sets']>();
  let current = call;
  for (const rule of rules) {
    if (!rule.is_on || !applies(rule, call, said)) continue;
    const sets = {
      outcome_tag: rule.outcome_tag,
      department: decided.has('department') ? null : rule.department,
      qualified: decided.has('qualified') ? null : rule.qualified,
      lead: decided.has('lead') ? null : rule.lead,
    };
    for (const key of ['department', 'qualified', 'lead'] as const)
      if (sets[key] !== null) decided.add(key);
    const patch = changesOf(sets, current);
    if (Object.keys(patch).length === 0) continue;
    current = { ...current, ...patch };
    changes.push({ rule, patch });
  }
  return changes;
}
