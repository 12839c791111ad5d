import { sql } from 'kysely';
import type { Tx } from '../src/platform/db.ts';
import { firstNames, lastNames, type SeededRandom, type Trade } from './demo-vocabulary.ts';
import { isOpenAt, momentsOf, nextOpenTime, type Rhythm } from './demo-week.ts';

export interface SeedNumber {
  id: number;
  number: string;
  label: string;
}
export interface SeedCompany {
  id: number;
  trade: Trade;
  numbers: SeedNumber[];
  agents: { id: number; name: string }[];
  tags: Map<string, number>;
  contacts: number;
  messages: number;
  calls: number;
  areaCodes: readonly string[];
  rhythm: Rhythm;
}
export interface SeededCall {
  id: number;
  numberId: number;
  party: string;
  startedAt: Date;
  talkSeconds: number;
  outcome: number;
  outbound: boolean;
  conversationId: number;
  agentId: number | null;
}

const DAY = 86_400_000;
const MINUTE = 60_000;
/**
 * An id as the database would have made it at that time in ms (docs/decisions/0003): newer rows
 * have larger ids.
 */
let counter = 0;
export const idAt = (at: number) => (at - 1_704_067_200_000) * 4096 + (counter++ & 4095);

/** Inserts many rows of one table, 2,000 per statement. */
export async function insertInBatches(
  tx: Tx,
  table: string,
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  for (let i = 0; i < rows.length; i += 2000) {
    const batch = rows.slice(i, i + 2000);
    const columns = Object.keys(batch[0]!);
    await sql`insert into ${sql.table(table)} (${sql.join(columns.map((c) => sql.ref(c)))}) select ${sql.join(columns.map((c) => sql.ref(c)))} from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(batch)}::json)`.execute(
      tx,
    );
  }
}

