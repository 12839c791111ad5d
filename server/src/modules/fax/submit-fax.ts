import type { FaxErrorCode } from '#contract/fax/rules';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import type { FaxResult, OutgoingFax } from '../../gateways/fax.ts';
import { numbersByIds } from '../conversations/index.ts';
import {
  giveUpAfterMs,
  idempotencyKeyOf,
  maxStatusChecks,
  waitSeconds,
  type faxBlockReason,
} from './rules.ts';
import { faxBlockReasonFor } from './send-fax.ts';
import { updateFaxStatus } from './update-fax-status.ts';
import { updateFax, faxById, storedFilesByIds, itemExists, type FaxRow } from './store.ts';
import { submitJob, pollJob } from './job-kinds.ts';

/** The document URL stays valid for a week, for the carrier to fetch. */
const documentLinkSeconds = 7 * 86_400;
/** `lookUp`: an earlier attempt was interrupted, so the carrier is queried first. */
type FaxClaim = { do: 'send' | 'lookUp'; fax: FaxRow; out: OutgoingFax };

/**
 * Submits a rendered fax to the carrier (a job): claimed in one transaction, the response stored in
 * another. If the worker dies in between, the row is `sending` without a carrier id, and the
 * carrier is queried before anything is sent again.
 */
export async function submitFax(ctx: Ctx, job: { faxId: number }): Promise<void> {
  const claim = await ctx.transaction((t) => claimFax(t, job.faxId, ctx));
  if (!claim) return;
  const carrier = ctx.gateways.fax;
  if (claim.do === 'lookUp') {
    const found = await carrier
      .findFax({ key: claim.out.key, providerId: null })
      .catch(() => 'away' as const);
    if (found === 'away') return retryLater(ctx, claim.fax, 'sending');
    if (found)
      return writeResult(ctx, claim.fax, { state: 'accepted', providerId: found.providerId });
    if (!carrier.isIdempotent) return writeResult(ctx, claim.fax, { state: 'unknown' });
  }
  const result = await carrier.send(claim.out).catch((): FaxResult => ({ state: 'unknown' }));
  if (result.state === 'refused' && !result.permanent) return retryLater(ctx, claim.fax, 'queued');
  await writeResult(ctx, claim.fax, result);
}

async function claimFax(t: TxCtx, faxId: number, ctx: Ctx): Promise<FaxClaim | null> {
  const fax = await faxById(t.tx, t.companyId, faxId, null, true);
  if (
    !fax ||
    !['queued', 'sending'].includes(fax.state) ||
    fax.pdf_file_id === null ||
    (fax.state === 'sending' && fax.provider_id !== null)
  )
    return null;
  const number = (await numbersByIds(t.tx, t.companyId, [fax.number_id])).get(fax.number_id);
  const [file] = await storedFilesByIds(t.tx, t.companyId, [fax.pdf_file_id]);
  if (!file || !number || !(await itemExists(t.tx, t.companyId, fax.item_id))) {
    await updateFaxStatus(t, fax.id, {
      state: 'failed',
      code: number ? 'canceled' : 'number_gone',
    });
    return null;
  }
  const out: OutgoingFax = {
    from: number.number,
    to: fax.party,
    key: idempotencyKeyOf(fax),
    document: {
      url: t.settings.publicUrl + t.files.signUrl(t.companyId, file.id, t.now, documentLinkSeconds),
      contentType: 'application/pdf',
      pages: fax.pages,
      bytes: () => ctx.files.blobs.get(file.key),
    },
  };
  if (fax.state === 'sending') return { do: 'lookUp', fax, out };
  const reason = await faxBlockReasonFor(t, fax.number_id, fax.party);
  if (reason) {
    await updateFaxStatus(t, fax.id, {
      state: 'failed',
      code: failureCodeOf(reason),
    });
    return null;
  }
  await updateFaxStatus(t, fax.id, { state: 'sending', code: null }, { tries: fax.tries + 1 });
  return { do: 'send', fax: { ...fax, tries: fax.tries + 1 }, out };
}

