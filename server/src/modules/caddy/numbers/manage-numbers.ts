import type { Answer, Body, caddy as contract } from '#contract';
import { removalDays } from '#contract/caddy/rules';
import type { TxCtx } from '../../../platform/context.ts';
import { fail, notFound } from '../../../platform/errors.ts';
import {
  grantNumberLimit,
  heldNumbers,
  releaseOrRestore,
  type HeldNumber,
} from '../../numbers/index.ts';
import { updateNumber } from '../../routing/index.ts';
import { lockAccount } from '../store.ts';
import { publishUsage } from '../usage.ts';
import { allowanceOf } from './plan-of-numbers.ts';
import { presentNumber } from './present-number.ts';
import { routeCalls } from './route-calls.ts';

/** The account's numbers, oldest first. */
export async function listNumbers(t: TxCtx): Promise<Answer<typeof contract.listCaddyNumbers>> {
  return { data: (await heldNumbers(t.tx, t.companyId)).map(presentNumber) };
}

/** A number of the account's. @throws ApiError `not_found` */
export async function requireHeld(t: TxCtx, id: number): Promise<HeldNumber> {
  const held = await heldNumbers(t.tx, t.companyId);
  return held.find((row) => row.id === id) ?? notFound();
}

/** Says what a number is for. @throws ApiError `not_found` */
export async function renameNumber(
  t: TxCtx,
  id: number,
  { label }: Body<typeof contract.renameCaddyNumber>,
): Promise<Answer<typeof contract.renameCaddyNumber>> {
  await requireHeld(t, id);
  await updateNumber(t, id, { label });
  return { data: presentNumber(await requireHeld(t, id)) };
}

/** Stops a number: nothing reaches it any more, and it goes after 30 days. Twice changes nothing. */
export const stopNumber = (t: TxCtx, id: number, reason: string): Promise<void> =>
  releaseOrRestore(t, id, { undo: false, reason, keepDays: removalDays });

/** Stops a number at its person's wish. */
export async function removeNumber(
  t: TxCtx,
  id: number,
): Promise<Answer<typeof contract.removeCaddyNumber>> {
  await requireHeld(t, id);
  await stopNumber(t, id, 'Stopped in Caddy');
  await publishUsage(t);
  return { data: presentNumber(await requireHeld(t, id)) };
}

/**
 * Makes exactly these numbers active: others stop, and stopped ones among them are restored.
 * @throws ApiError `not_found`, `caddy.limit`, `numbers.not_releasing` when one's time is over
 */
export async function activateNumbers(
  t: TxCtx,
  ids: readonly number[],
): Promise<Answer<typeof contract.activateCaddyNumbers>> {
  const wanted = new Set(ids);
  await lockAccount(t.tx, t.companyId);
  const held = await heldNumbers(t.tx, t.companyId);
  if ([...wanted].some((id) => !held.some((row) => row.id === id))) notFound();
  const { numbers: allowed } = await allowanceOf(t.tx, t.companyId);
  if (wanted.size > allowed) fail('caddy.limit', { n: allowed }, { used: wanted.size, allowed });
  await grantNumberLimit(t, allowed);
  for (const row of held)
    if (row.status === 'active' && !wanted.has(row.id)) await stopNumber(t, row.id, 'Not chosen');
  for (const row of held)
    if (row.status === 'releasing' && wanted.has(row.id))
      await releaseOrRestore(t, row.id, { undo: true, reason: null });
  await routeCalls(t);
  await publishUsage(t);
  return listNumbers(t);
}
