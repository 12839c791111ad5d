import { numbers as contract, type Answer, type Body } from '#contract';
import { audit } from '../../platform/audit.ts';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { CarrierNotConnected } from '../../ports/carrier.ts';
import { giveBackLeased } from './marketplace/end-lease.ts';
import { leaveLists } from './marketplace/leave-lists.ts';
import { missing, refuse } from '../../platform/refuse.ts';
import { noteNumberEvent } from './timeline/note-event.ts';
import { presentNumber } from './read-number.ts';
import { releasable, returnsAt, usualLimit } from './rules.ts';
import {
  lockLimit,
  lockNumber,
  numberRecord,
  releaseNumber,
  updateNumberRow,
  usedNumbers,
} from './store.ts';

/** Release a number, or (`undo`) keep it after all. Doing either twice is doing it once. */
export async function removeNumber(
  ctx: TxCtx,
  id: number,
  body: Body<typeof contract.removeNumber>,
): Promise<Answer<typeof contract.removeNumber>> {
  await releaseOrKeep(ctx, id, { undo: body.undo, reason: body.reason ?? null });
  return { data: await presentNumber(ctx, id) };
}
export const releaseOrKeep = (
  ctx: TxCtx,
  id: number,
  what: { undo: boolean; reason: string | null },
): Promise<void> => (what.undo ? keepNumber(ctx, id) : releaseOne(ctx, id, what.reason));

async function releaseOne(ctx: TxCtx, id: number, reason: string | null): Promise<void> {
  await leaveLists(ctx, id);
  const row = (await lockNumber(ctx.tx, ctx.companyId, id, ctx.numbers)) ?? missing();
  if (row.status === 'releasing') return;
  if (!releasable.has(row.status)) missing();
  if (row.dni_pool_id !== null) refuse('number.in_pool');
  const until = returnsAt(ctx.now);
  await updateNumberRow(ctx.tx, ctx.companyId, id, {
    status: 'releasing',
    status_before: row.status,
    releasing_at: ctx.now,
    returns_at: until,
    release_reason: reason,
    updated_at: ctx.now,
  });
  await audit(ctx, 'number.releasing', `number:${id}`, {
    before: { status: row.status },
    after: { status: 'releasing', reason },
  });
  await noteNumberEvent(ctx, id, {
    type: 'released',
    summary: `Released: stops now, goes back to ${row.lease_listing_id === null ? 'the carrier' : 'whom it is leased from'} ${until.toISOString().slice(0, 10)}${reason ? ` (${reason})` : ''}`,
    before: { status: row.status },
    after: { status: 'releasing', returnsAt: until.toISOString() },
  });
  await ctx.say(
    contract.numberReleasing,
    {
      companyId: ctx.companyId,
      numberId: id,
      number: row.number,
      returnsAt: until.toISOString(),
      reason,
    },
    { numberId: id },
  );
  await ctx.enqueue(
    'numbers.giveBack',
    { numberId: id },
    { runAt: until, key: `numbers.giveBack:${ctx.companyId}:${id}` },
  );
}

async function keepNumber(ctx: TxCtx, id: number): Promise<void> {
  const limit = await lockLimit(ctx.tx, ctx.companyId, usualLimit);
  const row = (await lockNumber(ctx.tx, ctx.companyId, id, ctx.numbers)) ?? missing();
  // Past its time the carrier may have it already, so it can no longer be kept.
  if (row.status !== 'releasing' || !row.returns_at || new Date(row.returns_at) <= ctx.now)
    refuse('numbers.not_releasing');
  const used = await usedNumbers(ctx.tx, ctx.companyId);
  if (used + 1 > limit) refuse('numbers.limit', { limit, used }, { limit, used });
  await updateNumberRow(ctx.tx, ctx.companyId, id, {
    status: row.status_before ?? 'active',
    status_before: null,
    releasing_at: null,
    returns_at: null,
    release_reason: null,
    rotated_to: null,
    forward_until: null,
    updated_at: ctx.now,
  });
  await audit(ctx, 'number.kept', `number:${id}`, {
    before: { status: 'releasing' },
    after: { status: row.status_before ?? 'active' },
  });
  await noteNumberEvent(ctx, id, {
    type: 'kept',
    summary: 'Kept after all',
    before: { status: 'releasing' },
    after: { status: row.status_before ?? 'active' },
  });
  await ctx.say(
    contract.numberKept,
    { companyId: ctx.companyId, numberId: id, number: row.number },
    { numberId: id },
  );
}

/** The time to keep it is over: back to the carrier. Runs when due; kept or already returned, it does nothing. */
export async function giveBackNumber(ctx: Ctx, { numberId }: { numberId: number }): Promise<void> {
  const row = await ctx.transaction((t) => numberRecord(t.tx, t.companyId, numberId));
  if (row?.status !== 'releasing' || !row.returns_at || new Date(row.returns_at) > ctx.now) return;
  if (row.lease_listing_id !== null) return giveBackLeased(ctx, row.lease_listing_id, row.number);
  // Its own carrier is away from CARRIER: another one would say yes to a number it never had. Tried again until it is back.
  if (!ctx.ports.carriers.ofNumber({ providerId: row.provider_id, providerRef: row.provider_ref }))
    throw new CarrierNotConnected(String(row.provider_id), 'giving a number back');
  await ctx.ports.numbers.giveBack(row.number, row.provider_id, row.provider_ref);
  await ctx.transaction(async (t) => {
    if (!(await releaseNumber(t.tx, t.companyId, numberId, row.number, t.now))) return;
    await audit(t, 'number.released', `number:${numberId}`, { after: { number: row.number } });
    await noteNumberEvent(t, numberId, { type: 'released', summary: 'Went back to the carrier' });
    await t.say(
      contract.numberReleased,
      { companyId: t.companyId, numberId, number: row.number },
      { numberId },
    );
  });
}