interface Item {
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
interface Person {
  index: number;
  id: number;
  first: string;
  name: string;
  number: string;
  email: string;
  out: boolean;
}
/** One call or conversation thread at one time. */
type Slot = { at: number; person: Person; isNew: boolean; waits: boolean } & (
  | { kind: 'call'; outbound: boolean; status: number; outcome: number }
  | { kind: 'thread'; lines: readonly string[] }
);
type Row = Record<string, unknown>;
/** Rows by table. */
interface History {
  people: Person[];
  conversations: Row[];
  items: Row[];
  calls: Row[];
  history: Row[];
  callTags: Row[];
  seeded: SeededCall[];
}
/** Growth of the figures per week, in percent. */
const weeklyGrowth = 0.4;
const days = 90;

/**
 * Draws from a list in random order, and from all of it again when it is used up, so that draws
 * stay evenly distributed.
 */
function deckOf<T>(random: SeededRandom, list: readonly T[]): () => T {
  let left: T[] = [];
  return () => {
    if (!left.length) left = [...list];
    return left.splice(random.int(0, left.length - 1), 1)[0]!;
  };
}

/** Plans the calls and threads of a company with their outcomes, oldest first. */
function planSlots(
  random: SeededRandom,
  company: SeedCompany,
  people: readonly Person[],
  now: number,
): Slot[] {
  const { rhythm, trade } = company;
  const weeks = days / 7;
  // As many as a small team leaves unanswered for the next hour.
  const waiting = { texts: Math.round(company.contacts / 90), calls: company.calls > 2000 ? 4 : 2 };
  const callMoments = momentsOf(random, rhythm, now - 10 * MINUTE, {
    days,
    perWeek: (company.calls * 0.8) / weeks,
    weeklyGrowth,
  });
  const threadMoments = momentsOf(random, rhythm, now - 4 * MINUTE, {
    days,
    perWeek: company.messages / 3.1 / weeks,
    weeklyGrowth,
  });
  const drawThread = deckOf(random, trade.threads);
  const drawMissed = deckOf(random, [8, 11, 3]);
  // Of ten calls one is missed and one reaches voicemail; of fifty one is blocked.
  let [answerable, places] = [0, [0, 0]];
  const drawOutcome = (at: number): readonly [number, number] => {
    if (!isOpenAt(rhythm, at)) return [4, 3];
    const i = answerable++;
    if (i % 10 === 0) places = [random.int(2, 4), random.int(6, 8)];
    if (i % 10 === places[0]) return [drawMissed(), 2];
    if (i % 10 === places[1]) return [4, 3];
    return i % 50 === 25 ? [13, 4] : [12, 1];
  };

  // New contacts appear all the time; the others return, recent ones more often.
  let known = 0;
  const lastSeen = new Map<Person, number>();
  const newcomer = () => people[known++ % people.length]!;
  /** @param restedSince only a contact without activity since then */
  const regular = (restedSince: number) => {
    for (let tries = 0; tries < 100; tries++) {
      const from = random.chance(0.7) ? Math.max(0, known - 120) : 0;
      const person = people[random.int(from, Math.max(from, known - 1)) % people.length]!;
      if ((lastSeen.get(person) ?? 0) < restedSince) return person;
    }
    return newcomer();
  };
  const drafts = [
    ...callMoments.map((at, i) => ({ at, i, kind: 'call' as const })),
    ...threadMoments.map((at, i) => ({ at, i, kind: 'thread' as const })),
  ].sort((a, b) => a.at - b.at);
  const lines = new Map(threadMoments.map((_, i) => [i, drawThread()]));
  const outcomes = callMoments.map(drawOutcome);
  const newest = <T>(of: readonly T[], n: number) => new Set(n > 0 ? of.slice(-n) : []);
  const questions = threadMoments.flatMap((_, i) => (lines.get(i)![0]!.startsWith('<') ? [i] : []));
  const waitingThreads = newest(questions, waiting.texts);
  const of = (outcome: number) => outcomes.flatMap(([, o], i) => (o === outcome ? [i] : []));
  const waitingCalls = newest(of(2), waiting.calls);
  const unheard = newest(of(3), trade.voicemails.length);

  const sinceNew = { call: 0, thread: 0 };
  return drafts.flatMap(({ at, i, kind }): Slot[] => {
    const waits = kind === 'thread' ? waitingThreads.has(i) : waitingCalls.has(i) || unheard.has(i);
    // One call in six and one thread in five is from a new contact; one that waits for an answer is
    // known already, and the next is new.
    sinceNew[kind] += 1;
    const isNew = known === 0 || (!waits && sinceNew[kind] >= (kind === 'call' ? 6 : 5));
    if (isNew) sinceNew[kind] -= kind === 'call' ? 6 : 5;
    const person = isNew ? newcomer() : regular(waits ? at - 3 * DAY : at);
    // A contact that waits for an answer has no further activity.
    lastSeen.set(person, waits ? Infinity : at);
    if (kind === 'thread') {
      const all = lines.get(i)!;
      return [{ at, person, isNew, kind, waits, lines: waits ? all.slice(0, 1) : all }];
    }
    const [status, outcome] = outcomes[i]!;
    const slot: Slot = { at, person, isNew, kind, waits, outbound: false, status, outcome };
    // Missed callers and those who left a voicemail are called back; now and then there is another
    // outbound call.
    const isMissed = outcome === 2 || outcome === 3;
    if (waits || (!isMissed && i % 12 !== 5)) return [slot];
    const back = nextOpenTime(rhythm, at + random.int(8, 75) * MINUTE);
    // The call back is still to come.
    if (back > now - 12 * MINUTE) return [slot];
    lastSeen.set(person, back);
    const reached = random.chance(0.85);
    return [
      slot,
      {
        ...slot,
        at: back,
        isNew: false,
        outbound: true,
        status: reached ? 12 : 8,
        outcome: reached ? 1 : 2,
      },
    ];
  });
}

/**
 * Ninety days of one company as rows: contacts, their conversations, messages and calls. Weekdays
 * are alike from week to week, nights and Sundays are quiet, missed calls are called back except
 * the last few, and some questions are still open. The result depends only on the arguments.
 */
export function planHistory(random: SeededRandom, company: SeedCompany, at: Date): History {
  const { id: company_id, trade } = company;
  const now = at.getTime();
  const people = Array.from({ length: company.contacts }, (_, index): Person => {
    const first = random.pick(firstNames);
    const last = random.pick(lastNames);
    const number = `+1${random.pick(company.areaCodes)}555${String(1000 + index).slice(-4)}`;
    const email = random.chance(0.6) ? `${first}.${last}${index}@example.com`.toLowerCase() : '';
    return {
      index,
      id: idAt(now - 91 * DAY + index * 1000),
      first,
      name: `${first} ${last}`,
      number,
      email,
      out: random.chance(0.02),
    };
  });
  const conversations: Row[] = [];
  const items: Row[] = [];
  const calls: Row[] = [];
  const history: Row[] = [];
  const callTags: Row[] = [];
  const seeded: SeededCall[] = [];
  const made = new Map<Person, Item[]>();
  let [waitingCalls, talked] = [0, 0];
  const numberOf = ({ index }: Person) =>
    company.numbers[index % 5 < 3 ? 0 : index % company.numbers.length]!;
  const add = (person: Person, item: Item) => {
    const list = made.get(person);
    if (list) list.push(item);
    else made.set(person, [item]);
  };

  const addThread = (slot: Slot & { kind: 'thread' }) => {
    const gaps = slot.lines.map(() => random.int(40, 540) * 1000);
    const long = gaps.reduce((a, b) => a + b, 0);
    let when = Math.min(slot.at, now - long - random.int(90, 240) * 1000);
    for (const [i, line] of slot.lines.entries()) {
      const inbound = line.startsWith('<');
      const text = line.slice(2).replaceAll('{first}', slot.person.first);
      when += gaps[i]!;
      const failed = !inbound && random.chance(0.008);
      add(slot.person, {
        at: when,
        kind: 'message',
        inbound,
        text,
        delivery: inbound ? 'received' : failed ? 'failed' : 'delivered',
        agent: inbound ? null : random.pick(company.agents),
        source: null,
        unread: slot.waits,
        details: {
          content: text,
          media: [],
          segments: Math.ceil(text.length / 160),
          encoding: 'GSM-7',
          errorCode: failed ? 'unreachable' : null,
          errorText: failed ? 'The phone could not be reached. Try again later.' : null,
        },
      });
    }
  };
  const addCall = ({
    person,
    outbound,
    status,
    outcome,
    isNew,
    waits,
    ...slot
  }: Slot & {
    kind: 'call';
  }) => {
    const number = numberOf(person);
    const agent = random.pick(company.agents);
    const ring = random.int(3, 19);
    const talk = outcome === 1 ? random.int(25, 620) : outcome === 3 ? random.int(6, 40) : 0;
    const start = Math.min(slot.at, now - (ring + talk + 60) * 1000);
    const id = idAt(start);
    const answered = outcome === 1 ? new Date(start + ring * 1000) : null;
    const ended = new Date(start + (ring + talk) * 1000);
    const topic = random.pick(trade.calls);
    const answeredBy =
      outcome === 1
        ? { type: 'app', id: agent.id, label: agent.name, number: null }
        : outcome === 3
          ? { type: 'voicemail', id: null, label: 'Voicemail', number: null }
          : null;
    calls.push({
      company_id,
      id,
      number_id: number.id,
      outbound,
      carrier: 'sandbox',
      from_number: outbound ? number.number : person.number,
      to_number: outbound ? person.number : number.number,
      party: person.number,
      caller_name: outbound ? null : person.name.toUpperCase(),
      caller_city: null,
      caller_state: null,
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
      lead: outcome === 1 && talked++ % 5 === 0,
      outcome_tags: [],
      department: 'unknown',
      value_cents: null,
      spam: false,
      created_at: new Date(start),
      updated_at: ended,
    });
    const say = (
      offset: number,
      code: number,
      label: string,
      target: string | null,
      detail: string | null,
    ) =>
      history.push({
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
    say(0, 1, 'Started', outbound ? person.number : number.number, null);
    if (outcome === 1)
      say(
        ring * 1000,
        12,
        'Connected',
        agent.name,
        outbound ? 'The other side picked up.' : 'Answered in the browser.',
      );
    else
      say(
        ring * 1000,
        status,
        status === 4
          ? 'Voicemail'
          : status === 13
            ? 'Blocked'
            : status === 3 || status === 11
              ? 'Hangup'
              : 'No Answer',
        null,
        null,
      );
    if (outcome === 1 && random.chance(0.25))
      callTags.push({
        company_id,
        call_id: id,
        tag_id: company.tags.get(topic.tag)!,
        added_by: agent.id,
        added_at: ended,
      });
    add(person, {
      at: start,
      kind: 'call',
      inbound: !outbound,
      text: '',
      delivery: null,
      agent: outbound ? agent : null,
      source: `call:${id}`,
      // Of the waiting calls the first has been read, though nobody called back yet.
      unread: waits && outcome === 2 && waitingCalls++ > 0,
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
    });
    seeded.push({
      id,
      numberId: number.id,
      party: person.number,
      startedAt: new Date(start),
      talkSeconds: talk,
      outcome,
      outbound,
      conversationId: 0,
      agentId: outcome === 1 ? agent.id : null,
    });
  };
  for (const slot of planSlots(random, company, people, now))
    if (slot.kind === 'thread') addThread(slot);
    else addCall(slot);

  const conversationOf = new Map<string, number>();
  for (const [person, mine] of made) {
    const number = numberOf(person);
    mine.sort((a, b) => a.at - b.at);
    const conversationId = idAt(mine[0]!.at);
    conversationOf.set(person.number, conversationId);
    const last = mine.at(-1)!;
    const fresh = last.at > now - 1.5 * DAY;
    const rows = mine.map((m) => ({
      company_id,
      id: idAt(m.at),
      conversation_id: conversationId,
      number_id: number.id,
      kind: m.kind,
      is_inbound: m.inbound,
      created_at: new Date(m.at),
      read_at: m.unread ? null : new Date(m.at),
      actor_id: m.agent?.id ?? null,
      actor_name: m.agent?.name ?? null,
      details: m.details,
      text: m.text,
      delivery_state: m.delivery,
      tries: 0,
      carrier: m.kind === 'message' ? 'sandbox' : null,
      provider_event_id: null,
      source: m.source,
    }));
    items.push(...rows);
    const unread = (kind: Item['kind']) => mine.filter((m) => m.unread && m.kind === kind).length;
    const isWaiting = isLeftWaiting(mine);
    const heard = mine.findLast((m) => m.kind === 'message' && m.inbound);
    conversations.push({
      company_id,
      id: conversationId,
      number_id: number.id,
      party: person.number,
      contact_id: person.id,
      created_at: new Date(mine[0]!.at),
      last_activity_at: new Date(last.at),
      // Older conversations are done.
      archived_at: !fresh && !isWaiting && random.chance(0.55) ? at : null,
      unread_messages: unread('message'),
      unread_calls: unread('call'),
      unread_voicemails: 0,
      unread_faxes: 0,
      latest_item_id: rows.at(-1)!.id,
      latest_kind: last.kind,
      latest_inbound: last.inbound,
      latest_at: new Date(last.at),
      latest_details:
        last.kind === 'message' ? { ...last.details, deliveryState: last.delivery } : last.details,
      last_inbound_at: heard ? new Date(heard.at) : null,
    });
  }
  for (const call of seeded) call.conversationId = conversationOf.get(call.party)!;
  const conversationOfCall = new Map(seeded.map((c) => [c.id, c.conversationId]));
  for (const call of calls) call['conversation_id'] = conversationOfCall.get(call['id'] as number);
  seeded.sort((a, b) => b.startedAt.getTime() - a.startedAt.getTime());
  return { people, conversations, items, calls, history, callTags, seeded };
}
/** Whether the latest item is an unanswered question, missed call or voicemail. */
const isLeftWaiting = (mine: readonly Item[]): boolean => {
  const last = mine.at(-1)!;
  return last.inbound && (last.unread || (last.kind === 'call' && last.details['outcome'] !== 1));
};

/** Writes the history of one company. Returns its calls, newest first. */
export async function seedHistory(
  tx: Tx,
  random: SeededRandom,
  company: SeedCompany,
  now: Date,
): Promise<SeededCall[]> {
  const company_id = company.id;
  const { people, conversations, items, calls, history, callTags, seeded } = planHistory(
    random,
    company,
    now,
  );
  await insertInBatches(
    tx,
    'contact',
    people.map((p) => ({
      company_id,
      id: p.id,
      number: p.number,
      name: p.name,
      email: p.email,
      company_name: '',
      title: '',
      address1: '',
      address2: '',
      city: '',
      state: '',
      zip: '',
      country: 'US',
      notes: '',
      optin_source: '',
      alternative_names: [],
      secondary_emails: [],
      type: 'Person',
      source: random.chance(0.5) ? 'Import' : 'Manual',
      invalid: false,
      unsubscribed_at: p.out ? new Date(now.getTime() - 3 * DAY) : null,
      created_at: new Date(now.getTime() - 91 * DAY),
      updated_at: now,
    })),
  );

  await insertInBatches(tx, 'conversation', conversations);
  await insertInBatches(tx, 'conversation_item', items);
  await insertInBatches(tx, 'call', calls);
  await insertInBatches(tx, 'call_history', history);
  if (callTags.length) await insertInBatches(tx, 'call_tag', callTags);
  const outs = people.filter((p) => p.out);
  await insertInBatches(
    tx,
    'opt_out',
    outs.map((p) => ({
      company_id,
      number: p.number,
      source: 'keyword',
      number_id: company.numbers[0]!.id,
      opted_out_at: new Date(now.getTime() - 3 * DAY),
    })),
  );
  await insertInBatches(
    tx,
    'opt_out_history',
    outs.map((p) => ({
      company_id,
      id: idAt(now.getTime() - 3 * DAY),
      number: p.number,
      action: 'out',
      source: 'keyword',
      number_id: company.numbers[0]!.id,
      proof: 'STOP',
      at: new Date(now.getTime() - 3 * DAY),
    })),
  );
  return seeded;
}
