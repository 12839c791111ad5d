import type { Hearing } from '../ports/carrier.ts';
import type { LegId, VoiceEvent } from '../ports/voice.ts';
import type { Doing } from './doing.ts';
import type { BookedLeg, LegBook } from './leg-book.ts';

/** Longest a caller's document waits for what the engine decides. What comes later is told by request. Milliseconds. */
const decidedWithinMs = 4000;

/**
 * Hear, then answer with what the leg should do now. Commands that the engine gives meanwhile to this leg become this
 * answer; those to others go by request. `over`: what the leg has just done and must not do again.
 */
export async function converse<Answer>(
  desk: { book: LegBook<Doing>; open: Map<LegId, (() => void)[]> }, leg: LegId, events: VoiceEvent[], hear: Hearing,
  answer: (row: BookedLeg<Doing>, doing: Doing) => Promise<Answer>, over: (doing: Doing) => boolean = () => false,
): Promise<Answer> {
  const waits = desk.open.get(leg) ?? [];
  desk.open.set(leg, waits);
  let ready!: () => void;
  const decided = new Promise<void>((resolve) => { ready = resolve; });
  waits.push(ready);
  let timer: NodeJS.Timeout | undefined;
  try {
    if (events.length) {
      const { performed } = await hear.voice(events);
      await Promise.race([decided, performed, new Promise<void>((resolve) => { timer = setTimeout(resolve, decidedWithinMs); })]);
    }
    const row = await desk.book.read(leg);
    if (!row) return answer(lostLeg(leg), { kind: 'hangup' });
    await desk.book.delivered(leg, row.doingN);
    return await answer(row, over(row.doing) ? { kind: 'wait' } : row.doing);
  } finally {
    clearTimeout(timer);
    waits.splice(waits.indexOf(ready), 1);
    if (!waits.length) desk.open.delete(leg);
  }
}

/** A leg we know nothing of (any more). */
export const lostLeg = (leg: LegId): BookedLeg<Doing> => ({ leg, call: leg, ref: leg, from: null, to: null, inbound: true, state: 'ended', cause: null, doing: { kind: 'hangup' }, doingN: 0, toldN: 0, facts: {}, createdAt: new Date(0), askedAt: null });
