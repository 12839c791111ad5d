import type { Tx } from '../src/platform/db.ts';
import { planCall, type CallCounters, type Item, type Row } from './demo-calls.ts';
import { planConversation } from './demo-conversations.ts';
import { idAt, insertInBatches, type SeedCompany, type SeededCall } from './demo-rows.ts';
import { addDoubtfulText, seedOptOuts, seedPossibleOptOut, type Doubt } from './demo-opt-outs.ts';
import { planSlots, type Person, type ThreadSlot } from './demo-slots.ts';
import { firstNames, lastNames, type SeededRandom } from './demo-vocabulary.ts';

const DAY = 86_400_000;

/** Rows by table. */
interface History {
  people: Person[];
  conversations: Row[];
  items: Row[];
  calls: Row[];
  history: Row[];
  callTags: Row[];
  seeded: SeededCall[];
  doubt: Doubt | undefined;
}
/**
 * Ninety days of one company as rows: contacts, their conversations, messages and calls. Weekdays
 * are alike from week to week, nights and Sundays are quiet, missed calls are called back except
 * the last few, and some questions are still open. The result depends only on the arguments.
 */
export function planHistory(random: SeededRandom, company: SeedCompany, at: Date): History {
  const now = at.getTime();
  const people = planPeople(random, company, now);
  const conversations: Row[] = [];
  const items: Row[] = [];
  const calls: Row[] = [];
  const history: Row[] = [];
  const callTags: Row[] = [];
  const seeded: SeededCall[] = [];
  const made = new Map<Person, Item[]>();
  const counters: CallCounters = { waiting: 0, talked: 0 };
  const numberOf = ({ index }: Person) =>
    company.numbers[index % 5 < 3 ? 0 : index % company.numbers.length]!;
  const add = (person: Person, item: Item) => {
    const list = made.get(person);
    if (list) list.push(item);
    else made.set(person, [item]);
  };

  for (const slot of planSlots(random, company, people, now)) {
    const number = numberOf(slot.person);
    if (slot.kind === 'thread') {
      for (const item of planThread(random, company, slot, now)) add(slot.person, item);
      continue;
    }
    const planned = planCall(random, company, slot, number, { now, counters });
    calls.push(planned.call);
    history.push(...planned.history);
    if (planned.tag) callTags.push(planned.tag);
    seeded.push(planned.seeded);
    add(slot.person, planned.item);
  }

  const doubt = addDoubtfulText(made, numberOf, now);
  const conversationOf = new Map<string, number>();
  for (const [person, mine] of made) {
    const number = numberOf(person);
    mine.sort((a, b) => a.at - b.at);
    const conversationId = idAt(mine[0]!.at);
    conversationOf.set(person.number, conversationId);
    const planned = planConversation(random, company.id, {
      id: conversationId,
      number,
      person,
      mine,
      at,
    });
    items.push(...planned.items);
    conversations.push(planned.conversation);
  }
  for (const call of seeded) call.conversationId = conversationOf.get(call.party)!;
  const conversationOfCall = new Map(seeded.map((c) => [c.id, c.conversationId]));
  for (const call of calls) call['conversation_id'] = conversationOfCall.get(call['id'] as number);
  seeded.sort((a, b) => b.startedAt.getTime() - a.startedAt.getTime());
  return { people, conversations, items, calls, history, callTags, seeded, doubt };
}

function planPeople(random: SeededRandom, company: SeedCompany, now: number): Person[] {
  return Array.from({ length: company.contacts }, (_, index): Person => {
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
}

/** The messages of one thread; `now` in ms. */
export function planThread(
  random: SeededRandom,
  company: SeedCompany,
  slot: ThreadSlot,
  now: number,
): Item[] {
  const items: Item[] = [];
  const gaps = slot.lines.map(() => random.int(40, 540) * 1000);
  const durationMs = gaps.reduce((a, b) => a + b, 0);
  let when = Math.min(slot.at, now - durationMs - random.int(90, 240) * 1000);
  for (const [i, line] of slot.lines.entries()) {
    const inbound = line.startsWith('<');
    const text = line.slice(2).replaceAll('{first}', slot.person.first);
    when += gaps[i]!;
    const failed = !inbound && random.chance(0.008);
    items.push({
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
  return items;
}

/** Writes the history of one company. Returns its calls, newest first. */
export async function seedHistory(
  tx: Tx,
  random: SeededRandom,
  company: SeedCompany,
  now: Date,
): Promise<SeededCall[]> {
  const company_id = company.id;
  const planned = planHistory(random, company, now);
  const { people, conversations, items, calls, history, callTags, seeded, doubt } = planned;
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
  await seedOptOuts(tx, company, people, now);
  if (doubt) await seedPossibleOptOut(tx, company.id, doubt);
  return seeded;
}
