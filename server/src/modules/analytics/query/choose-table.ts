import type { Tx } from '../../../platform/db.ts';
import { rollupQuestion } from './rollup-question.ts';
import {
  figuresAddedUp,
  figuresOfCalls,
  type CallsAsked,
  type FiguresRow,
} from './store-figures-of-calls.ts';

/** Fewer calls are counted one by one, about as fast. */
export const fewestAddedUp = 50_000;

/**
 * The figures of a question, from calls that were added up where these are many, or else from the
 * calls: both are the same.
 */
export async function figuresOfQuestion(
  tx: Tx,
  asked: CallsAsked,
  fewest = fewestAddedUp,
): Promise<FiguresRow[]> {
  const { question, only, credits, isSpread } = asked;
  const rollup = credits === null ? rollupQuestion(question, only, isSpread) : null;
  const added = rollup && (await figuresAddedUp(tx, asked, rollup, fewest));
  return added ?? figuresOfCalls(tx, asked);
}
