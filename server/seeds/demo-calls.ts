import { placeOfNumber } from '#contract/area-codes';
import type { CallSlot } from './demo-slots.ts';
import { idAt, type SeedCompany, type SeededCall, type SeedNumber } from './demo-rows.ts';
import type { SeededRandom } from './demo-vocabulary.ts';

export type Row = Record<string, unknown>;

/** One message or call of a conversation. */
export interface Item {
  at: number;
  kind: 'message' | 'call';
  inbound: boolean;
  details: Record<string, unknown>;
  text: string;
  delivery: string | null;
  agent: { id: number; name: string } | null;
  source: string | null;
  unread: boolean;
}

/** Counters over all calls of a company, which spread leads and unread calls evenly. */
export interface CallCounters {
  waiting: number;
  talked: number;
}

/** A call with all its rows, except that of its conversation. */
interface PlannedCall {
  call: Row;
  history: Row[];
  tag: Row | null;
  item: Item;
  seeded: SeededCall;
}

/** Plans one call of a company over one of its numbers; `now` in ms. */
export function planCall(
  random: SeededRandom,
  company: SeedCompany,
  slot: CallSlot,
  number: SeedNumber,
  { now, counters }: { now: number; counters: CallCounters },
): PlannedCall {
  const facts = drawFacts(random, company, slot, { number, now });
  const call = callRow(random, company.id, slot, facts, counters);
  const history = historyRows(company.id, slot, facts);
  const { id, agent, start, ring, talk, answeredBy, ended, topic } = facts;
  const { person, outbound, outcome, status } = slot;
  const tag =
    outcome === 1 && random.chance(0.25)
      ? {
          company_id: company.id,
          call_id: id,
          tag_id: company.tags.get(topic.tag)!,
          added_by: agent.id,
          added_at: ended,
        }
      : null;
  const item: Item = {
    at: start,
    kind: 'call',
    inbound: !outbound,
    text: '',
    delivery: null,
    agent: outbound ? agent : null,
    source: `call:${id}`,
    // Of the waiting calls the first has been read, though nobody called back yet.
    unread: slot.waits && outcome === 2 && counters.waiting++ > 0,
    details: {
      callId: id,
      status,
      outcome,
      duration: ring + talk,
      answeredBy: answeredBy?.label ?? null,
      source: null,
      extensionLabel: outbound ? null : 'Front desk',
      recordingFileId: null,
    },
  };
  const seeded: SeededCall = {
    id,
    numberId: number.id,
    party: person.number,
    startedAt: new Date(start),
    talkSeconds: talk,
    outcome,
    outbound,
    conversationId: 0,
    agentId: outcome === 1 ? agent.id : null,
  };
  return { call, history, tag, item, seeded };
}

/** What is drawn of a call; times in ms, durations in seconds. */
function drawFacts(
  random: SeededRandom,
  company: SeedCompany,
  { outcome, at }: CallSlot,
  { number, now }: { number: SeedNumber; now: number },
) {
  const agent = random.pick(company.agents);
  const ring = random.int(3, 19);
  const talk = outcome === 1 ? random.int(25, 620) : outcome === 3 ? random.int(6, 40) : 0;
  const start = Math.min(at, now - (ring + talk + 60) * 1000);
  const id = idAt(start);
  const topic = random.pick(company.trade.calls);
  return {
    id,
    number,
    agent,
    topic,
    ring,
    talk,
    start,
    answered: outcome === 1 ? new Date(start + ring * 1000) : null,
    ended: new Date(start + (ring + talk) * 1000),
    answeredBy: answeredByOf(outcome, agent),
  };
}
type CallFacts = ReturnType<typeof drawFacts>;

function answeredByOf(outcome: number, agent: { id: number; name: string }) {
  if (outcome === 1) return { type: 'app', id: agent.id, label: agent.name, number: null };
  if (outcome === 3) return { type: 'voicemail', id: null, label: 'Voicemail', number: null };
  return null;
}

function callRow(
  random: SeededRandom,
  company_id: number,
  { person, outbound, status, outcome, isNew }: CallSlot,
  { id, number, agent, topic, ring, talk, start, answered, ended, answeredBy }: CallFacts,
  counters: CallCounters,
): Row {
  const place = outbound ? null : placeOfNumber(person.number);
  return {
    company_id,
    id,
    number_id: number.id,
    outbound,
    carrier: 'sandbox',
    from_number: outbound ? number.number : person.number,
    to_number: outbound ? person.number : number.number,
    party: person.number,
    caller_name: outbound ? null : person.name.toUpperCase(),
    caller_city: place?.cities[0] ?? null,
    caller_state: place?.state ?? null,
    contact_id: person.id,
    conversation_id: null,
    placed_by: outbound ? agent.id : null,
    status,
    outcome,
    because: null,
    abandoned: status === 3 ? 'menu_abandon' : status === 11 ? 'ring_abandon' : null,
    started_at: new Date(start),
    ringing_at: new Date(start + 1000),
    answered_at: answered,
    connected_at: answered,
    ended_at: ended,
    ring_seconds: ring,
    talk_seconds: outcome === 1 ? talk : 0,
    duration_seconds: ring + talk,
    first_contact: isNew && !outbound,
    answered_by: answeredBy,
    answered_user_id: outcome === 1 ? agent.id : null,
    route_id: null,
    extension: 1,
    extension_label: 'Front desk',
    alert_emails: [],
    transcribe: true,
    recording_retention_days: 365,
    note: outcome === 1 && random.chance(0.3) ? topic.note : '',
    qualified: outcome === 1 && talk > 60,
    lead: outcome === 1 && counters.talked++ % 5 === 0,
    outcome_tags: [],
    department: 'unknown',
    value_cents: null,
    spam: false,
    created_at: new Date(start),
    updated_at: ended,
  };
}

/** The call's steps as its details show them: its start, and its end or connection. */
function historyRows(
  company_id: number,
  { person, outbound, status, outcome }: CallSlot,
  { id, number, agent, ring, start }: CallFacts,
): Row[] {
  const step = (
    offset: number,
    code: number,
    label: string,
    target: string | null,
    detail: string | null,
  ): Row => ({
    company_id,
    id: idAt(start + offset),
    call_id: id,
    kind: 'history',
    at: new Date(start + offset),
    code,
    label,
    leg: null,
    target,
    detail,
    actor: null,
  });
  const started = step(0, 1, 'Started', outbound ? person.number : number.number, null);
  const detail = outbound ? 'The other side picked up.' : 'Answered in the browser.';
  const end =
    outcome === 1
      ? step(ring * 1000, 12, 'Connected', agent.name, detail)
      : step(ring * 1000, status, endLabels.get(status) ?? 'No Answer', null, null);
  return [started, end];
}

/** Labels of a call's last step by its status; any other status is a missed call. */
const endLabels = new Map([
  [4, 'Voicemail'],
  [13, 'Blocked'],
  [3, 'Hangup'],
  [11, 'Hangup'],
]);
