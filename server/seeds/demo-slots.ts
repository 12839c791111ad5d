import type { SeedCompany } from './demo-rows.ts';
import type { SeededRandom } from './demo-vocabulary.ts';
import { isBadMorning, isOpenAt, momentsOf, nextOpenTime } from './demo-week.ts';

const DAY = 86_400_000;
const MINUTE = 60_000;
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

export interface Person {
  index: number;
  id: number;
  first: string;
  name: string;
  number: string;
  email: string;
  out: boolean;
}

/** One call or conversation thread at one time. */
export type Slot = { at: number; person: Person; isNew: boolean; waits: boolean } & (
  | { kind: 'call'; outbound: boolean; status: number; outcome: number }
  | { kind: 'thread'; lines: readonly string[] }
);
export type CallSlot = Slot & { kind: 'call' };
export type ThreadSlot = Slot & { kind: 'thread' };

/** Plans the calls and threads of a company with their outcomes, oldest first. */
export function planSlots(
  random: SeededRandom,
  company: SeedCompany,
  people: readonly Person[],
  now: number,
): Slot[] {
  const { rhythm, trade } = company;
  const weeks = days / 7;
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
  const threads = threadMoments.map(() => drawThread());
  const outcomes = drawOutcomes(random, company, callMoments, now);
  const waiting = findWaiting(company, threads, outcomes);
  const contacts = contactPicker(random, people);
  const drafts = [
    ...callMoments.map((at, i) => ({ at, i, kind: 'call' as const })),
    ...threadMoments.map((at, i) => ({ at, i, kind: 'thread' as const })),
  ].sort((a, b) => a.at - b.at);

  return drafts.flatMap(({ at, i, kind }): Slot[] => {
    const waits = waiting[kind].has(i);
    const { person, isNew } = contacts.pick(kind, at, waits);
    if (kind === 'thread') {
      const lines = threads[i]!;
      return [{ at, person, isNew, kind, waits, lines: waits ? lines.slice(0, 1) : lines }];
    }
    const [status, outcome] = outcomes[i]!;
    const slot: CallSlot = { at, person, isNew, kind, waits, outbound: false, status, outcome };
    // Missed callers and those who left a voicemail are called back; now and then there is another
    // outbound call.
    const isMissed = outcome === 2 || outcome === 3;
    if (waits || (!isMissed && i % 12 !== 5)) return [slot];
    const back = nextOpenTime(rhythm, at + random.int(8, 75) * MINUTE);
    // The call back is still to come.
    if (back > now - 12 * MINUTE) return [slot];
    contacts.markSeen(person, back);
    return [slot, callBack(slot, back, random.chance(0.85))];
  });
}

/** The call that answers a missed one. */
export const callBack = (slot: CallSlot, at: number, isReached: boolean): CallSlot => ({
  ...slot,
  at,
  isNew: false,
  outbound: true,
  status: isReached ? 12 : 8,
  outcome: isReached ? 1 : 2,
});

/**
 * Status and outcome of each call: of ten calls one is missed and one reaches voicemail; of fifty one
 * is blocked. On a bad morning two of three are missed.
 */
function drawOutcomes(
  random: SeededRandom,
  company: SeedCompany,
  callMoments: readonly number[],
  now: number,
): (readonly [status: number, outcome: number])[] {
  const drawMissed = deckOf(random, [8, 11, 3]);
  let [answerable, places] = [0, [0, 0]];
  return callMoments.map((at): readonly [number, number] => {
    if (!isOpenAt(company.rhythm, at)) return [4, 3];
    const i = answerable++;
    if (i % 3 !== 0 && isBadMorning(company, at, now)) return [i % 3 === 1 ? 8 : 11, 2];
    if (i % 10 === 0) places = [random.int(2, 4), random.int(6, 8)];
    if (i % 10 === places[0]) return [drawMissed(), 2];
    if (i % 10 === places[1]) return [4, 3];
    return i % 50 === 25 ? [13, 4] : [12, 1];
  });
}

/** Indexes of the newest threads and calls that nobody has answered yet. */
function findWaiting(
  company: SeedCompany,
  threads: readonly (readonly string[])[],
  outcomes: readonly (readonly [status: number, outcome: number])[],
): { thread: Set<number>; call: Set<number> } {
  const newest = (indexes: readonly number[], n: number) => (n > 0 ? indexes.slice(-n) : []);
  const questions = threads.flatMap((lines, i) => (lines[0]!.startsWith('<') ? [i] : []));
  const callsWith = (outcome: number) =>
    outcomes.flatMap(([, found], i) => (found === outcome ? [i] : []));
  // As many as a small team leaves unanswered for the next hour.
  const texts = Math.round(company.contacts / 90);
  const missed = company.calls > 2000 ? 4 : 2;
  return {
    thread: new Set(newest(questions, texts)),
    call: new Set([
      ...newest(callsWith(2), missed),
      ...newest(callsWith(3), company.trade.voicemails.length),
    ]),
  };
}

/** Chooses who calls or texts: new contacts appear all the time; the others return, recent ones more often. */
function contactPicker(random: SeededRandom, people: readonly Person[]) {
  let known = 0;
  const lastSeen = new Map<Person, number>();
  const sinceNew = { call: 0, thread: 0 };
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
  return {
    markSeen: (person: Person, at: number) => void lastSeen.set(person, at),
    pick: (kind: 'call' | 'thread', at: number, waits: boolean) => {
      // One call in six and one thread in five is from a new contact; one that waits for an answer
      // is known already, and the next is new.
      sinceNew[kind] += 1;
      const isNew = known === 0 || (!waits && sinceNew[kind] >= (kind === 'call' ? 6 : 5));
      if (isNew) sinceNew[kind] -= kind === 'call' ? 6 : 5;
      const person = isNew ? newcomer() : regular(waits ? at - 3 * DAY : at);
      // A contact that waits for an answer has no further activity.
      lastSeen.set(person, waits ? Infinity : at);
      return { person, isNew };
    },
  };
}
