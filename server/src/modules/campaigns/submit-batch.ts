import {
  systemCtx,
  type Ctx,
  type Services,
  type OutboxNotifier,
  type TxCtx,
} from '../../platform/context.ts';
import { optedOutNumbers, undecidedNumbers } from '../compliance/index.ts';
import { submitText, type RequestSlots } from '../messaging/index.ts';
import type { ClaimedBatch } from './claim-recipients.ts';
import type { RecipientClaim } from './claim-texts.ts';
import { recheckClaims } from './store-batches.ts';
import { skipRecipients } from './store-recipients.ts';
import { requeueClaimed } from './store-requeue.ts';
import { finishClaims, type ResultWriter } from './result-writer.ts';

// The system role: one statement per batch without a transaction’s round trips; the batch names
// its company.

export { createRequestSlots } from '../messaging/index.ts';

/** How many claims are checked together right before they are submitted. */
const recheckSize = 100;

interface SubmitDeps {
  settler: ResultWriter;
  slots: RequestSlots;
  /** False: this worker lost its heartbeat, and others may be checking its claims. */
  mayGo: () => boolean;
}

/**
 * Submits claimed recipients to the carrier, each once. Right before some of them are submitted,
 * checks again who opted out, whether the campaign is still sending and which claims are still this
 * worker's; the others are requeued or skipped. A worker without a heartbeat submits nothing.
 * Resolves when all are submitted; `answered` when the carrier responded to all, or took too long.
 */
export async function submitBatch(
  services: Services,
  notifier: OutboxNotifier,
  batch: ClaimedBatch,
  deps: SubmitDeps,
): Promise<{ answered: Promise<unknown> }> {
  const ctx = systemCtx(services, batch.companyId, notifier, 'campaign');
  const submissions: Promise<void>[] = [];
  for (let i = 0; i < batch.claims.length; i += recheckSize) {
    if (!deps.mayGo()) break; // others find these claims and look them up
    const sendable = await recheck(ctx, batch, batch.claims.slice(i, i + recheckSize));
    if (!sendable) {
      await requeueClaims(ctx, batch, batch.claims.slice(i));
      break;
    }
    for (const claim of sendable) {
      await deps.slots.acquire();
      submissions.push(submitClaim(ctx, batch, claim, deps));
    }
  }
  return { answered: Promise.all(submissions) };
}

/**
 * Those that may be submitted now; who opted out meanwhile, or may have, is skipped. Null: the
 * campaign isn't sending.
 */
async function recheck(
  ctx: Ctx,
  batch: ClaimedBatch,
  claims: readonly RecipientClaim[],
): Promise<RecipientClaim[] | null> {
  const { companyId, campaignId } = batch;
  const ids = claims.map((claim) => claim.id);
  const phones = claims.map((claim) => claim.text.to);
  const [{ going, mine }, optedOut, undecided] = await Promise.all([
    recheckClaims(ctx.db.unscoped, companyId, campaignId, batch.id, ids),
    optedOutNumbers(ctx.db.unscoped, companyId, phones),
    undecidedNumbers(ctx.db.unscoped, companyId, phones),
  ]);
  if (!going) return null;
  const own = claims.filter((claim) => mine.has(claim.id));
  const reasonOf = ({ text: { to } }: RecipientClaim) =>
    optedOut.has(to) ? 'unsubscribed' : undecided.has(to) ? 'possible_opt_out' : null;
  const skipped = own.filter(reasonOf);
  if (skipped.length) await skipClaims(ctx, batch, skipped, reasonOf);
  return own.filter((claim) => !reasonOf(claim));
}

async function submitClaim(
  ctx: Ctx,
  batch: ClaimedBatch,
  claim: RecipientClaim,
  { slots, settler }: SubmitDeps,
): Promise<void> {
  const submission = { carrier: batch.carrier, text: claim.text };
  const result = await submitText(ctx.gateways, submission, (late) =>
    settler.write(batch, claim, late),
  );
  slots.release();
  settler.write(batch, claim, result);
}

const skipClaims = (
  ctx: Ctx,
  batch: ClaimedBatch,
  claims: readonly RecipientClaim[],
  reasonOf: (claim: RecipientClaim) => string | null,
) => {
  const skips = claims.map((claim) => ({ id: claim.id, reason: reasonOf(claim) ?? '' }));
  return endWithoutSubmitting(ctx, batch, claims, (t) => skipRecipients(t.tx, t.companyId, skips));
};
const requeueClaims = (ctx: Ctx, batch: ClaimedBatch, claims: readonly RecipientClaim[]) => {
  const ids = claims.map((claim) => claim.id);
  return endWithoutSubmitting(ctx, batch, claims, (t) =>
    requeueClaimed(t.tx, t.companyId, batch.campaignId, batch.id, ids),
  );
};
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
