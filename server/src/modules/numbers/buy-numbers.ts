import { randomUUID } from 'node:crypto';
import {
  formatPhone,
  normalizePhone,
  numbers as contract,
  type Answer,
  type Body,
} from '#contract';
import { entityOf } from '#contract/fields/rules';
import type { Http } from '../../platform/routes.ts';
import { createBatch } from '../../platform/batches.ts';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { invalid, fail } from '../../platform/errors.ts';
import { tagsByName, valuesOf } from '../fields/index.ts';
import { newNumbers, orderNumber, type OrderResult, type NumberRequest } from './order-numbers.ts';
import { presentView } from './present.ts';
import { recordPurchase } from './record-purchase.ts';
import { defaultLimit } from './rules.ts';
import { activateNumber, claimNumber, deleteClaims, purchaseRows } from './store-purchases.ts';
import { lockLimit, usedNumbers } from './store-limit.ts';
import { requireNumberRoom } from './plan/number-room.ts';
import { numberViews, replaceTags } from './store.ts';
import { requireTemplate } from './templates/apply-template.ts';
import { reservationsOf } from './store-reservations.ts';
import { purchaseKind, type BulkPurchase } from './batch-kinds.ts';
import { cleanUpPurchaseJob, buyInBulkJob } from './job-kinds.ts';

// The system role: reservations of numbers that no company owns yet.

type BuyBody = Body<typeof contract.buyNumbers>;
interface Claimed {
  id: number;
  number: string;
  providerId: number;
}

/**
 * Buys numbers: all or none up to 20; more are bought by a job, with status 202 (A6.2). Fails with
 * `numbers.limit`, `numbers.taken`, `carrier.refused`, `carrier.unreachable`, or 422.
 */
export async function buyNumbers(
  ctx: Ctx,
  body: BuyBody,
  http: Pick<Http, 'reply'>,
): Promise<Answer<typeof contract.buyNumbers>> {
  const wishes = await requestedNumbersOf(ctx, body);
  const order = {
    label: body.label ?? '',
    tags: body.tags ?? [],
    templateId: body.template_id ?? null,
  };
  if (order.templateId) await ctx.transaction((t) => requireTemplate(t, order.templateId));
  if (wishes.length > contract.maxImmediatePurchase) {
    const batchId = await ctx.transaction((t) =>
      beginBulkPurchase(t, { wishes, ...order, buyer: ctx.actor.userId }),
    );
    void http.reply.code(202);
    return { data: { batchId, status: 'queued' } };
  }
  const key = randomUUID();
  const claimed = await ctx.transaction((t) => claimOrFail(t, wishes, key, order));
  // Carriers are called outside of a transaction. If the process dies meanwhile, the job
  // `numbers.cleanUpPurchase` reverts the purchase.
  const answers = await Promise.all(
    claimed.map(({ number, providerId }) => orderNumber(ctx, number, key, providerId)),
  );
  if (answers.some((a) => a.state !== 'ordered')) return revertPurchase(ctx, claimed, answers);
  return ctx.transaction(async (t) => {
    for (const [i, { id, number }] of claimed.entries()) {
      const answer = answers[i] as OrderResult & { state: 'ordered' };
      // The purchase took so long that the cleanup job already reverted it.
      if (!(await activateNumber(t.tx, t.companyId, id, answer.providerRef, answer.found, t.now)))
        fail('carrier.unreachable');
      await recordPurchase(t, {
        id,
        number,
        label: order.label,
        buyer: ctx.actor.userId,
        templateId: order.templateId,
      });
    }
    const values = await valuesOf(
      t,
      entityOf.number,
      claimed.map((c) => c.id),
    );
    return {
      data: (
        await numberViews(
          t.tx,
          t.companyId,
          claimed.map((c) => c.id),
        )
      ).map((row) => presentView(row, t.now, [], values.get(row.id))),
    };
  });
}

/**
 * The numbers to buy, each once, with what the search found if the buyer reserved them. Fails with
 * 422 for foreign numbers, expired reservations and a category that doesn't fit.
 */
async function requestedNumbersOf(ctx: Ctx, body: BuyBody): Promise<NumberRequest[]> {
  const typed = [...new Set(body.numbers)];
  const foreign = typed.find((number) => !number.startsWith('+1'));
  if (foreign)
    invalid({
      numbers: `${foreign} can’t be bought here. Choose a number in the United States or Canada.`,
    });
  const reservations = await ctx.db.systemTransaction((tx) =>
    reservationsOf(
      tx,
      { companyId: ctx.companyId, userId: ctx.actor.userId, now: ctx.now },
      { ids: body.reservationIds, numbers: typed },
    ),
  );
  const reserved = body.reservationIds.map(
    (id) =>
      reservations.find((reservation) => reservation.id === id)?.number ??
      invalid({ reservationIds: 'A reservation has expired. Search again.' }),
  );
  return [...new Set([...typed, ...reserved])].map((number) => {
    const reservation = reservations.find((one) => one.number === number);
    const actualCategory = reservation?.category ?? contract.categoryOf(number);
    // Without a reservation a number may be bought for fax (3) or bulk (4), but toll-free (1) and
    // local (2) must match its digits.
    const isMismatch =
      body.category !== undefined &&
      body.category !== actualCategory &&
      (reservation !== undefined || body.category <= 2);
    if (isMismatch)
      invalid({
        category: `${formatPhone(number)} belongs to “${contract.numberCategories[actualCategory]}”. Leave out the category, or choose a number from it.`,
      });
    return reservation
      ? { number, category: reservation.category, found: reservation.found }
      : {
          number: normalizePhone(number) ?? number,
          category: body.category ?? contract.categoryOf(number),
          found: null,
        };
  });
}

