import type { PortReport } from '../ports/porting.ts';
import type { BookedThing, LegBook } from './leg-book.ts';

/** A carrier that numbers no reports is given numbers: one more whenever what it says is not what it said last. */
export async function seqOf(
  book: Pick<LegBook<{ kind: string }>, 'change'>,
  thing: BookedThing,
  says: Pick<PortReport, 'state' | 'focDate' | 'wanted' | 'rejection'>,
): Promise<number> {
  const { seq = 0, told } = thing.facts as { seq?: number; told?: string };
  const now = JSON.stringify([says.state, says.focDate, says.wanted, says.rejection]);
  if (now === told) return seq;
  await book.change('port', thing.key, { facts: { seq: seq + 1, told: now } });
  return seq + 1;
}
