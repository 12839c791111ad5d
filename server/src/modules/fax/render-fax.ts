import type { Ctx, TxCtx } from '../../platform/context.ts';
import { mustBe } from '../../platform/must-be.ts';
import { faxReceived } from '#contract/fax/events';
import type { FaxErrorCode } from '#contract/fax/rules';
import { formatPhone } from '#contract/phone';
import { contactsByIds } from '../contacts/index.ts';
import { conversationById, numbersByIds } from '../conversations/index.ts';
import { renderPages, type RenderedFax } from './render-pages.ts';
import { stateOf } from './rules.ts';
import { updateFaxStatus, publishFax } from './update-fax-status.ts';
import { updateFax, faxById, storedFilesByIds, type FaxRow, type PageImage } from './store.ts';
import type { Cover } from './write-pdf.ts';
import { submitJob } from './job-kinds.ts';

/**
 * Renders the documents of an outgoing fax into pages (a job). A document that can't be rendered
 * fails the fax with the reason.
 */
export async function renderFax(ctx: Ctx, job: { faxId: number }): Promise<void> {
  const found = await ctx.transaction(async (t) => {
    const fax = await faxById(t.tx, t.companyId, job.faxId, null);
    if (!fax || fax.state !== 'queued' || fax.pdf_file_id !== null) return null;
    const number = (await numbersByIds(t.tx, t.companyId, [fax.number_id])).get(fax.number_id);
    return {
      fax,
      number: number?.number ?? '',
      files: await storedFilesByIds(t.tx, t.companyId, fax.source_file_ids),
    };
  });
  if (!found) return;
  const { fax } = found;
  const documents: Buffer[] = [];
  for (const file of found.files) documents.push(await ctx.files.blobs.get(file.key));
  const cover = fax.cover as { to: string; from: string; subject: string; note: string } | null;
  const rendered = await renderPages(documents, {
    title: fax.name,
    cover: cover && coverPageOf(cover, fax, found.number),
  });
  await ctx.transaction(async (t) => {
    if ('errorCode' in rendered)
      return updateFaxStatus(t, fax.id, { state: 'failed', code: rendered.errorCode });
    const row = await storePages(t, fax, rendered);
    if (!row || row.state !== 'queued') return;
    await publishFax(t, row);
    await t.enqueue(submitJob, { faxId: fax.id }, { key: `fax:${t.companyId}:${fax.id}` });
  });
}
const coverPageOf = (
  cover: Pick<Cover, 'to' | 'from' | 'subject' | 'note'>,
  fax: FaxRow,
  ourNumber: string,
): Omit<Cover, 'pages'> => ({
  ...cover,
  toNumber: formatPhone(fax.party),
  fromNumber: ourNumber ? formatPhone(ourNumber) : '',
  date: new Intl.DateTimeFormat('en-US', { dateStyle: 'long' }).format(fax.created_at),
});

/** Stores the rendered pages; null if they are stored already (a job may run twice). */
async function storePages(t: TxCtx, stale: FaxRow, rendered: RenderedFax): Promise<FaxRow | null> {
  const fax = await faxById(t.tx, t.companyId, stale.id, null, true);
  if (!fax || fax.pdf_file_id !== null) return null;
  const name = fax.name.replace(/\.\w{1,5}$/, '') || 'Fax';
  const storeFile = async (file: { name: string; contentType: string; bytes: Buffer }) =>
    (await t.files.save(t.tx, t.companyId, { ...file, purpose: 'fax' }, t.now)).id;
  const images: PageImage[] = [];
  for (const [i, page] of rendered.pages.entries())
    images.push({
      fileId: await storeFile({
        name: `${name}, page ${i + 1}.png`,
        contentType: 'image/png',
        bytes: page.png,
      }),
      width: page.width,
      height: page.height,
    });
  return updateFax(t.tx, t.companyId, fax.id, {
    pages: images.length,
    page_images: JSON.stringify(images),
    pdf_file_id: await storeFile({
      name: `${name}.pdf`,
      contentType: 'application/pdf',
      bytes: rendered.pdf,
    }),
    tiff_file_id: await storeFile({
      name: `${name}.tiff`,
      contentType: 'image/tiff',
      bytes: rendered.tiff,
    }),
  });
}

/**
 * Fetches and renders the pages of an incoming fax (a job). The carrier deletes them after a while,
 * so we store a copy. Throws while the carrier is unavailable, to be retried; after the last
 * attempt the fax fails.
 */
export async function fetchFax(
  ctx: Ctx,
  job: { faxId: number },
  attempt: { last: boolean },
): Promise<void> {
  const fax = await ctx.transaction((t) => faxById(t.tx, t.companyId, job.faxId, null));
  if (!fax || fax.state !== 'receiving') return;
  let bytes: Buffer | null;
  try {
    bytes = await ctx.gateways.fax.fetchDocument(
      mustBe(fax.source_url, 'address of a received fax'),
    );
  } catch (error) {
    if (!attempt.last) throw error; // carrier unavailable: the queue retries for hours
    bytes = null;
  }
  const rendered: RenderedFax | { errorCode: FaxErrorCode } = bytes
    ? await renderPages([bytes], { title: fax.name })
    : { errorCode: 'not_fetched' };
  await ctx.transaction(async (t) => {
    if ('errorCode' in rendered)
      return updateFaxStatus(t, fax.id, { state: 'failed', code: rendered.errorCode });
    const row = await storePages(t, fax, rendered);
    if (!row || stateOf(row.state) !== 'receiving') return;
    await updateFaxStatus(t, row.id, { state: 'received', code: null });
    const conversation = row.conversation_id
      ? await conversationById(t.tx, t.companyId, row.conversation_id, null)
      : undefined;
    const [contact] = conversation?.contact_id
      ? await contactsByIds(t.tx, t.companyId, [conversation.contact_id])
      : [];
    await t.publish(
      faxReceived,
      {
        faxId: row.id,
        numberId: row.number_id,
        party: row.party,
        conversationId: row.conversation_id,
        pages: row.pages,
        fileId: mustBe(row.pdf_file_id, 'PDF of a rendered fax'),
        contactName: contact?.name || null,
        quiet: conversation?.archived_at !== null,
      },
      { numberId: row.number_id },
    );
  });
}
