import type { Fax } from '#contract/fax/schemas';
import type { TxCtx } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { numbersByIds } from '../conversations/index.ts';
import { stateOf } from './rules.ts';
import { faxById, type FaxRow, type PageImage } from './store.ts';

/** The fax, if the actor may see its number; a foreign id and a missing one give the same error. */
export const findFax = async (ctx: TxCtx, id: number, lock = false): Promise<FaxRow> =>
  (await faxById(ctx.tx, ctx.companyId, id, ctx.numbers, lock)) ?? notFound();

/** The fax as the API returns it, with signed file URLs. */
export async function presentFax(ctx: TxCtx, row: FaxRow): Promise<Fax> {
  const number = (await numbersByIds(ctx.tx, ctx.companyId, [row.number_id])).get(row.number_id);
  const urlOf = (fileId: number): string => ctx.files.signUrl(ctx.companyId, fileId, ctx.now);
  return {
    id: row.id,
    company_id: ctx.companyId,
    conversationId: row.conversation_id,
    itemId: row.item_id,
    isInbound: !row.outgoing,
    number: { id: row.number_id, number: number?.number ?? '', label: number?.label ?? '' },
    party: row.party,
    state: stateOf(row.state),
    name: row.name,
    pages: row.pages,
    images: (row.page_images as unknown as PageImage[]).map((p, i) => ({
      n: i + 1,
      url: urlOf(p.fileId),
      width: p.width,
      height: p.height,
    })),
    url: row.pdf_file_id === null ? null : urlOf(row.pdf_file_id),
    tiff: row.tiff_file_id === null ? null : urlOf(row.tiff_file_id),
    cover: row.cover as Fax['cover'],
    errorCode: row.error_code,
    errorText: row.error_text,
    attempts: row.attempts,
    mayRetry:
      row.outgoing &&
      row.state === 'failed' &&
      (row.pdf_file_id !== null || row.error_code === 'too_complex'),
    actor: row.actor_id ? { userId: row.actor_id, name: row.actor_name ?? '' } : null,
    createdAt: row.created_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
  };
}

/** What the fax's conversation item stores: enough for a card, with file ids. */
export const faxItemDetails = (row: FaxRow): Record<string, unknown> => ({
  faxId: row.id,
  pages: row.pages,
  state: row.state,
  name: row.name,
  fileId: row.pdf_file_id,
  previewFileId: (row.page_images as unknown as PageImage[])[0]?.fileId ?? null,
  errorCode: row.error_code,
  errorText: row.error_text,
});
