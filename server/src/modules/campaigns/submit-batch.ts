import {
  systemCtx,
  type Ctx,
  type Services,
  type OutboxNotifier,
  type TxCtx,
} from '../../platform/context.ts';
import { CarrierNotConnectedError } from '../../gateways/carrier.ts';
import type { OutgoingText, SendResult } from '../../gateways/messaging.ts';
import { optedOutNumbers } from '../compliance/index.ts';
import type { ClaimedBatch, RecipientClaim } from './claim-recipients.ts';
import { recheckClaims } from './store-batches.ts';
import { skipRecipients } from './store-recipients.ts';
import { requeueClaimed } from './store-requeue.ts';
import { finishClaims, type ResultWriter } from './result-writer.ts';

/** An answer that takes longer is a lost one. */
const answerTimeoutSeconds = 10;
/** Looked at together right before they leave. */
const recheckSize = 100;

export interface RequestSlots {
  acquire(): Promise<void>;
  release(): void;
}
/** So many requests to carriers at once in this process; the others wait for one to end. */
export function createRequestSlots(size: number): RequestSlots {
  let free = size;
  const waiting: (() => void)[] = [];
  return {
    acquire: () =>
      free > 0 ? (free--, Promise.resolve()) : new Promise<void>((go) => waiting.push(go)),
    release: () => {
      const next = waiting.shift();
      if (next) next();
      else free++;
    },
  };
}

/**
 * Hand claimed lines to the carrier, each once. Right before a few of them leave it is asked again who opted out and whether the
 * campaign still goes, and whether the lines are still ours; what must not leave goes back or is skipped. `mayGo`: this worker still has its pulse; one that lost it
 * hands nothing over, because others look into its claims by then. Resolves when all have left; `answered` when the carrier
 * answered all of them, or took too long.
 */
export async function submitBatch(
  services: Services,
  notifier: OutboxNotifier,
  batch: ClaimedBatch,
  deps: { settler: ResultWriter; slots: RequestSlots; mayGo: () => boolean },
): Promise<{ answered: Promise<unknown> }> {
  const submissions: Promise<void>[] = [];
  const finished = () => ({ answered: Promise.all(submissions) });
  const ctx = systemCtx(services, batch.companyId, notifier, 'campaign');
  for (let i = 0; i < batch.claims.length; i += recheckSize) {
    const chunkClaims = batch.claims.slice(i, i + recheckSize);
    if (!deps.mayGo()) return finished(); // their claims are found and looked into
    const [{ going: goes, mine }, optedOut] = await Promise.all([
      recheckClaims(
        services.db.unscoped,
        batch.companyId,
        batch.campaignId,
        batch.id,
        chunkClaims.map((c) => c.id),
      ),
      optedOutNumbers(
        services.db.unscoped,
        batch.companyId,
        chunkClaims.map((c) => c.text.to),
      ),
    ]);
    if (!goes) {
      await requeueClaims(ctx, batch, batch.claims.slice(i));
      return finished();
    }
    const out = chunkClaims.filter((c) => mine.has(c.id) && optedOut.has(c.text.to));
    if (out.length)
      await endWithoutSubmitting(ctx, batch, out, (t) =>
        skipRecipients(
          t.tx,
          t.companyId,
          out.map((c) => ({ id: c.id, reason: 'unsubscribed' })),
        ),
      );
    const going = chunkClaims.filter((c) => mine.has(c.id) && !optedOut.has(c.text.to));
    for (const claim of going) {
      await deps.slots.acquire();
      submissions.push(
        submitToCarrier(ctx, batch.carrier, claim.text, (late) =>
          deps.settler.write(batch, claim, late),
        ).then((result) => {
          deps.slots.release();
          deps.settler.write(batch, claim, result);
        }),
      );
    }
  }
  return finished();
}

const requeueClaims = (ctx: Ctx, batch: ClaimedBatch, claims: readonly RecipientClaim[]) =>
  endWithoutSubmitting(ctx, batch, claims, (t) =>
    requeueClaimed(
      t.tx,
      t.companyId,
      batch.campaignId,
      batch.id,
      claims.map((c) => c.id),
    ),
  );

/** Some of a batch end without an answer. */
async function endWithoutSubmitting(
  ctx: Ctx,
  batch: ClaimedBatch,
  claims: readonly RecipientClaim[],
  write: (t: TxCtx) => Promise<unknown>,
): Promise<void> {
  await ctx.transaction(write);
  await finishClaims(
    ctx,
    claims.map((claim) => ({ batch, claim })),
  );
}

/**
 * Never rejects: whatever goes wrong after asking is a lost answer, because the carrier may have taken the text. `late`: an
 * acceptance that came after the answer was given up.
 */
function submitToCarrier(
  ctx: Ctx,
  carrier: string,
  text: OutgoingText,
  onLateAcceptance: (result: SendResult) => void,
): Promise<SendResult> {
  return new Promise((resolve) => {
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      resolve({ state: 'unknown', reason: `No response for ${answerTimeoutSeconds} seconds.` });
    }, answerTimeoutSeconds * 1000);
    const answered = (result: SendResult): void => {
      clearTimeout(timer);
      if (!timedOut) resolve(result);
      else if (result.state === 'accepted') onLateAcceptance(result);
    };
    const failed = (error: unknown): void =>
      answered(
        error instanceof CarrierNotConnectedError
          ? { state: 'refused', code: 'carrier_away', reason: error.message, permanent: false }
          : { state: 'unknown', reason: String(error) },
      );
    try {
      ctx.gateways.carriers.messaging(carrier).send(text).then(answered, failed);
    } catch (error) {
      failed(error);
    }
  });
}
