/** What can be delivered to other tools, and when (A16.1). Browsers load this. */

/** What happened. */
export const deliveryEvents = [
  'call.completed',
  'call.answered',
  'call.missed',
  'voicemail',
  'message.received',
  'qualified',
  'lead',
  'outcome_tag',
  'form',
] as const;
export type DeliveryEvent = (typeof deliveryEvents)[number];

export const deliveryStates = ['queued', 'failed', 'sent', 'dead', 'skipped'] as const;

/** A delivery that failed is tried again after these many minutes; then it is given up. */
export const retryMinutes = [1, 5, 15, 60, 180, 360, 720] as const;

/** Stands for what is hidden. */
export const dots = '•••';
/** A number of which only the country and the last two digits can be read. */
export const hiddenNumber = (number: string): string =>
  number.startsWith('+') ? `${number.slice(0, 2)}${dots}${number.slice(-2)}` : number;

/** Rules of one destination. */
export const mostRules = 20;
/** Destinations of one provider in a company. */
export const mostDestinations = 20;
/** Days that a dry run looks back. */
export const dryRunDays = 30;

/** Facts that rules look at. */
export interface RuleFacts {
  event: DeliveryEvent;
  numberId: number;
  poolId: number | null;
  sourceKey: string | null;
  durationSeconds: number;
  /** When the same person was in touch before; null: never. */
  previousContactAt: Date | null;
  at: Date;
  qualified: boolean;
  outcomeTags: readonly string[];
  department: string;
  isOutbound: boolean;
}
interface Conditions {
  event: DeliveryEvent;
  number_ids: readonly number[];
  dni_pool_ids: readonly number[];
  sources: readonly string[];
  min_duration: number;
  first_contact_only: boolean;
  qualified_only: boolean;
  tags_any: readonly string[];
  departments: readonly string[];
}

const among = <T>(wanted: readonly T[], value: T | null): boolean =>
  wanted.length === 0 || (value !== null && wanted.includes(value));

/** A condition of a rule. */
export type RuleCondition = Exclude<keyof Conditions, 'event'>;

/**
 * The first condition of a rule that doesn’t hold for what happened, whatever its event; null: all hold.
 * An empty list lets everything through.
 * @param firstContactDays who was in touch longer ago than this counts as new; null: never
 */
export function unmetCondition(
  rule: Conditions,
  facts: RuleFacts,
  firstContactDays: number | null,
): RuleCondition | null {
  const { previousContactAt: before, at } = facts;
  const isFirst =
    before === null ||
    (firstContactDays !== null && at.getTime() - before.getTime() > firstContactDays * 86_400_000);
  const holds: Record<RuleCondition, boolean> = {
    number_ids: among(rule.number_ids, facts.numberId),
    dni_pool_ids: among(rule.dni_pool_ids, facts.poolId),
    sources: among(rule.sources, facts.sourceKey),
    min_duration: facts.durationSeconds >= rule.min_duration,
    first_contact_only: !rule.first_contact_only || isFirst,
    qualified_only: !rule.qualified_only || facts.qualified,
    tags_any:
      rule.tags_any.length === 0 || rule.tags_any.some((tag) => facts.outcomeTags.includes(tag)),
    departments: among(rule.departments, facts.department),
  };
  return (Object.keys(holds) as RuleCondition[]).find((name) => !holds[name]) ?? null;
}

/** Whether a rule asks for what happened. Its parameters are those of `unmetCondition`. */
export const ruleMatches = (
  rule: Conditions,
  facts: RuleFacts,
  firstContactDays: number | null,
): boolean => rule.event === facts.event && unmetCondition(rule, facts, firstContactDays) === null;

/** The events that a call which ended in this way leads to; `outcome`: A §4. */
export function eventsOfCall(outcome: number): DeliveryEvent[] {
  if (outcome === 1) return ['call.completed', 'call.answered'];
  if (outcome === 2 || outcome === 3) return ['call.completed', 'call.missed'];
  // A blocked caller is no lead of anyone.
  return [];
}
