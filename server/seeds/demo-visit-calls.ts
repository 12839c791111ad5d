import type { Classification } from '#contract/tracking/schemas';
import type { Tx } from '../src/platform/db.ts';
import { planCall, type Row } from './demo-calls.ts';
import { planConversation } from './demo-conversations.ts';
import { idAt, insertInBatches, type SeedCompany, type SeedNumber } from './demo-rows.ts';
import type { CallSlot, Person } from './demo-slots.ts';
import { firstNames, lastNames, type SeededRandom } from './demo-vocabulary.ts';

const [MINUTE, DAY] = [60_000, 86_400_000];

/** A pool with its numbers. */
export interface SeededPool {
  id: number;
  numbers: readonly SeedNumber[];
}

export interface Visit {
  id: number;
  leaseId: number;
  visitorId: string;
  at: number;
  /** When its page was last open. */
  seen: number;
  url: string;
  referrer: string | null;
  found: Classification;
  device: string;
  number: SeedNumber;
}

/** What a visit and its match say alike. */
export const factsOf = ({ found, device }: Visit) => ({
  source_id: found.source.id,
  source_key: found.source.key,
  source_label: found.source.label,
  medium: found.medium,
  campaign: found.campaign,
  term: found.term,
  content: found.content,
  click_ids: found.clickIds,
  rule_id: found.ruleId,
  device,
});

/** A first-time caller for each of these visits: contact, call, conversation and match. */
export async function seedVisitCalls(
  tx: Tx,
  random: SeededRandom,
  company: SeedCompany,
  pool: SeededPool,
  { visits, now }: { visits: readonly Visit[]; now: Date },
): Promise<void> {
  const counters = { waiting: 0, talked: 0 };
  const rows = visits.map((visit, i) => {
    const person = aPerson(random, i, visit.at);
    const isLate = i % 7 === 5;
    const at = isLate ? visit.seen + 55 * MINUTE : visit.at + random.int(60, 150) * 1000;
    const [status, outcome] = i % 9 === 4 ? [8, 2] : [12, 1];
    const slot: CallSlot = {
      kind: 'call',
      at,
      person,
      isNew: true,
      waits: false,
      outbound: false,
      status,
      outcome,
    };
    const planned = planCall(random, company, slot, visit.number, { now: now.getTime(), counters });
    const source = { ...sourceOf(visit), ...certainty(visit, planned.item.at) };
    Object.assign(planned.item.details, {
      ...factsOfItem(visit),
    });
    const id = idAt(planned.item.at);
    const conversation = planConversation(random, company.id, {
      id,
      number: visit.number,
      person,
      mine: [planned.item],
      at: now,
    });
    conversation.items.push(matchItem(conversation.items[0]!, visit, planned));
    const call: Row = { ...planned.call, source, dni_pool_id: pool.id, conversation_id: id };
    return {
      person,
      call,
      planned,
      conversation,
      match: matchRow(company.id, pool.id, visit, planned),
    };
  });
  await insertInBatches(
    tx,
    'contact',
    rows.map(({ person, call }) => contactRow(company.id, person, call['started_at'] as Date)),
  );
  await insertInBatches(
    tx,
    'conversation',
    rows.map((r) => r.conversation.conversation),
  );
  await insertInBatches(
    tx,
    'conversation_item',
    rows.flatMap((r) => r.conversation.items),
  );
  await insertInBatches(
    tx,
    'call',
    rows.map((r) => r.call),
  );
  await insertInBatches(
    tx,
    'call_history',
    rows.flatMap((r) => r.planned.history),
  );
  await insertInBatches(
    tx,
    'tracking_match',
    rows.map((r) => r.match),
  );
}

const aPerson = (random: SeededRandom, index: number, at: number): Person => {
  const first = random.pick(firstNames);
  return {
    index,
    id: idAt(at),
    first,
    name: `${first} ${random.pick(lastNames)}`,
    number: `+1917555${String(9000 + index)}`,
    email: '',
    out: false,
  };
};

const contactRow = (company_id: number, { id, number, name }: Person, at: Date) => ({
  company_id,
  id,
  number,
  name,
  source: 'Manual',
  created_at: at,
  updated_at: at,
});

const sourceOf = ({ found, url }: Visit) => ({
  key: found.source.key,
  label: found.source.label,
  medium: found.medium,
  campaign: found.campaign,
  keyword: found.term,
  landingUrl: url.split('?')[0]!,
});

/** The same, as an item of a conversation keeps it. */
const factsOfItem = (visit: Visit) => {
  const { key, label, ...rest } = sourceOf(visit);
  return { source: label, sourceKey: key, ...rest };
};

/** What the conversation shows of where the call came from, beside the call's own item. */
const matchItem = (
  call: Row,
  visit: Visit,
  { seeded, item }: ReturnType<typeof planCall>,
): Row => ({
  ...call,
  id: idAt(item.at + 1),
  kind: 'trackingmatch',
  read_at: call['created_at'],
  details: {
    ...factsOfItem(visit),
    ...certainty(visit, item.at),
    evidence: [{ fact: 'source_rule', value: visit.found.evidence, at: new Date(visit.at) }],
    ...{ matchedAt: new Date(item.at), callId: seeded.id },
  },
  source: `match:${String(call['conversation_id'])}:visit:${visit.id}`,
});

/** As the rules of matching say: exact while the number was seen, then less with time (A8.5). */
function certainty({ seen }: Visit, at: number) {
  const elapsed = at - (seen + 30 * MINUTE);
  return elapsed < 0
    ? { confidence: 100, matchLabel: 'exact' }
    : { confidence: Math.round(100 - (50 * elapsed) / DAY), matchLabel: 'recent' };
}

function matchRow(
  company_id: number,
  pool_id: number,
  visit: Visit,
  { seeded, item }: ReturnType<typeof planCall>,
): Row {
  const { confidence, matchLabel } = certainty(visit, item.at);
  const iso = (at: number) => new Date(at).toISOString();
  const { id, key, label } = visit.found.source;
  return {
    company_id,
    id: idAt(item.at),
    kind: 'call',
    subject_id: seeded.id,
    number_id: visit.number.id,
    party: seeded.party,
    at: seeded.startedAt,
    pool_id,
    label: matchLabel,
    confidence,
    model: 'first_touch',
    visitor_id: visit.visitorId,
    visit_id: visit.id,
    lease_id: visit.leaseId,
    ...factsOf(visit),
    landing_url: visit.url,
    referrer: visit.referrer,
    evidence: [
      { fact: 'number_shown', value: '', at: iso(visit.at) },
      { fact: 'page_last_open', value: '', at: iso(Math.min(visit.seen, item.at)) },
      ...(matchLabel === 'recent'
        ? [{ fact: 'number_hidden', value: '', at: iso(visit.seen + 30 * MINUTE) }]
        : []),
      { fact: 'source_rule', value: visit.found.evidence, at: iso(visit.at) },
    ],
    candidates: [
      {
        sessionId: visit.id,
        leaseId: visit.leaseId,
        share: 100,
        startedAt: iso(visit.at),
        source: { id, key, label },
        campaign: visit.found.campaign,
        landingUrl: visit.url,
      },
    ],
  };
}
