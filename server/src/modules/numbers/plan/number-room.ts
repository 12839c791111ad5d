import type { TxCtx } from '../../../platform/context.ts';
import { fail } from '../../../platform/errors.ts';
import { roomProblem, type RoomProblem } from '../../billing/index.ts';
import { heldByKind } from './store.ts';

/** Why the plan has no room for numbers of these categories besides those held; null: it has. */
export async function numberRoomProblem(
  t: TxCtx,
  categories: readonly number[],
): Promise<RoomProblem | null> {
  const held = await heldByKind(t.tx, t.companyId);
  const tollFree = categories.filter((category) => category === 1).length;
  const problem = await roomProblem(t, 'numbers_toll_free', tollFree, { held });
  if (problem && tollFree > 0) return problem;
  held.numbers_toll_free += tollFree;
  const local = categories.length - tollFree;
  return local > 0 ? roomProblem(t, 'numbers_local', local, { held }) : null;
}

/** Fails with the sentence that names the limit, where the plan has no room for these numbers. */
export async function requireNumberRoom(t: TxCtx, categories: readonly number[]): Promise<void> {
  const problem = await numberRoomProblem(t, categories);
  if (problem) fail(problem.code, problem.facts);
}
