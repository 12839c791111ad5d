import { sign } from '../../../platform/secrets.ts';
import { ruleMatches, type DeliveryEvent, type RuleFacts } from '#contract/integrations/rules';
import { deliveryRules, type DeliveryRule } from '#contract/integrations/schemas';
import type { DeliveryFacts, Destination } from '../../../gateways/destination.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { callsForRules, type CallRuleFacts } from '../../calls/index.ts';
import { inboundBefore } from '../../conversations/index.ts';
import { openDestinations, lockDestination, type DestinationRow } from '../store.ts';
import { isProviderOn } from '../plan.ts';
import { insertDelivery, lastOfThread } from '../store-deliveries.ts';
import { companyFacts, loadFacts, type CompanyFacts, type Subject } from './load-facts.ts';

const DAY_MS = 86_400_000;

/**
 * Queues what happened for every destination whose rules ask for it, once for each. Run again, it
 * queues nothing.
 * @param seq the event's place among all events
 */
export async function collect(
  t: TxCtx,
  events: readonly DeliveryEvent[],
  subject: Subject,
  seq: number,
): Promise<void> {
  const known = readOnce(t, subject);
  for (const row of await ofCompany(t).destinations()) {
    const kind = t.gateways.destinations.get(row.provider);
    if (!kind) continue;
    for (const event of events) {
      const rule = await ruleFor({ row, kind }, event, known);
      if (rule) await queue(t, { row, kind }, rule, { known, seq });
    }
  }
}

/** What a transaction that collects many events reads once. */
interface OfCompany {
  company(): Promise<CompanyFacts | null>;
  destinations(): Promise<DestinationRow[]>;
  isOn(provider: string): Promise<boolean>;
}
const ofCompanies = new WeakMap<object, OfCompany>();
function ofCompany(t: TxCtx): OfCompany {
  const known = ofCompanies.get(t.tx);
  if (known) return known;
  let company: Promise<CompanyFacts | null> | undefined;
  let destinations: Promise<DestinationRow[]> | undefined;
  const providers = new Map<string, Promise<boolean>>();
  const found: OfCompany = {
    company: () => (company ??= companyFacts(t)),
    destinations: () => (destinations ??= openDestinations(t.tx, t.companyId)),
    isOn: (provider) => {
      const isOn = providers.get(provider) ?? isProviderOn(t, provider);
      providers.set(provider, isOn);
      return isOn;
    },
  };
  ofCompanies.set(t.tx, found);
  return found;
}

/** What is known of a subject, read once for all destinations and events; null: it is gone. */
interface Known {
  subject: Subject;
  facts(event: DeliveryEvent): Promise<DeliveryFacts | null>;
  ruleFacts(event: DeliveryEvent): Promise<RuleFacts | null>;
  /** When its party was in touch before; null: never. */
  previousContactAt(event: DeliveryEvent): Promise<Date | null>;
}

async function factsOfSubject(t: TxCtx, event: DeliveryEvent, subject: Subject) {
  const company = await ofCompany(t).company();
  return company && loadFacts(t, event, subject, company);
}

function readOnce(t: TxCtx, subject: Subject): Known {
  let facts: Promise<DeliveryFacts | null> | undefined;
  let ruleFacts: Promise<RuleFacts | null> | undefined;
  let previous: Promise<Date | null> | undefined;
  const known: Known = {
    subject,
    // Only the event differs.
    async facts(event) {
      const found = await (facts ??= factsOfSubject(t, event, subject));
      return found && { ...found, event };
    },
    async ruleFacts(event) {
      const found = await (ruleFacts ??= ruleFactsOf(t, event, known));
      return found && { ...found, event };
    },
    previousContactAt: (event) => (previous ??= previousContactOf(t, known, event)),
  };
  return known;
}

interface Place {
  row: DestinationRow;
  kind: Destination;
}

/** The first of a destination's rules that asks for it; null: none does. */
async function ruleFor({ row, kind }: Place, event: DeliveryEvent, known: Known) {
  const rules = deliveryRules.parse(row.rules).filter((rule) => rule.event === event);
  if (rules.length === 0 || !kind.events.includes(event)) return null;
  const facts = await known.ruleFacts(event);
  if (!facts || (kind.inboundOnly && facts.isOutbound)) return null;
  const previousContactAt = rules.some((one) => one.first_contact_only)
    ? await known.previousContactAt(event)
    : null;
  return (
    rules.find((one) => ruleMatches(one, { ...facts, previousContactAt }, kind.firstContactDays)) ??
    null
  );
}

