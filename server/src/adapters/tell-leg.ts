import type { LegId } from '../ports/voice.ts';
import type { Doing } from './doing.ts';
import type { BookedLeg, LegBook } from './leg-book.ts';
import type { Turns } from './turns.ts';

/** Longest a request waits for webhooks and requests of the same leg ahead of it. Milliseconds. */
const comesWithinMs = 10_000;
/** Ask the carrier to have the leg do what its row says, or to end it (`leaving`). False: it did not take it and will ask by itself. */
export type AskCarrier = (row: BookedLeg<Doing>, leaving: boolean) => Promise<boolean>;

/** Tell the carrier what a leg should do, unless it has it already or will ask for it by itself. */
export async function deliver(
  desk: { book: LegBook<Doing>; turns: Turns },
  leg: LegId,
  ask: AskCarrier,
): Promise<void> {
  const turn = desk.turns.take(leg);
  try {
    turn.hurry();
    await turn.comes(comesWithinMs);
    await tellLeg(desk.book, leg, null, ask);
  } finally {
    turn.end();
  }
}

/**
 * `given`: the document somebody has just given it. Looked at again after each, because another process may have given a
 * newer one in between, over which ours now stands.
 */
export async function tellLeg(
  book: LegBook<Doing>,
  leg: LegId,
  given: number | null,
  ask: AskCarrier,
): Promise<void> {
  for (let has = given; ;) {
    const row = await book.read(leg);
    if (!row || row.state === 'ended' || !row.ref || row.doingN <= (has ?? row.toldN)) return;
    const leaving = row.doing.kind === 'hangup' || row.doing.kind === 'reject';
    // A phone that rings asks what to do when it is picked up.
    if (!leaving && !row.inbound && row.state !== 'answered') return;
    if (!(await ask(row, leaving))) return;
    await book.delivered(leg, row.doingN);
    has = row.doingN;
  }
}
