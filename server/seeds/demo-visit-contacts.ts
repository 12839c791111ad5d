import { sql } from 'kysely';
import type { MatchKind } from '#contract/tracking/match-rules';
import type { Tx } from '../src/platform/db.ts';
import { matchedFacts } from '../src/modules/conversations/item-details.ts';
import { groupBy } from '../src/modules/tracking/hits/batching.ts';
import { matchedSource } from '../src/modules/tracking/matching/store-matches.ts';
import { matchRow } from '../src/modules/tracking/matching/insert-matches.ts';
import type { Match } from '../src/modules/tracking/matching/types.ts';
import { planCall, type Item, type Row } from './demo-calls.ts';
import { planConversation } from './demo-conversations.ts';
import { planThread } from './demo-history.ts';
import { idAt, insertInBatches, type SeedCompany, type SeedNumber } from './demo-rows.ts';
import { callBack, type CallSlot, type Person } from './demo-slots.ts';
import { matcherOf } from './demo-visit-matches.ts';
import type { DemoSite, SeededPool, Visit } from './demo-visit.ts';
import { firstNames, lastNames, type SeededRandom } from './demo-vocabulary.ts';
import { isBadMorning, isOpenAt, momentsOf, nextOpenTime } from './demo-week.ts';

const [MINUTE, DAY] = [60_000, 86_400_000];

/** Someone calls or texts a number at a time. */
interface Draft {
  kind: MatchKind;
  at: number;
  person: Person;
  isNew: boolean;
  pool: SeededPool;
  number: SeedNumber;
}
interface Contacted extends Draft {
  /** What came of it in the conversation; the first is what is matched. */
  items: Item[];
  calls: ReturnType<typeof planCall>[];
}
interface Matched extends Contacted {
  match: Match;
}

/** Calls and texts of visitors, and of people who saw a number in the map or on a postcard. */
export async function seedVisitContacts(
  tx: Tx,
  random: SeededRandom,
  company: SeedCompany,
  { demo, visits, now }: { demo: DemoSite; visits: readonly Visit[]; now: Date },
): Promise<void> {
  const drafts = draftContacts(random, company, demo, { visits, now: now.getTime() });
  const counters = { waiting: 0, talked: 0 };
  const matchOf = matcherOf(demo, visits);
  const contacts = drafts
    .map((draft) => planContact(random, company, draft, { now: now.getTime(), counters }))
    .sort((a, b) => a.items[0]!.at - b.items[0]!.at)
    .map((one): Matched => ({ ...one, match: matchOf(one.items[0]!.at, one) }));
  await insertContacts(tx, random, company.id, contacts, now);
  await sql`update number_activity a set
      last_call_at = (select max(started_at) from call c
        where c.company_id = a.company_id and c.number_id = a.number_id),
      last_message_at = (select max(created_at) from conversation_item i
        where i.company_id = a.company_id and i.number_id = a.number_id and i.kind = 'message')
    where a.company_id = ${company.id} and a.number_id = any (${[
      ...demo.visitors.numbers,
      ...demo.fixed.numbers,
    ].map(({ id }) => id)}::bigint[])`.execute(tx);
}

function draftContacts(
  random: SeededRandom,
  company: SeedCompany,
  demo: DemoSite,
  { visits, now }: { visits: readonly Visit[]; now: number },
): Draft[] {
  let people = 0;
  const drafts: Draft[] = [];
  const add = (at: number, pool: SeededPool, number: SeedNumber) => {
    const kind = random.chance(0.2) ? 'text' : 'call';
    const draft = { kind, pool, number, person: aPerson(random, people++, at) } as const;
    if (at < now - 15 * MINUTE && (kind === 'text' || isOpenAt(company.rhythm, at)))
      drafts.push({ ...draft, at, isNew: true });
    // Some call the number again that they have kept.
    const again = nextOpenTime(company.rhythm, at + random.int(2, 12) * DAY);
    if (random.chance(0.12) && again < now - 15 * MINUTE)
      drafts.push({ ...draft, kind: 'call', at: again, isNew: false });
  };
  for (const { at, seen, contacts, pool, number } of visits) {
    if (!number || !random.chance(contacts)) continue;
    const late = random.chance(0.12) ? seen + random.int(40, 300) * MINUTE : 0;
    add(late || at + random.int(60, 150) * 1000, pool, number);
  }
  const [profile, mailer] = demo.fixed.numbers;
  for (const [number, perWeek] of [
    [profile!, 4],
    [mailer!, 2],
  ] as const)
    for (const at of momentsOf(random, company.rhythm, now - 30 * MINUTE, {
      ...{ days: 88, perWeek, weeklyGrowth: 1 },
    }))
      add(at, demo.fixed, number);
  return drafts;
}

