import { randomUUID } from 'node:crypto';
import type { numbers as contract, Answer, Body } from '#contract';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { notFound, fail } from '../../platform/errors.ts';
import { firstOf } from '../../platform/must-be.ts';
import type { AvailableNumber } from '../../gateways/number-inventory.ts';
import { limitUsersToNumber } from '../companies/index.ts';
import { recordPurchase } from './record-purchase.ts';
import { forwardToNewNumber } from './forward-to-new-number.ts';
import { findAndReserve } from './locate-numbers.ts';
import { newNumbers, orderNumber } from './order-numbers.ts';
import { presentNumber } from './read-number.ts';
import { releasable, defaultLimit, type Category } from './rules.ts';
import { deleteReservations } from './store-reservations.ts';
import { activateNumber, claimNumber, deleteClaims } from './store-purchases.ts';
import { lockLimit, usedNumbers } from './store-limit.ts';
import { lockNumber, numberView, replaceTags, updateNumberRow, type NumberView } from './store.ts';
import { cleanUpPurchaseJob } from './job-kinds.ts';

// The system role: reservations of numbers that no company owns yet.

/**
 * Replaces a number (A6.2): buys a similar one and copies settings, tags, people, pool and, with
 * `keep_routing`, routes. The old number returns to its carrier after 30 days; until then its
 * callers reach the new one. Fails with 404, `numbers.cannot_rotate`, `numbers.none_found`, `numbers.limit`,
 * `carrier.refused` or `carrier.unreachable`.
 */
export async function rotateNumber(
  ctx: Ctx,
  id: number,
  body: Body<typeof contract.rotateNumber>,
): Promise<Answer<typeof contract.rotateNumber>> {
  const old = await ctx.transaction((t) => lockRotatable(t, id));
  const unavailable = new Map<string, string>();
  const offers = await findSimilar(ctx, old, body.same_area, unavailable);
  // No results because a carrier refused to search: report its reason.
  if (!offers.length && unavailable.size)
    fail('carrier.refused', { reason: [...unavailable.values()].join(' ') });
  if (!offers.length) fail('numbers.none_found');
  const { found, newId, answer } = await orderFirstAvailable(ctx, old, offers).finally(() =>
    releaseReservations(ctx, offers),
  );
  return ctx.transaction(async (t) => {
    const row = await lockRotatable(t, id);
    if (!(await activateNumber(t.tx, t.companyId, newId, answer.providerRef, answer.found, t.now)))
      fail('carrier.unreachable');
    await copySettings(t, row, newId, body.keep_routing);
    await recordPurchase(t, {
      id: newId,
      number: found.number,
      label: row.label,
      buyer: t.actor.userId || null,
      ...(body.keep_routing ? { copyOf: id } : {}),
    });
    await forwardToNewNumber(t, row, { id: newId, number: found.number });
    return { data: { ...(await presentNumber({ ...t, numbers: null }, newId)), rotated_from: id } };
  });
}

async function lockRotatable(t: TxCtx, id: number): Promise<NumberView> {
  await lockNumber(t.tx, t.companyId, id, t.numbers);
  const row = (await numberView(t.tx, t.companyId, id, t.numbers)) ?? notFound();
  if (!releasable.has(row.status))
    fail('numbers.cannot_rotate', {
      reason:
        row.status === 'releasing'
          ? 'it is being released.'
          : row.status === 'porting'
            ? 'it is still being ported.'
            : 'it isn’t in use.',
    });
  return row;
}

/** Offers to try before giving up. */
const maxOffers = 5;

/**
 * Reserves numbers of the same category in the same area code or, unless `sameArea`, in the same
 * state.
 */
