import type { Log } from '../platform/log.ts';
import type { CarrierAnswer, Hearing } from '../ports/carrier.ts';
import type { LegId, VoiceEvent } from '../ports/voice.ts';
import type { Doing } from './doing.ts';
import type { BookedLeg, LegBook } from './leg-book.ts';
import { tellLeg, type AskCarrier } from './tell-leg.ts';
import type { Turns } from './turns.ts';

/** Longest a caller's document waits for what the engine decides. What comes later is told by request. Milliseconds. */
const decidedWithinMs = 4000;

interface Talk {
  /** What the carrier says of the leg; a function when finding out changes what others think of the leg. */
  events: VoiceEvent[] | (() => Promise<VoiceEvent[]>);
  hear: Hearing;
  write: (row: BookedLeg<Doing>, doing: Doing) => Promise<CarrierAnswer>;
  ask: AskCarrier;
  /** What the leg has just done and must not do again. */
  over?: ((doing: Doing) => boolean) | undefined;
}

/**
 * Hear, then answer with what the leg should do now. Commands that the engine gives meanwhile to this leg become this
 * answer; those to others go by request. What comes while the answer is on its way is told when it has left.
 */
export async function converse(
  desk: { book: LegBook<Doing>; turns: Turns; log: Log },
  leg: LegId,
  { events, hear, write, ask, over = () => false }: Talk,
): Promise<CarrierAnswer> {
  let decide!: () => void;
  const decided = new Promise<void>((resolve) => {
    decide = resolve;
  });
  const turn = desk.turns.take(leg, decide);
  let timer: NodeJS.Timeout | undefined;
  try {
    const heard = typeof events === 'function' ? await events() : events;
    if (heard.length) {
      const { performed } = await hear.voice(heard);
      await Promise.race([
        decided,
        performed,
        new Promise<void>((resolve) => {
          timer = setTimeout(resolve, decidedWithinMs);
        }),
      ]);
    }
    await turn.comes(decidedWithinMs);
    const row = await desk.book.read(leg);
    if (row) await desk.book.delivered(leg, row.doingN);
    const answer = row
      ? await write(row, over(row.doing) ? { kind: 'wait' } : row.doing)
      : await write(lostLeg(leg), { kind: 'hangup' });
    const left = async () => {
      if (row)
        await tellLeg(desk.book, leg, row.doingN, ask).catch((error: unknown) =>
          desk.log.warn({ err: error, leg }, 'a leg could not be told what came after its answer'),
        );
      turn.end();
    };
    return { ...answer, left };
  } catch (error) {
    turn.end();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** A leg we know nothing of (any more). */
export const lostLeg = (leg: LegId): BookedLeg<Doing> => ({
  leg,
  call: leg,
  ref: leg,
  from: null,
  to: null,
  inbound: true,
  state: 'ended',
  cause: null,
  doing: { kind: 'hangup' },
  doingN: 0,
  toldN: 0,
  facts: {},
  createdAt: new Date(0),
  askedAt: null,
});
