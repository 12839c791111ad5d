import type { Answer, integrations as contract } from '#contract';
import {
  deliveryEvents,
  dryRunDays,
  eventsOfCall,
  ruleMatches,
  type DeliveryEvent,
} from '#contract/integrations/rules';
import { deliveryRules } from '#contract/integrations/schemas';
import type { Destination } from '../../../gateways/destination.ts';
import type { OutboundRequest } from '../../../gateways/outbound.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { callsForRules, type CallRuleFacts } from '../../calls/index.ts';
import { sendWithAccount } from '../accounts/send-with-account.ts';
import { visibleNumbers } from '../present.ts';
import { verdictOf } from '../rules.ts';
import { destinationRow, type DestinationRow } from '../store.ts';
import { factsOfCall } from './collect.ts';
import { shownAs, speechOf } from './speech.ts';
import { loadFacts } from './load-facts.ts';
import { redactFacts } from './redact-facts.ts';

/** Calls that are looked at. */
const LOOKED_AT = 5000;
/** Calls that are listed, as they would have been sent. */
const LISTED = 20;
/** Calls of which everything is read to find those: a receiver may take only a few of them. */
const READ = 200;

type DryRun = Answer<typeof contract.dryRunDestination>['data'];

/**
 * What a destination's rules would have sent of the last 30 days' calls, also while it is turned off, and
 * what the receiver says of the newest where it can be asked. Nothing is counted or stored. Fails with
 * `not_found`.
 * @param ctx outside a transaction
 */
export async function dryRun(ctx: Ctx, destinationId: number): Promise<{ data: DryRun }> {
  const { data, question } = await ctx.transaction((t) => find(t, destinationId));
  return { data: { ...data, receiver: question && (await ask(ctx, question)) } };
}

interface Question {
  connectionId: number;
  kind: Destination;
  request: OutboundRequest;
}

async function ask(
  ctx: Ctx,
  { connectionId, kind, request }: Question,
): Promise<DryRun['receiver']> {
  const sent = await sendWithAccount(ctx, connectionId, request, (answer) =>
    Boolean(kind.isUnauthorized?.(answer)),
  );
  if (sent.unusable)
    return { accepts: false, text: 'Access has ended. Connect the account again.' };
  const verdict = (kind.read ?? verdictOf)(sent.answer);
  return verdict.state === 'sent'
    ? { accepts: true, text: `${kind.label} would take the newest of them.` }
    : { accepts: false, text: verdict.error };
}

async function find(
  t: TxCtx,
  destinationId: number,
): Promise<{ data: Omit<DryRun, 'receiver'>; question: Question | null }> {
  const row = (await destinationRow(t.tx, t.companyId, destinationId)) ?? notFound();
  const kind = t.gateways.destinations.get(row.provider) ?? notFound();
  const since = new Date(t.now.getTime() - dryRunDays * 86_400_000);
  const calls = await callsForRules(t.tx, t.companyId, { since, most: LOOKED_AT });
  const numbers = visibleNumbers(t);
  const matching = calls.flatMap((call) => {
    if (numbers?.includes(call.number_id) === false) return [];
    const found = firstMatch({ row, kind }, call);
    return found ? [{ call, ...found }] : [];
  });
  const listed = [];
  let question: Question | null = null;
  let refused = 0;
  for (const { call, event, rule } of matching.slice(0, READ)) {
    if (listed.length >= LISTED) break;
    const facts = await loadFacts(t, event, { type: 'call', id: call.id });
    if (!facts || kind.accepts?.(facts, kind.config.parse(row.config)) === false) {
      refused++;
      continue;
    }
    const thread = { thread_key: null, thread_root: call.id, thread_no: 1 };
    const speech = {
      ...(await speechOf(t, { destination: row, kind, rule, thread, facts, id: null })),
      // As if nothing of it had been sent before.
      known: {},
    };
    if (kind.check && row.connection_id !== null)
      question ??= { connectionId: row.connection_id, kind, request: kind.check(speech) };
    listed.push({
      id: call.id,
      event,
      happened_at: call.started_at.toISOString(),
      request_redacted: shownAs(kind.say({ ...speech, secret: null, facts: redactFacts(facts) })),
    });
  }
  const isCut = listed.length < LISTED && matching.length > READ;
  return {
    data: {
      since: since.toISOString(),
      total: isCut ? listed.length : matching.length - refused,
      is_partial: isCut || calls.length >= LOOKED_AT,
      calls: listed,
    },
    question,
  };
}

/** Everything that a call led to: how it ended, and what people said of it. */
export const eventsOf = (call: CallRuleFacts): DeliveryEvent[] => [
  ...eventsOfCall(call.outcome),
  ...(call.qualified ? (['qualified'] as const) : []),
  ...(call.lead ? (['lead'] as const) : []),
  ...(call.outcome_tags.length > 0 ? (['outcome_tag'] as const) : []),
];

/** The rule that would have sent a call first; null: none. */
function firstMatch(
  { row, kind }: { row: DestinationRow; kind: Destination },
  call: CallRuleFacts,
) {
  if (kind.inboundOnly && call.outbound) return null;
  const rules = deliveryRules.parse(row.rules);
  const events = eventsOf(call);
  for (const event of deliveryEvents) {
    if (!events.includes(event) || !kind.events.includes(event)) continue;
    const rule = rules.find((one) =>
      ruleMatches(one, factsOfCall(call, event), kind.firstContactDays),
    );
    if (rule) return { event, rule };
  }
  return null;
}
