import { porting as contract, type Answer, type Body } from '#contract';
import type { Upload } from '../../platform/routes.ts';
import { audit } from '../../platform/audit.ts';
import type { TxCtx } from '../../platform/context.ts';
import { invalid, notFound, fail } from '../../platform/errors.ts';
import { recordPortEvent } from './set-port-status.ts';
import { presentPort, todayOf } from './present.ts';
import { detectDocumentType, documentLabels } from './rules.ts';
import { statusLabels } from './save-port.ts';
import { readPort, updatePort, type PortRecord } from './store.ts';
import { deleteDocument, documentsOf, insertDocument } from './store-documents.ts';

const maxDocuments = 20;

/**
 * Adds a document: PDF, JPEG or PNG by its bytes, at most 3 MB. A signed copy of the letter counts
 * as its signature. `port.not_now` after submission; fails with a field error for other files or
 * too many.
 */
export async function addPortDocument(
  ctx: TxCtx,
  id: number,
  body: Body<typeof contract.addPortDocument>,
  files: readonly Upload[],
): Promise<Answer<typeof contract.addPortDocument>> {
  const row = (await readPort(ctx.tx, ctx.companyId, id, true)) ?? notFound();
  if (!contract.isPortEditable(row.status))
    fail('port.not_now', { status: statusLabels[row.status] });
  const file = files[0] ?? invalid({ file: 'Choose a file.' });
  if (file.size > contract.documentBytes) invalid({ file: 'A document can have up to 3 MB.' });
  const bytes = await file.bytes();
  const mime = detectDocumentType(bytes) ?? invalid({ file: 'Use a PDF, JPEG or PNG file.' });
  if (body.kind === 'bill') await requireRecentBill(ctx, body.bill_date);
  if ((await documentsOf(ctx.tx, ctx.companyId, id)).length >= maxDocuments)
    invalid({ file: `Add at most ${maxDocuments} documents.` });
  const stored = await ctx.files.save(
    ctx.tx,
    ctx.companyId,
    { name: file.name, contentType: mime, bytes, purpose: 'port-document' },
    ctx.now,
  );
  await insertDocument(ctx.tx, ctx.companyId, id, {
    kind: body.kind,
    file_id: stored.id,
    name: file.name.slice(0, 200),
    mime,
    size: file.size,
    bill_date: body.kind === 'bill' ? (body.bill_date ?? null) : null,
    uploaded_at: ctx.now,
    uploaded_by: ctx.actor.userId || null,
  });
  if (body.kind === 'loa') await markSignedOnPaper(ctx, row, stored.id);
  await audit(ctx, 'port.document_added', `port:${id}`, {
    after: { kind: body.kind, name: file.name.slice(0, 200), size: file.size },
  });
  await recordPortEvent(
    ctx,
    id,
    'document',
    `Added ${documentLabels[body.kind]}: ${file.name.slice(0, 120)}`,
  );
  return { data: await presentPort(ctx, id) };
}

async function requireRecentBill(ctx: TxCtx, billDate: string | null | undefined): Promise<void> {
  const date = billDate ?? invalid({ bill_date: 'Enter the date of the bill.' });
  const today = await todayOf(ctx);
  if (date > today) invalid({ bill_date: 'Choose a day that isn’t in the future.' });
  if (contract.daysBetween(date, today) > contract.billDays)
    invalid({ bill_date: 'The bill is more than 30 days old. Add a newer one.' });
}

async function markSignedOnPaper(ctx: TxCtx, row: PortRecord, fileId: number): Promise<void> {
  // Signed on paper: only the text that was mailed has a hash to keep.
  if (row.loa_state !== 'sent') invalid({ kind: 'Send the letter for signature first.' });
  await updatePort(ctx.tx, ctx.companyId, row.id, {
    loa_signature: null,
    loa_state: 'signed',
    loa_signed_at: ctx.now,
    loa_signed_by: `${row.authorized_first_name} ${row.authorized_last_name}`.trim(),
    loa_file_id: fileId,
    updated_at: ctx.now,
  });
}

/**
 * Removes a document; removing the signed copy of the letter takes the signature back. Throws
 * port.not_now.
 */
export async function removePortDocument(
  ctx: TxCtx,
  id: number,
  documentId: number,
): Promise<Answer<typeof contract.removePortDocument>> {
  const row = (await readPort(ctx.tx, ctx.companyId, id, true)) ?? notFound();
  if (!contract.isPortEditable(row.status))
    fail('port.not_now', { status: statusLabels[row.status] });
  const removed = (await deleteDocument(ctx.tx, ctx.companyId, id, documentId)) ?? notFound();
  if (removed.file_id === row.loa_file_id)
    await updatePort(ctx.tx, ctx.companyId, id, {
      loa_state: 'sent',
      loa_signed_at: null,
      loa_signed_by: null,
      loa_file_id: null,
    });
  await ctx.files.markDeleted(ctx.tx, ctx.companyId, removed.file_id, ctx.now);
  await audit(ctx, 'port.document_removed', `port:${id}`, { before: { name: removed.name } });
  await recordPortEvent(ctx, id, 'document', `Removed ${removed.name.slice(0, 120)}`);
  return { data: await presentPort(ctx, id) };
}
