import { numbers as contract, apiErrorText, type Answer } from '#contract';
import {
  advanceBatch,
  presentBatch,
  readBatch,
  readProgress,
  type Batch,
} from '../../platform/batches.ts';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { tagsByName } from '../fields/index.ts';
import { purchaseKind, releaseKind, updateKind, type BulkPurchase } from './batch-kinds.ts';
import { recordPurchase } from './record-purchase.ts';
import { newNumbers, orderNumber, type OrderResult, type NumberRequest } from './order-numbers.ts';
import { defaultLimit } from './rules.ts';
import { activateNumber, claimNumber, deleteClaims, purchaseRows } from './store-purchases.ts';
import { numberRoomProblem } from './plan/number-room.ts';
import { lockLimit, usedNumbers } from './store-limit.ts';
import { replaceTags } from './store.ts';

/** One endpoint serves the progress of every bulk job over numbers. */
const kinds = [purchaseKind, updateKind, releaseKind];
const batchSize = 10;
interface PurchasedNumber {
  id: number;
  number: string;
}
interface FailedNumber {
  number: string;
  reason: string;
}
type PurchaseStep = { number: string; id: number; providerId: number } | FailedNumber;

/**
 * Buys a batch ten numbers at a time and keeps what the carriers deliver. Each ten end in one
 * transaction that also advances the batch, so a retried job continues where it stopped: it finds
 * claims by the batch's id, and orders are idempotent by key.
 */
export async function buyInBulk(ctx: Ctx, { batchId }: { batchId: string }): Promise<void> {
  for (;;) {
    const batch = await ctx.transaction((t) => readBatch(t.tx, t.companyId, batchId, purchaseKind));
    if (!batch || batch.finishedAt) return;
    const { input } = batch;
    const wishes = input.wishes.slice(batch.processed, batch.processed + batchSize);
    const steps = await ctx.transaction((t) => claimAvailable(t, batchId, wishes, input));
    const claimed = steps.filter((s) => 'id' in s);
    const answers = new Map<string, OrderResult>(
      await Promise.all(
        claimed.map(
          async ({ number, providerId }) =>
            [number, await orderNumber(ctx, number, batchId, providerId)] as const,
        ),
      ),
    );
    // A carrier may have accepted an order without responding, so ask it to release the number.
    for (const { number, providerId } of claimed)
      if (answers.get(number)?.state === 'unreachable')
        await ctx.gateways.numbers.release(number, providerId).catch(() => {});
    await ctx.transaction((t) => recordResults(t, batch, input, steps, answers));
  }
}

async function claimAvailable(
  t: TxCtx,
  batchId: string,
  wishes: readonly NumberRequest[],
  input: BulkPurchase,
): Promise<PurchaseStep[]> {
  let left =
    (await lockLimit(t.tx, t.companyId, defaultLimit)) - (await usedNumbers(t.tx, t.companyId));
  const before = new Map(
    (await purchaseRows(t.tx, t.companyId, batchId)).map((row) => [row.number, row]),
  );
  const tags = input.tags.length
    ? (await tagsByName(t, input.tags, 'ignore')).map((tag) => tag.id)
    : [];
  const steps: PurchaseStep[] = [];
  for (const row of (
    await newNumbers(t, wishes, {
      key: batchId,
      label: input.label,
      buyer: input.buyer || null,
      status: 'pending',
    })
  ).sort((a, b) => (a.number < b.number ? -1 : 1))) {
    const known = before.get(row.number);
    if (known !== undefined)
      steps.push({ number: row.number, id: known.id, providerId: known.provider_id });
    else if (left <= 0) steps.push({ number: row.number, reason: apiErrorText('numbers.limit') });
    else {
      const problem = await numberRoomProblem(t, [row.category]);
      if (problem) {
        steps.push({ number: row.number, reason: apiErrorText(problem.code, problem.facts) });
        continue;
      }
      const id = await claimNumber(t.tx, t.companyId, row, input.buyer);
      if (id === null) steps.push({ number: row.number, reason: apiErrorText('numbers.taken') });
      else {
        left--;
        await replaceTags(t.tx, t.companyId, id, tags);
        steps.push({ number: row.number, id, providerId: row.found.providerId });
      }
    }
  }
  return steps;
}

/** Activates the delivered numbers and deletes the claims of the others. */
async function settleClaims(
  t: TxCtx,
  input: BulkPurchase,
  steps: readonly PurchaseStep[],
  answers: ReadonlyMap<string, OrderResult>,
): Promise<{ purchased: PurchasedNumber[]; failed: FailedNumber[] }> {
  const purchased: PurchasedNumber[] = [];
  const failed: FailedNumber[] = [];
  for (const step of steps) {
    const answer = answers.get(step.number);
    if ('reason' in step) failed.push(step);
    else if (answer?.state === 'ordered') {
      if (await activateNumber(t.tx, t.companyId, step.id, answer.providerRef, answer.found, t.now))
        await recordPurchase(t, {
          ...step,
          label: input.label,
          buyer: input.buyer,
          templateId: input.templateId ?? null,
          poolId: input.poolId ?? null,
        });
      purchased.push({ number: step.number, id: step.id });
    } else {
      await deleteClaims(t.tx, t.companyId, [step]);
      failed.push({
        number: step.number,
        reason:
          answer?.state === 'refused'
            ? answer.reason
            : answer?.state === 'taken'
              ? apiErrorText('numbers.taken')
              : apiErrorText('carrier.unreachable'),
      });
    }
  }
  return { purchased, failed };
}

/** Stores the results of ten numbers, advances the batch and publishes its progress. */
async function recordResults(
  t: TxCtx,
  batch: Batch,
  input: BulkPurchase,
  steps: readonly PurchaseStep[],
  answers: ReadonlyMap<string, OrderResult>,
): Promise<void> {
  const { purchased, failed } = await settleClaims(t, input, steps, answers);
  const rowOf = (number: string) => input.wishes.findIndex((w) => w.number === number) + 1;
  const advanced = await advanceBatch(
    t.tx,
    t.companyId,
    batch.id,
    {
      from: batch.processed,
      processed: steps.length,
      errors: failed.map((f) => ({ row: rowOf(f.number), field: 'number', message: f.reason })),
      result: purchased,
    },
    t.now,
  );
  if (!advanced) throw new Error(`bulk purchase ${batch.id} was advanced by another process`);
  const progress = {
    batchId: batch.id,
    progress: presentBatch(advanced).progress,
    total: advanced.total,
    processed: advanced.processed,
  };
  if (!advanced.finishedAt)
    await t.publish(contract.bulkPurchaseProgressed, { ...progress, purchased, failed });
  else
    await t.publish(contract.bulkPurchaseFinished, {
      ...progress,
      purchased: advanced.result as PurchasedNumber[],
      failed: advanced.errors.map((e) => ({
        number: input.wishes[e.row - 1]?.number ?? '',
        reason: e.message,
      })),
    });
}

/**
 * GET /numbers/progress/{batchId}: progress of a bulk purchase, update or release. Fails with 404.
 */
export async function bulkPurchaseProgress(
  t: TxCtx,
  batchId: string,
): Promise<Answer<typeof contract.bulkPurchaseProgress>> {
  for (const { name } of kinds) {
    const batch = await readProgress(t.tx, t.companyId, batchId, name);
    if (batch)
      return {
        data: {
          ...presentBatch(batch),
          purchased: name === purchaseKind.name ? (batch.result as PurchasedNumber[]) : [],
        },
      };
  }
  return notFound();
}
