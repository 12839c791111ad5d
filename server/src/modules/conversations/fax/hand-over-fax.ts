import type { Ctx, TxCtx } from '../../../platform/context.ts';
import type { FaxResult, OutgoingFax } from '../../../ports/fax.ts';
import { numbersById } from '../store.ts';
import { givesUpAfterMs, keyOf, mostQuestions, waitSeconds } from './rules.ts';
import { whyNot } from './send-fax.ts';
import { settleFax } from './settle-fax.ts';
import { changeFax, faxById, filesByIds, itemStands, type FaxRow } from './store-fax.ts';

/** The carrier can fetch the document for a week. */
const documentSeconds = 7 * 86_400;
type Claim = { do: 'send' | 'ask'; fax: FaxRow; out: OutgoingFax };

/**
 * Hand a printed fax to the carrier: claimed in one transaction, its answer written in another. A worker may die in between;
 * the row then says `sending` without the carrier's id, and the carrier is asked before anything is sent again.
 */
export async function handOverFax(ctx: Ctx, job: { faxId: number }): Promise<void> {
  const claim = await ctx.transaction((t) => claimFax(t, job.faxId, ctx));
  if (!claim) return;
  const carrier = ctx.ports.fax;
  if (claim.do === 'ask') {
    const found = await carrier
      .ask({ key: claim.out.key, providerId: null })
      .catch(() => 'away' as const);
    if (found === 'away') return wait(ctx, claim.fax, 'sending');
    if (found) return write(ctx, claim.fax, { state: 'accepted', providerId: found.providerId });
    if (!carrier.guaranteesKey) return write(ctx, claim.fax, { state: 'unknown' });
  }
  const result = await carrier.send(claim.out).catch((): FaxResult => ({ state: 'unknown' }));
  if (result.state === 'refused' && !result.permanent) return wait(ctx, claim.fax, 'queued');
  await write(ctx, claim.fax, result);
}

async function claimFax(t: TxCtx, faxId: number, ctx: Ctx): Promise<Claim | null> {
  const fax = await faxById(t.tx, t.companyId, faxId, null, true);
  if (
    !fax ||
    !['queued', 'sending'].includes(fax.state) ||
    fax.pdf_file_id === null ||
    (fax.state === 'sending' && fax.provider_id !== null)
  )
    return null;
  const number = (await numbersById(t.tx, t.companyId, [fax.number_id])).get(fax.number_id);
  const [file] = await filesByIds(t.tx, t.companyId, [fax.pdf_file_id]);
  if (!file || !number || !(await itemStands(t.tx, t.companyId, fax.item_id))) {
    await settleFax(t, fax.id, { state: 'failed', code: number ? 'canceled' : 'number_gone' });
    return null;
  }
  const out: OutgoingFax = {
    from: number.number,
    to: fax.party,
    key: keyOf(fax),
    document: {
      url: t.settings.publicUrl + t.files.sign(t.companyId, file.id, t.now, documentSeconds),
      contentType: 'application/pdf',
      pages: fax.pages,
      bytes: () => ctx.files.bytes.get(file.key),
    },
  };
  if (fax.state === 'sending') return { do: 'ask', fax, out };
  const reason = await whyNot(t, fax.number_id, fax.party);
  if (reason) {
    await settleFax(t, fax.id, {
      state: 'failed',
      code:
        reason === 'contact.blocked'
          ? 'blocked'
          : reason === 'fax.not_set_up'
            ? 'not_set_up'
            : reason === 'number.gone' || reason === 'fax.number'
              ? 'number_gone'
              : 'rejected',
    });
    return null;
  }
  await settleFax(t, fax.id, { state: 'sending', code: null }, { tries: fax.tries + 1 });
  return { do: 'send', fax: { ...fax, tries: fax.tries + 1 }, out };
}

async function write(ctx: Ctx, fax: FaxRow, result: FaxResult): Promise<void> {
  await ctx.transaction(async (t) => {
    if (result.state === 'accepted') {
      await settleFax(t, fax.id, {
        state: 'sending',
        code: null,
        providerId: result.providerId,
        attempt: fax.attempts,
      });
      // Its report may be lost: asked after by ourselves, too.
      await enqueueAsking(t, fax, 1, 120);
    } else if (result.state === 'refused')
      await settleFax(t, fax.id, { state: 'failed', code: result.code, attempt: fax.attempts });
    else {
      await settleFax(t, fax.id, { state: 'unknown', code: 'unconfirmed', attempt: fax.attempts });
      await enqueueAsking(t, fax, 1, 2);
    }
  });
}

/** The carrier is away or busy. */
async function wait(ctx: Ctx, fax: FaxRow, state: 'queued' | 'sending'): Promise<void> {
  await ctx.transaction(async (t) => {
    const row = await faxById(t.tx, t.companyId, fax.id, null, true);
    if (row?.state !== 'sending' || row.provider_id !== null) return; // a report came meanwhile
    if (t.now.getTime() - row.queued_at.getTime() > givesUpAfterMs)
      return settleFax(t, fax.id, {
        state: state === 'queued' ? 'failed' : 'unknown',
        code: state === 'queued' ? 'carrier_away' : 'unconfirmed',
      });
    if (state === 'queued') await changeFax(t.tx, t.companyId, fax.id, { state: 'queued' });
    await t.enqueue(
      'conversations.handOverFax',
      { faxId: fax.id },
      {
        key: `fax:${t.companyId}:${fax.id}`,
        runAt: new Date(t.now.getTime() + waitSeconds(fax.tries) * 1000),
      },
    );
  });
}

const enqueueAsking = (t: TxCtx, fax: FaxRow, times: number, seconds: number) =>
  t.enqueue(
    'conversations.askFax',
    { faxId: fax.id, attempt: fax.attempts, times },
    { key: `ask-fax:${t.companyId}:${fax.id}`, runAt: new Date(t.now.getTime() + seconds * 1000) },
  );

/** Ask what became of a fax (a job). Only asks: it is never sent again by itself. */
export async function askFax(
  ctx: Ctx,
  job: { faxId: number; attempt: number; times: number },
): Promise<void> {
  const fax = await ctx.transaction((t) => faxById(t.tx, t.companyId, job.faxId, null));
  if (!fax || fax.attempts !== job.attempt || !['sending', 'sent', 'unknown'].includes(fax.state))
    return;
  const found = await ctx.ports.fax
    .ask({ key: keyOf(fax), providerId: fax.provider_id })
    .catch(() => null);
  await ctx.transaction(async (t) => {
    if (found)
      await settleFax(t, fax.id, {
        state: found.state,
        code: found.code,
        providerId: found.providerId,
        attempt: fax.attempts,
      });
    const over = found && (found.state === 'delivered' || found.state === 'failed');
    if (!over && job.times < mostQuestions)
      await enqueueAsking(t, fax, job.times + 1, Math.max(30, waitSeconds(job.times + 2)));
    else if (!over && fax.state === 'sending')
      await settleFax(t, fax.id, { state: 'unknown', code: 'unconfirmed', attempt: fax.attempts });
  });
}