function failureCodeOf(reason: NonNullable<ReturnType<typeof faxBlockReason>>): FaxErrorCode {
  if (reason === 'contact.blocked') return 'blocked';
  if (reason === 'fax.not_set_up') return 'not_set_up';
  return reason === 'number.gone' || reason === 'fax.number' ? 'number_gone' : 'rejected';
}

async function writeResult(ctx: Ctx, fax: FaxRow, result: FaxResult): Promise<void> {
  await ctx.transaction(async (t) => {
    if (result.state === 'accepted') {
      await updateFaxStatus(t, fax.id, {
        state: 'sending',
        code: null,
        providerId: result.providerId,
        attempt: fax.attempts,
      });
      // Reports may be lost, so the status is polled too.
      await enqueueStatusCheck(t, fax, 1, 120);
    } else if (result.state === 'refused')
      await updateFaxStatus(t, fax.id, {
        state: 'failed',
        code: result.code,
        attempt: fax.attempts,
      });
    else {
      await updateFaxStatus(t, fax.id, {
        state: 'unknown',
        code: 'unconfirmed',
        attempt: fax.attempts,
      });
      await enqueueStatusCheck(t, fax, 1, 2);
    }
  });
}

/** The carrier is unavailable or busy: retries later, or fails the fax after an hour. */
async function retryLater(ctx: Ctx, fax: FaxRow, state: 'queued' | 'sending'): Promise<void> {
  await ctx.transaction(async (t) => {
    const row = await faxById(t.tx, t.companyId, fax.id, null, true);
    if (row?.state !== 'sending' || row.provider_id !== null) return; // a report arrived meanwhile
    if (t.now.getTime() - row.queued_at.getTime() > giveUpAfterMs)
      return updateFaxStatus(t, fax.id, {
        state: state === 'queued' ? 'failed' : 'unknown',
        code: state === 'queued' ? 'carrier_away' : 'unconfirmed',
      });
    if (state === 'queued') await updateFax(t.tx, t.companyId, fax.id, { state: 'queued' });
    await t.enqueue(
      submitJob,
      { faxId: fax.id },
      {
        key: `fax:${t.companyId}:${fax.id}`,
        runAt: new Date(t.now.getTime() + waitSeconds(fax.tries) * 1000),
      },
    );
  });
}

const enqueueStatusCheck = (t: TxCtx, fax: FaxRow, times: number, seconds: number) =>
  t.enqueue(
    pollJob,
    { faxId: fax.id, attempt: fax.attempts, times },
    { key: `ask-fax:${t.companyId}:${fax.id}`, runAt: new Date(t.now.getTime() + seconds * 1000) },
  );

/** Polls the carrier for a fax's status (a job). Never sends the fax again. */
export async function checkFaxStatus(
  ctx: Ctx,
  job: { faxId: number; attempt: number; times: number },
): Promise<void> {
  const fax = await ctx.transaction((t) => faxById(t.tx, t.companyId, job.faxId, null));
  if (!fax || fax.attempts !== job.attempt || !['sending', 'sent', 'unknown'].includes(fax.state))
    return;
  const found = await ctx.gateways.fax
    .findFax({ key: idempotencyKeyOf(fax), providerId: fax.provider_id })
    .catch(() => null);
  await ctx.transaction(async (t) => {
    if (found)
      await updateFaxStatus(t, fax.id, {
        state: found.state,
        code: found.code,
        providerId: found.providerId,
        attempt: fax.attempts,
      });
    const isFinal = found && (found.state === 'delivered' || found.state === 'failed');
    if (!isFinal && job.times < maxStatusChecks)
      await enqueueStatusCheck(t, fax, job.times + 1, Math.max(30, waitSeconds(job.times + 2)));
    else if (!isFinal && fax.state === 'sending')
      await updateFaxStatus(t, fax.id, {
        state: 'unknown',
        code: 'unconfirmed',
        attempt: fax.attempts,
      });
  });
}
