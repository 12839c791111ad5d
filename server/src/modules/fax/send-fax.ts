import type { Body } from '#contract';
import { faxLimits } from '#contract/fax/rules';
import type { Fax } from '#contract/fax/schemas';
import type { retryFax as retryEndpoint, sendFax as endpoint } from '#contract/fax/endpoints';
import { normalizePhone } from '#contract/phone';
import { partyName } from '#contract/party';
import { firstOf, mustBe } from '../../platform/must-be.ts';
import type { Upload } from '../../platform/routes.ts';
import type { TxCtx } from '../../platform/context.ts';
import { invalid, notFound, fail } from '../../platform/errors.ts';
import { noFaxCarrier } from '../../gateways/fax.ts';
import { requireRoom } from '../billing/index.ts';
import { isBlocked } from '../compliance/index.ts';
import { appendItem } from '../conversations/index.ts';
import { conversationById, numbersByIds } from '../conversations/index.ts';
import { detectDocumentKind } from './detect-document-kind.ts';
import { faxItemDetails, presentFax, findFax } from './present.ts';
import { faxBlockReason } from './rules.ts';
import { publishFax } from './update-fax-status.ts';
import { updateFax, insertFax, type FaxRow } from './store.ts';
import { renderJob, submitJob } from './job-kinds.ts';

/**
 * Stores the documents as a queued fax: one job renders the pages, another submits them to the
 * carrier. Fails with `fax.document…` for none, too many, too large or unreadable ones.
 */
export async function sendFax(
  ctx: TxCtx,
  body: Body<typeof endpoint>,
  files: readonly Upload[],
): Promise<{ data: Fax }> {
  const to = await findFaxRecipient(ctx, body);
  if (!files.length) fail('fax.no_document');
  if (files.length > faxLimits.files) fail('fax.documents_many', { limit: faxLimits.files });
  if (files.reduce((sum, f) => sum + f.size, 0) > faxLimits.bytes) fail('fax.document_size');
  const documents = await Promise.all(
    files.map(async (f) => ({ name: f.name, bytes: await f.bytes() })),
  );
  for (const f of documents)
    if (!detectDocumentKind(f.bytes)) fail('fax.document_kind', { name: f.name.slice(0, 80) });
  await requireFaxable(ctx, to.numberId, to.party);
  const sources: number[] = [];
  for (const f of documents)
    sources.push(
      (
        await ctx.files.save(
          ctx.tx,
          ctx.companyId,
          { name: f.name, contentType: 'application/octet-stream', bytes: f.bytes, purpose: 'fax' },
          ctx.now,
        )
      ).id,
    );
  const inserted = await insertFax(ctx.tx, {
    company_id: ctx.companyId,
    number_id: to.numberId,
    outgoing: true,
    party: to.party,
    state: 'queued',
    name: firstOf(files).name.slice(0, 120),
    cover: body.cover ? JSON.stringify(body.cover) : null,
    source_file_ids: sources,
    source_url: null,
    pages: 0,
    carrier: ctx.gateways.fax.name,
    provider_id: null,
    actor_id: ctx.actor.userId || null,
    actor_name: ctx.actor.userId ? ctx.actor.name : null,
    queued_at: ctx.now,
    created_at: ctx.now,
  });
  const fax = mustBe(inserted, 'the fax, which has no carrier reference to collide');
  const placed = await appendFaxItem(ctx, fax, {});
  await ctx.enqueue(renderJob, { faxId: fax.id }, { key: `fax:${ctx.companyId}:${fax.id}` });
  return { data: await presentFax(ctx, placed) };
}

