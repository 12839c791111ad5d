import { setTimeout as pause } from 'node:timers/promises';
import type { Ctx } from '../../../platform/context.ts';
import type { Sent, Taken } from './outcome.ts';
import { send } from './send.ts';
import { putOff, settle } from './settle.ts';
import { take, type Batch } from './take.ts';

/** Requests of a batch at the same time. */
const PARALLEL = 2;
const MOST = 64;
/** A receiver that takes a batch faster than this gets a larger one. Milliseconds. */
const FAST_MS = 500;
/** A pause after a batch that wasn't full. Milliseconds. */
const GATHER_MS = 40;
/** What couldn't be begun so soon goes back, so that a batch ends before its claims do. Milliseconds. */
const BEGIN_WITHIN_MS = 20_000;
/** How often an outcome is stored that the database didn't take; otherwise it would be sent again. */
const SETTLE_TRIES = 5;

/**
 * Sends what is due to a destination, batch after batch, until nothing is or `isOver` says so. Returns
 * whether there was anything to send. A worker that ends meanwhile is followed by another once its
 * claims are over: at least once, with the same keys.
 */
export async function deliverDue(
  ctx: Ctx,
  destinationId: number,
  isOver: () => boolean,
): Promise<boolean> {
  let beside: Promise<boolean> | undefined;
  // While one batch is claimed or stored, another one is sent.
  const helpOut = (): void => {
    beside ??= sendBatches(ctx, destinationId, isOver, () => {});
    beside.catch(() => {}); // Thrown where it is waited for.
  };
  return sendBatches(ctx, destinationId, isOver, helpOut).finally(() => beside);
}

async function sendBatches(
  ctx: Ctx,
  destinationId: number,
  isOver: () => boolean,
  onFull: () => void,
): Promise<boolean> {
  let size = PARALLEL;
  for (let found = false; ; found = true) {
    const began = performance.now();
    const { looked, taken } = await takeSome(ctx, destinationId, size);
    if (looked === 0) return found;
    if (looked === size) onFull();
    await settleSurely(ctx, await sendAll(ctx, taken));
    if (isOver()) return true;
    // What becomes due meanwhile is sent together.
    if (looked < size) await pause(GATHER_MS);
    const isFast = performance.now() - began < FAST_MS;
    size = isFast ? Math.min(size * 2, MOST) : PARALLEL;
  }
}

/** Claims a batch. One delivery that can't be prepared is put off, so that it keeps no other waiting. */
async function takeSome(ctx: Ctx, destinationId: number, size: number): Promise<Batch> {
  const takeBatch = (most: number) => ctx.transaction((t) => take(t, destinationId, most));
  try {
    return await takeBatch(size);
  } catch {
    return takeBatch(1).catch(async (error: unknown) => {
      ctx.log.warn({ err: error }, 'a delivery could not be prepared');
      await ctx.transaction((t) => putOff(t, destinationId));
      return { looked: 1, taken: [] };
    });
  }
}

/** Sends a batch, a few at a time. */
async function sendAll(ctx: Ctx, taken: readonly Taken[]): Promise<Sent[]> {
  const sent: Sent[] = [];
  const queue = [...taken];
  const batchBegan = performance.now();
  const lane = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const began = performance.now();
      if (began - batchBegan > BEGIN_WITHIN_MS) {
        sent.push({ taken: next, outcome: null });
        continue;
      }
      try {
        const outcome = await send(ctx, next);
        const durationMs = Math.round(performance.now() - began);
        sent.push({ taken: next, outcome: { ...outcome, durationMs } });
      } catch (error) {
        // Whether it was sent isn't known, so it is sent again, as such, when its claim is over.
        ctx.log.warn({ err: error, delivery: next.row.id }, 'a delivery broke off');
      }
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, lane));
  return sent;
}

/** Stores what became of a batch. Throws when the database doesn't take it for seconds. */
async function settleSurely(ctx: Ctx, sent: readonly Sent[]): Promise<void> {
  if (sent.length === 0) return;
  for (let tries = 1; ; tries++) {
    try {
      await ctx.transaction((t) => settle(t, sent));
      return;
    } catch (error) {
      if (tries === SETTLE_TRIES) throw error;
      await pause(500 * tries);
    }
  }
}
