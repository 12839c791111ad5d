import type { Tx } from '../../../platform/db.ts';
import { rollupQuestion } from './rollup-question.ts';
import { figuresOfCalls, type CallsAsked, type FiguresRow } from './store-figures-of-calls.ts';
import { countedDays, type RollupRead } from './store-rollups.ts';

/** Fewer calls are counted one by one, about as fast. */
export const fewestAddedUp = 50_000;

/** The sums that answer a question; null: its calls are counted. */
export async function chooseTable(
  tx: Tx,
  { companyId, only, question, credits, isSpread }: CallsAsked,
  fewest: number,
): Promise<RollupRead | null> {
  const rollup = credits === null ? rollupQuestion(question, only, isSpread) : null;
  if (!rollup) return null;
  const counted = await countedDays(tx, companyId, question, rollup);
  return counted && counted.calls >= fewest ? { ...rollup, edition: counted.edition } : null;
}

/**
 * The figures of a question, from calls that were added up where these are many, or else from the
 * calls: both are the same.
 */
export async function figuresOfQuestion(
  tx: Tx,
  asked: CallsAsked,
  fewest = fewestAddedUp,
): Promise<FiguresRow[]> {
  const rollup = await chooseTable(tx, asked, fewest);
  if (!rollup) return figuresOfCalls(tx, asked, null);
  const found = await figuresOfCalls(tx, asked, rollup);
  // Or its time zone was changed meanwhile, and its sums aren't complete anymore.
  const hasCalls = found.some(({ callers }) => !callers);
  return hasCalls ? found : figuresOfCalls(tx, asked, null);
}
