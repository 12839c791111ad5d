import type { Answer, integrations as contract } from '#contract';
import {
  unmetCondition,
  type DeliveryEvent,
  type RuleCondition,
} from '#contract/integrations/rules';
import { deliveryRules, type DeliveryRule } from '#contract/integrations/schemas';
import type { Destination } from '../../../gateways/destination.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { callsForRules, type CallRuleFacts } from '../../calls/index.ts';
import { isProviderOn } from '../plan.ts';
import { presentDelivery, visibleNumbers } from '../present.ts';
import { allDestinations, type DestinationRow } from '../store.ts';
import { deliveriesOfCall } from '../store-deliveries.ts';
import { factsOfCall } from './collect.ts';
import { eventsOf } from './dry-run.ts';
import { loadFacts } from './load-facts.ts';

type Explained = Answer<typeof contract.listCallDeliveries>;

/**
 * Where a call was delivered to and, for each place that it wasn't sent to, why not. Fails with `not_found`
 * for a call of a number that the person can't see.
 */
export async function explainCall(t: TxCtx, callId: number): Promise<Explained> {
  const [call] = await callsForRules(t.tx, t.companyId, { ids: [callId] });
  if (!call || visibleNumbers(t)?.includes(call.number_id) === false) return notFound();
  const rows = await deliveriesOfCall(t.tx, t.companyId, callId);
  const data: Explained['data'] = [];
  for (const row of await allDestinations(t.tx, t.companyId)) {
    const kind = t.gateways.destinations.get(row.provider);
    if (!kind) continue;
    const own = rows.filter(({ destination_id: id }) => id === row.id);
    data.push({
      destination: { id: row.id, provider: row.provider, label: kind.label, name: row.name },
      deliveries: own.map(presentDelivery),
      reason: own.length > 0 ? null : await whyNotSent(t, { row, kind }, call),
    });
  }
  return { data };
}

interface Place {
  row: DestinationRow;
  kind: Destination;
}

async function whyNotSent(t: TxCtx, { row, kind }: Place, call: CallRuleFacts): Promise<string> {
  if (row.status !== 'active') return 'It’s turned off.';
  if (!(await isProviderOn(t, row.provider)))
    return 'Your plan doesn’t include it, or a company setting turns it off.';
  if (call.ended_at === null) return 'The call hasn’t ended yet.';
  if (kind.inboundOnly && call.outbound) return 'It takes incoming calls only.';
  if (call.outcome === 4) return 'The caller is blocked.';
  const matched = ruleOf({ row, kind }, call);
  if (typeof matched === 'string') return matched;
  const facts = await loadFacts(t, matched.event, { type: 'call', id: call.id });
  const config = kind.config.safeParse(row.config).data;
  if (!facts || config === undefined) return 'Its settings can’t be read. Save them again.';
  if (kind.accepts?.(facts, config) === false)
    return kind.whyNot?.(facts, config) ?? 'Too little is known of the call.';
  return 'It was set up or changed after the call.';
}

/** The rule that asks for a call, or why none does: what is said of the one that comes closest. */
function ruleOf({ row, kind }: Place, call: CallRuleFacts): DeliveryRule | string {
  const rules = deliveryRules.parse(row.rules).filter(({ event }) => kind.events.includes(event));
  const [first] = rules;
  if (!first) return 'It has no rule for calls.';
  const happened = eventsOf(call);
  const asked = rules.filter(({ event }) => happened.includes(event));
  if (asked.length === 0) return missing[first.event];
  const unmet = asked.map((rule) => ({
    rule,
    condition: unmetCondition(rule, factsOfCall(call, rule.event), kind.firstContactDays),
  }));
  const met = unmet.find(({ condition }) => condition === null);
  if (met) return met.rule;
  const [closest] = unmet;
  return closest?.condition ? unmetText[closest.condition](closest.rule) : missing[first.event];
}

/** What didn't happen that a rule waits for. */
const missing: Record<DeliveryEvent, string> = {
  'call.completed': 'The caller never reached you.',
  'call.answered': 'The call wasn’t answered.',
  'call.missed': 'The call wasn’t missed.',
  voicemail: 'No voicemail was left.',
  'message.received': 'It takes texts and forms only.',
  form: 'It takes texts and forms only.',
  qualified: 'The call isn’t qualified.',
  lead: 'The call isn’t marked as a lead.',
  outcome_tag: 'No outcome is set.',
};

const unmetText: Record<RuleCondition, (rule: DeliveryRule) => string> = {
  number_ids: () => 'Its rules leave out the number that was called.',
  dni_pool_ids: () => 'Its rules leave out the tracking pool of this call.',
  sources: () => 'Its rules leave out the source of this call.',
  min_duration: ({ min_duration: seconds }) => `The call was shorter than ${seconds} seconds.`,
  first_contact_only: () => 'It takes first calls only, and this person called before.',
  qualified_only: () => 'The call isn’t qualified.',
  tags_any: () => 'The call has none of the outcomes that its rules ask for.',
  departments: () => 'Its rules leave out the department of this call.',
};