async function findSimilar(
  ctx: Ctx,
  old: NumberView,
  sameArea: boolean,
  unavailable: Map<string, string>,
): Promise<AvailableNumber[]> {
  const like = {
    country: old.country,
    category: old.category as Category,
    match: 'Contains' as const,
    limit: maxOffers,
  };
  const near = await findAndReserve(
    ctx,
    { ...like, areaCode: old.area_code || undefined },
    [old.number],
    unavailable,
  );
  const reserved =
    near.length || sameArea || !old.region
      ? near
      : await findAndReserve(ctx, { ...like, state: old.region }, [old.number], unavailable);
  return reserved.map((reservation) => reservation.found);
}
/** Ends the reservations of offers that weren't bought. */
const releaseReservations = (ctx: Ctx, offers: readonly AvailableNumber[]) =>
  ctx.db.systemTransaction((tx) =>
    deleteReservations(
      tx,
      { companyId: ctx.companyId, userId: ctx.actor.userId },
      offers.map((f) => f.number),
    ),
  );

/**
 * Orders the first offer that its carrier delivers, skipping those that others bought meanwhile.
 * Fails with `numbers.none_found`, `carrier.refused` or `carrier.unreachable`.
 */
async function orderFirstAvailable(ctx: Ctx, old: NumberView, offers: readonly AvailableNumber[]) {
  for (const found of offers) {
    const key = randomUUID();
    const newId = await ctx.transaction((t) => claimForRotation(t, old, found, key));
    if (newId === null) continue;
    const answer = await orderNumber(ctx, found.number, key, found.providerId);
    if (answer.state === 'ordered') return { found, newId, answer };
    if (answer.state === 'unreachable')
      await ctx.gateways.numbers.release(found.number, found.providerId).catch(() => {});
    await ctx.transaction((t) =>
      deleteClaims(t.tx, t.companyId, [{ id: newId, number: found.number }]),
    );
    if (answer.state === 'refused') fail('carrier.refused', { reason: answer.reason });
    if (answer.state === 'unreachable') fail('carrier.unreachable');
  }
  return fail('numbers.none_found');
}

/** Claims an offer before it is ordered. Null: someone else has it. */
async function claimForRotation(
  t: TxCtx,
  old: NumberView,
  found: AvailableNumber,
  key: string,
): Promise<number | null> {
  const limit = await lockLimit(t.tx, t.companyId, defaultLimit);
  const used = await usedNumbers(t.tx, t.companyId);
  // The old number stops counting in the same exchange, so only a company above its limit is
  // refused.
  if (used > limit) fail('numbers.limit', { limit, used }, { limit, used });
  const row = firstOf(
    await newNumbers(t, [{ number: found.number, category: old.category as Category, found }], {
      key,
      label: old.label,
      buyer: t.actor.userId || null,
      status: 'pending',
    }),
  );
  const id = await claimNumber(t.tx, t.companyId, row, t.actor.userId);
  if (id !== null)
    await t.enqueue(cleanUpPurchaseJob, { key }, { runAt: new Date(t.now.getTime() + 5 * 60_000) });
  return id;
}

async function copySettings(
  t: TxCtx,
  old: NumberView,
  newId: number,
  keepRouting: boolean,
): Promise<void> {
  await updateNumberRow(t.tx, t.companyId, newId, {
    record: old.record,
    recording_announcement: old.recording_announcement,
    recording_announcement_text: old.recording_announcement_text,
    recording_retention_days: old.recording_retention_days,
    call_transcription_enabled: old.call_transcription_enabled,
    ai_eav_enabled: old.ai_eav_enabled,
    voicemail_enabled: old.voicemail_enabled,
    voicemail_greeting_id: old.voicemail_greeting_id,
    voicemail_greeting: old.voicemail_greeting,
    voicemail_transcribe: old.voicemail_transcribe,
    voicemail_emails: old.voicemail_emails,
    voicemail_sms_notify: old.voicemail_sms_notify,
    greeting_id: old.greeting_id,
    caller_id_name: old.caller_id_name,
    template_id: old.template_id,
    dni_pool_id: old.dni_pool_id,
    ...(keepRouting ? { schedule_id: old.schedule_id } : {}),
    ...(old.sms_enabled ? {} : { sms_enabled: false, mms_enabled: false }),
    updated_at: t.now,
  });
  await replaceTags(
    t.tx,
    t.companyId,
    newId,
    old.tags.map((tag) => tag.id),
  );
  if (old.user_ids.length) await limitUsersToNumber(t, newId, old.user_ids);
}