/** Claims all of the numbers, or fails with `numbers.taken` and names those still free. */
async function claimOrFail(
  t: TxCtx,
  wishes: readonly NumberRequest[],
  key: string,
  order: { label: string; tags: readonly string[] },
): Promise<Claimed[]> {
  await requireWithinLimit(t, wishes.length);
  const categories = wishes.map(({ category }) => category);
  await requireNumberRoom(t, categories);
  const tags = order.tags.length ? (await tagsByName(t, order.tags)).map((tag) => tag.id) : [];
  const rows = await newNumbers(t, wishes, {
    key,
    label: order.label,
    buyer: t.actor.userId || null,
    status: 'pending',
  });
  const claimed: Claimed[] = [];
  const taken: string[] = [];
  // Sorted, so that two buyers of the same numbers can't deadlock.
  for (const row of rows.sort((a, b) => (a.number < b.number ? -1 : 1))) {
    const id = await claimNumber(t.tx, t.companyId, row, t.actor.userId);
    if (id === null) taken.push(row.number);
    else {
      claimed.push({ id, number: row.number, providerId: row.found.providerId });
      await replaceTags(t.tx, t.companyId, id, tags);
    }
  }
  if (taken.length) fail('numbers.taken', {}, { taken, free: claimed.map((c) => c.number) });
  await t.enqueue(cleanUpPurchaseJob, { key }, { runAt: new Date(t.now.getTime() + 5 * 60_000) });
  return claimed;
}

async function requireWithinLimit(t: TxCtx, more: number): Promise<void> {
  const limit = await lockLimit(t.tx, t.companyId, defaultLimit);
  const used = await usedNumbers(t.tx, t.companyId);
  if (used + more > limit) fail('numbers.limit', { limit, used }, { limit, used });
}

/**
 * Releases what the carriers delivered and fails with `carrier.refused`, `carrier.unreachable`, or
 * `numbers.taken`, which names those still free.
 */
async function revertPurchase(
  ctx: Ctx,
  claimed: readonly Claimed[],
  answers: readonly OrderResult[],
): Promise<never> {
  const answered = (...states: OrderResult['state'][]) =>
    claimed.filter((_, i) => states.some((state) => state === answers[i]?.state));
  await returnOrders(ctx, answered('ordered', 'unreachable'));
  await ctx.transaction((t) => deleteClaims(t.tx, t.companyId, claimed));
  const refused = answers.find((a) => a.state === 'refused');
  if (refused) fail('carrier.refused', { reason: refused.reason });
  const taken = answered('taken').map((c) => c.number);
  if (!taken.length) fail('carrier.unreachable');
  return fail('numbers.taken', {}, { taken, free: answered('ordered').map((c) => c.number) });
}
async function returnOrders(ctx: Ctx, numbers: readonly Claimed[]): Promise<void> {
  for (const { number, providerId } of numbers)
    await ctx.gateways.numbers.release(number, providerId).catch((error: unknown) => {
      ctx.log.error(
        { err: error, number },
        'a number from a failed purchase could not be released',
      );
    });
}

/**
 * Reverts a purchase whose process died between claiming and ordering. Does nothing if it
 * completed.
 */
export async function revertUnfinishedPurchase(ctx: Ctx, { key }: { key: string }): Promise<void> {
  const left = (await ctx.transaction((t) => purchaseRows(t.tx, t.companyId, key))).filter(
    (row) => row.status === 'pending',
  );
  for (const { number, provider_id } of left)
    await ctx.gateways.numbers.release(number, provider_id);
  if (left.length) await ctx.transaction((t) => deleteClaims(t.tx, t.companyId, left));
}

/** Starts the job that buys these numbers and returns its batch. Fails with `numbers.limit`. */
export async function beginBulkPurchase(t: TxCtx, purchase: BulkPurchase): Promise<string> {
  await requireWithinLimit(t, purchase.wishes.length);
  // New tags are created now, because the buyer may do that and the job may not.
  if (purchase.tags.length) await tagsByName(t, purchase.tags);
  const batchId = await createBatch(t, {
    kind: purchaseKind,
    input: purchase,
    total: purchase.wishes.length,
  });
  await t.enqueue(buyInBulkJob, { batchId });
  return batchId;
}