/** Adds the fax to its conversation as soon as it is created. */
export async function appendFaxItem(
  t: TxCtx,
  fax: FaxRow,
  flags: { unread?: boolean; quiet?: boolean },
): Promise<FaxRow> {
  const added = await appendItem(t, {
    numberId: fax.number_id,
    party: fax.party,
    kind: 'fax',
    isInbound: !fax.outgoing,
    at: t.now,
    details: faxItemDetails(fax),
    source: `fax:${fax.id}`,
    ...flags,
  });
  return added
    ? updateFax(t.tx, t.companyId, fax.id, {
        conversation_id: added.conversation.id,
        item_id: added.item.id,
      })
    : fax;
}

async function findFaxRecipient(
  ctx: TxCtx,
  body: {
    conversationId?: number | undefined;
    numberId?: number | undefined;
    to?: string | undefined;
  },
): Promise<{ numberId: number; party: string }> {
  if (body.conversationId) {
    const conversation =
      (await conversationById(ctx.tx, ctx.companyId, body.conversationId, ctx.numbers)) ??
      notFound();
    // A different number of the company may send the fax: not every number that texts can fax.
    if (!body.numberId || body.numberId === conversation.number_id)
      return { numberId: conversation.number_id, party: conversation.party };
    body = { numberId: body.numberId, to: conversation.party };
  }
  if (!body.numberId || !body.to) fail('fax.no_recipient');
  if (ctx.numbers && !ctx.numbers.includes(body.numberId)) notFound();
  const number =
    (await numbersByIds(ctx.tx, ctx.companyId, [body.numberId])).get(body.numberId) ?? notFound();
  const party =
    normalizePhone(await ctx.contactDetails.numberOf(ctx, body.to)) ??
    invalid({ to: 'Enter a phone number.' });
  if (party === number.number) invalid({ to: 'A number can’t fax itself.' });
  return { numberId: number.id, party };
}

/** Fails with the reason if a fax can't be sent from this number to this party. */
async function requireFaxable(ctx: TxCtx, numberId: number, party: string): Promise<void> {
  const reason = await faxBlockReasonFor(ctx, numberId, party);
  if (reason) fail(reason, { number: partyName(party) });
  await requireRoom(ctx, 'fax_pages', 1);
}
/** The error code why this number can't fax this party now; null if it can. */
export async function faxBlockReasonFor(ctx: TxCtx, numberId: number, party: string) {
  const number = (await numbersByIds(ctx.tx, ctx.companyId, [numberId])).get(numberId);
  return faxBlockReason({
    carrier: ctx.gateways.fax !== noFaxCarrier,
    live: number?.live ?? false,
    companyActive: number?.companyActive ?? true,
    companySuspended: number?.companySuspended ?? false,
    fax: number?.faxEnabled ?? false,
    party,
    blocked: await isBlocked(ctx.tx, ctx.companyId, numberId, party),
  });
}

/** Sends a failed fax again: same pages, next attempt. `fax.not_failed` for any other. */
export async function retryFax(
  ctx: TxCtx,
  id: number,
  _: Body<typeof retryEndpoint>,
): Promise<{ data: Fax }> {
  const fax = await findFax(ctx, id, true);
  if (!(await presentFax(ctx, fax)).mayRetry) fail('fax.not_failed');
  await requireFaxable(ctx, fax.number_id, fax.party);
  const next = await updateFax(ctx.tx, ctx.companyId, fax.id, {
    state: 'queued',
    attempts: fax.attempts + 1,
    tries: 0,
    error_code: null,
    error_text: null,
    provider_id: null,
    carrier: ctx.gateways.fax.name,
    queued_at: ctx.now,
    ended_at: null,
  });
  await publishFax(ctx, next);
  await ctx.enqueue(
    next.pdf_file_id === null ? renderJob : submitJob,
    { faxId: fax.id },
    { key: `fax:${ctx.companyId}:${fax.id}` },
  );
  return { data: await presentFax(ctx, next) };
}
/** One fax; `not_found` when the user may not see its number. */
export const getFax = async (ctx: TxCtx, id: number): Promise<{ data: Fax }> => ({
  data: await presentFax(ctx, await findFax(ctx, id)),
});