function planContact(
  random: SeededRandom,
  company: SeedCompany,
  draft: Draft,
  { now, counters }: { now: number; counters: { waiting: number; talked: number } },
): Contacted {
  const { kind, at, person, isNew, number } = draft;
  if (kind === 'text') {
    const asked = company.trade.threads.filter(([first]) => first?.startsWith('<'));
    const lines = random.pick(asked);
    const slot = { kind: 'thread', at, person, isNew, waits: false, lines } as const;
    return { ...draft, items: planThread(random, company, slot, now), calls: [] };
  }
  const isMissed = random.chance(0.13) || isBadMorning(company, at, now);
  const slot: CallSlot = {
    ...{ kind, at, person, isNew, waits: false, outbound: false },
    ...(isMissed ? { status: random.pick([8, 11, 3]), outcome: 2 } : { status: 12, outcome: 1 }),
  };
  const back = nextOpenTime(company.rhythm, at + random.int(8, 75) * MINUTE);
  const slots = isMissed && back < now - 12 * MINUTE ? [slot, callBack(slot, back, true)] : [slot];
  const calls = slots.map((one) => planCall(random, company, one, number, { now, counters }));
  return { ...draft, calls, items: calls.map(({ item }) => item) };
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

const contactRow = (company_id: number, { person: { id, number, name }, at }: Draft) => ({
  ...{ company_id, id, number, name, source: 'Manual' },
  ...{ created_at: new Date(at), updated_at: new Date(at) },
});

async function insertContacts(
  tx: Tx,
  random: SeededRandom,
  company_id: number,
  contacts: readonly Matched[],
  now: Date,
): Promise<void> {
  const people = new Map(
    contacts.map((one) => [one.person.number, one]).reverse() as [string, Matched][],
  );
  await insertInBatches(
    tx,
    'contact',
    [...people.values()].map((one) => contactRow(company_id, one)),
  );
  const conversations = conversationsOf(random, company_id, contacts, now);
  const of = <T>(rows: (one: (typeof conversations)[number]) => readonly T[]) =>
    conversations.flatMap(rows);
  await insertInBatches(
    tx,
    'conversation',
    of((one) => [one.conversation]),
  );
  await insertInBatches(
    tx,
    'conversation_item',
    of((one) => one.items),
  );
  await insertInBatches(
    tx,
    'call',
    of((one) => one.calls),
  );
  await insertInBatches(
    tx,
    'call_history',
    contacts.flatMap(({ calls }) => calls.flatMap((c) => c.history)),
  );
  await insertInBatches(
    tx,
    'tracking_match',
    of((one) => one.matches),
  );
}

/** The rows of conversations: all that a person had over one number. */
function conversationsOf(
  random: SeededRandom,
  company_id: number,
  contacts: readonly Matched[],
  now: Date,
) {
  const groups = groupBy(contacts, ({ person, number }) => `${number.id} ${person.number}`);
  return [...groups.values()].map((group) => {
    const { person, number } = group[0]!;
    for (const { items, match } of group)
      Object.assign(items[0]!.details, matchedFacts(matchedSource(match)));
    const mine = group.flatMap(({ items }) => items).sort((a, b) => a.at - b.at);
    const id = idAt(mine[0]!.at);
    const { conversation, items } = planConversation(random, company_id, {
      ...{ id, number, person, mine, at: now },
    });
    const subjectOf = ({ items: own, calls }: Contacted) =>
      calls[0]?.seeded.id ?? Number(items[mine.indexOf(own[0]!)]!['id']);
    const calls = group.flatMap(({ calls: own, match, pool }) =>
      own.map(({ call }, i): Row => ({
        ...call,
        conversation_id: id,
        source: i === 0 ? matchedSource(match) : null,
        dni_pool_id: i === 0 ? pool.id : null,
        value_cents: call['lead'] ? random.pick([18_500, 42_000, 96_000, 240_000]) : null,
      })),
    );
    const matches = group.map((one) =>
      matchRow(
        company_id,
        one.kind,
        { subjectId: subjectOf(one), numberId: number.id, party: person.number, match: one.match },
        new Date(one.items[0]!.at),
      ),
    );
    const shown = new Map(
      group.map((one) => [keyOf(id, one.match), matchItem(items[0]!, id, one)]).reverse() as [
        string,
        Row,
      ][],
    );
    return { conversation, items: [...items, ...shown.values()], calls, matches };
  });
}

/** A conversation shows a visit once, and once a source that only its number says. */
const keyOf = (conversationId: number, { visitId, source }: Match): string =>
  visitId === null
    ? `match:${conversationId}:source:${source.key}`
    : `match:${conversationId}:visit:${visitId}`;

/** What the conversation shows of where a call or text came from, beside its own item. */
function matchItem(like: Row, conversationId: number, { items, calls, match }: Matched): Row {
  const at = items[0]!.at;
  const source = matchedSource(match);
  return {
    ...like,
    id: idAt(at + 1),
    kind: 'trackingmatch',
    ...{ is_inbound: true, created_at: new Date(at), read_at: new Date(at), text: '' },
    ...{ actor_id: null, actor_name: null, delivery_state: null, carrier: null },
    details: {
      ...matchedFacts(source),
      ...{ confidence: source.confidence, matchLabel: source.matchLabel },
      evidence: match.evidence.map((one) => ({ ...one, value: one.value.replace(/=.*$/s, '') })),
      matchedAt: new Date(at),
      callId: calls[0]?.seeded.id ?? null,
    },
    source: keyOf(conversationId, match),
  };
}