/** What rules look at in a call, for one event. */
export const factsOfCall = (call: CallRuleFacts, event: DeliveryEvent): RuleFacts => ({
  event,
  numberId: call.number_id,
  poolId: call.dni_pool_id,
  sourceKey: call.source_key,
  durationSeconds: call.duration_seconds,
  previousContactAt: call.previous_at,
  at: call.started_at,
  qualified: call.qualified,
  outcomeTags: call.outcome_tags,
  department: call.department,
  isOutbound: call.outbound,
});

async function ruleFactsOf(
  t: TxCtx,
  event: DeliveryEvent,
  { subject, facts: read }: Known,
): Promise<RuleFacts | null> {
  if (subject.type === 'call') {
    const [call] = await callsForRules(t.tx, t.companyId, { ids: [subject.id] });
    return call ? factsOfCall(call, event) : null;
  }
  const facts = await read(event);
  if (!facts) return null;
  return {
    event,
    numberId: facts.number.id,
    poolId: facts.number.poolId,
    sourceKey: facts.source?.key ?? null,
    durationSeconds: 0,
    // Read where a rule asks for it.
    previousContactAt: null,
    at: facts.happenedAt,
    qualified: facts.qualified,
    outcomeTags: facts.outcomeTags,
    department: facts.department,
    isOutbound: facts.outbound,
  };
}

async function previousContactOf(
  t: TxCtx,
  { subject, facts: read, ruleFacts }: Known,
  event: DeliveryEvent,
): Promise<Date | null> {
  if (subject.type === 'call') return (await ruleFacts(event))?.previousContactAt ?? null;
  const facts = await read(event);
  return facts && facts.conversationId !== null
    ? inboundBefore(t.tx, t.companyId, facts.conversationId, facts.happenedAt)
    : null;
}

async function queue(
  t: TxCtx,
  { row, kind }: Place,
  rule: DeliveryRule,
  { known, seq }: { known: Known; seq: number },
) {
  // After a change to a smaller plan it stays as it is, and delivers again with a larger one.
  if (!(await ofCompany(t).isOn(row.provider))) return;
  const facts = await known.facts(rule.event);
  if (!facts || kind.accepts?.(facts, kind.config.parse(row.config)) === false) return;
  const dueAt = new Date(t.clock().getTime() + rule.delay_minutes * 60_000);
  const isOff = row.status !== 'active';
  await insertDelivery(t.tx, {
    company_id: t.companyId,
    destination_id: row.id,
    event: rule.event,
    subject_type: known.subject.type,
    subject_id: known.subject.id,
    number_id: facts.number.id,
    rule: JSON.stringify(rule),
    dedupe_key: kind.dedupeKey(facts),
    ...(await threadOf(t, { row, kind }, facts)),
    order_key: orderKeyOf(t, { row, kind }, facts),
    event_seq: seq,
    // Kept until it works again.
    ...(isOff && { state: 'dead', error: 'It was turned off after it failed for days.' }),
    next_try_at: dueAt,
    happened_at: facts.happenedAt,
    created_at: t.clock(),
  });
}

/** Under which key its deliveries keep their order, hashed as it may name a person; null: under none. */
function orderKeyOf(t: TxCtx, { row, kind }: Place, facts: DeliveryFacts): string | null {
  const key = kind.orderKey?.(facts);
  return key === undefined ? null : sign(t.settings.appSecret, `order:${row.id}:${key}`);
}

/** Where a delivery stands among those about the same person. */
async function threadOf(t: TxCtx, { row, kind }: Place, facts: DeliveryFacts) {
  const who = kind.thread?.key(facts) ?? null;
  if (!kind.thread || who === null) return { thread_root: facts.subject.id };
  // Numbers are given one after another.
  await lockDestination(t.tx, t.companyId, row.provider, row.id);
  const thread_key = sign(t.settings.appSecret, `thread:${row.id}:${who}`);
  const since = new Date(facts.happenedAt.getTime() - kind.thread.days * DAY_MS);
  const last = await lastOfThread(
    t.tx,
    { company_id: t.companyId, destination_id: row.id },
    thread_key,
    since,
  );
  return {
    thread_key,
    thread_no: (last?.thread_no ?? 0) + 1,
    thread_root: last?.thread_root ?? facts.subject.id,
  };
}
