import { numbers as contract, type Answer, type Body } from '#contract';
import { audit } from '../../platform/audit.ts';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { CarrierNotConnectedError } from '../../gateways/carrier.ts';
import { notFound, fail } from '../../platform/errors.ts';
import { recordNumberEvent } from './timeline/record-event.ts';
import { presentNumber } from './read-number.ts';
import { releasable, returnsAt, defaultLimit } from './rules.ts';
import { requireNumberRoom } from './plan/number-room.ts';
import { lockLimit, usedNumbers } from './store-limit.ts';
import { lockNumber, numberRecord, updateNumberRow } from './store.ts';
import { releaseNumber } from './store-purchases.ts';
import { releaseJob } from './job-kinds.ts';

/**
 * Releases a number or, with `undo`, restores it. Releasing again changes nothing. Fails with 404,
 * `number.in_pool`, `numbers.not_releasing` or `numbers.limit`.
 */
export async function removeNumber(
  ctx: TxCtx,
  id: number,
  body: Body<typeof contract.removeNumber>,
): Promise<Answer<typeof contract.removeNumber>> {
  await releaseOrRestore(ctx, id, { undo: body.undo, reason: body.reason ?? null });
  return { data: await presentNumber(ctx, id) };
}
/** The same without a result. `reason` null: none given; `keepDays`: instead of the usual hours. */
export const releaseOrRestore = (
  ctx: TxCtx,
  id: number,
  action: { undo: boolean; reason: string | null; keepDays?: number },
): Promise<void> => (action.undo ? restoreNumber(ctx, id) : releaseOne(ctx, id, action));

async function releaseOne(
  ctx: TxCtx,
  id: number,
  { reason, keepDays }: { reason: string | null; keepDays?: number },
): Promise<void> {
  const row = (await lockNumber(ctx.tx, ctx.companyId, id, ctx.numbers)) ?? notFound();
  if (row.status === 'releasing') return;
  if (!releasable.has(row.status)) notFound();
  if (row.dni_pool_id !== null) fail('number.in_pool');
  const until = returnsAt(ctx.now, keepDays);
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
  await recordNumberEvent(ctx, id, {
    type: 'released',
    summary: `Released: stops now, returns to ${row.lease_listing_id === null ? 'the carrier' : 'its owner'} ${until.toISOString().slice(0, 10)}${reason ? ` (${reason})` : ''}`,
    before: { status: row.status },
    after: { status: 'releasing', returnsAt: until.toISOString() },
  });
  await ctx.publish(
    contract.numberReleasing,
    {
      companyId: ctx.companyId,
      numberId: id,
      number: row.number,
      releasingAt: ctx.now.toISOString(),
      returnsAt: until.toISOString(),
      reason,
      by: ctx.actor.userId || null,
    },
    { numberId: id },
  );
  await ctx.enqueue(
    releaseJob,
    { numberId: id },
    { runAt: until, key: `numbers.release:${ctx.companyId}:${id}` },
  );
}

async function restoreNumber(ctx: TxCtx, id: number): Promise<void> {
  const limit = await lockLimit(ctx.tx, ctx.companyId, defaultLimit);
  const row = (await lockNumber(ctx.tx, ctx.companyId, id, ctx.numbers)) ?? notFound();
  // After that the carrier may have it already.
  if (row.status !== 'releasing' || !row.returns_at || new Date(row.returns_at) <= ctx.now)
    fail('numbers.not_releasing');
  const used = await usedNumbers(ctx.tx, ctx.companyId);
  if (used + 1 > limit) fail('numbers.limit', { limit, used }, { limit, used });
  await requireNumberRoom(ctx, [row.category]);
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
  await recordNumberEvent(ctx, id, {
    type: 'kept',
    summary: 'Release canceled',
    before: { status: 'releasing' },
    after: { status: row.status_before ?? 'active' },
  });
  await ctx.publish(
    contract.numberKept,
    { companyId: ctx.companyId, numberId: id, number: row.number },
    { numberId: id },
  );
}

/**
 * Job `numbers.release`: returns a number to its carrier when it is due. Does nothing if it was
 * restored or returned. Throws when its carrier isn't connected, so that the job is retried.
 */
export async function returnToCarrier(ctx: Ctx, { numberId }: { numberId: number }): Promise<void> {
  const row = await ctx.transaction((t) => numberRecord(t.tx, t.companyId, numberId));
  if (row?.status !== 'releasing' || !row.returns_at || new Date(row.returns_at) > ctx.now) return;
  // The lessee keeps the row until the marketplace passes the number to its owner, in one
  // transaction.
  const listingId = row.lease_listing_id;
  if (listingId !== null)
    return ctx.transaction((t) =>
      t.publish(contract.leasedNumberReturned, {
        companyId: t.companyId,
        numberId,
        number: row.number,
        listingId,
      }),
    );
  // Its carrier isn't in CARRIER now. Another one would confirm the release of a number it never
  // had, so the job is retried until the carrier is back.
  if (
    !ctx.gateways.carriers.forNumber({ providerId: row.provider_id, providerRef: row.provider_ref })
  )
    throw new CarrierNotConnectedError(String(row.provider_id), 'releasing a number');
  await ctx.gateways.numbers.release(row.number, row.provider_id, row.provider_ref);
  await ctx.transaction(async (t) => {
    if (!(await releaseNumber(t.tx, t.companyId, numberId, row.number, t.now))) return;
    await audit(t, 'number.released', `number:${numberId}`, { after: { number: row.number } });
    await recordNumberEvent(t, numberId, { type: 'released', summary: 'Returned to the carrier' });
    await t.publish(
      contract.numberReleased,
      { companyId: t.companyId, numberId, number: row.number },
      { numberId },
    );
  });
}
