import type { Ctx } from '../../../platform/context.ts';
import { readBatch } from '../../../platform/batches.ts';
import { signedExportUrl } from '../../../platform/export-rows.ts';
import { queueMail } from '../../../platform/mail.ts';
import { escapeHtml } from '../../../platform/html.ts';
import { personById } from '../../identity/index.ts';

/** Mails the requester the link to a finished export, which works until the file expires (A22). */
export async function mailExport(
  ctx: Ctx,
  { batchId, kind }: { batchId: string; kind: string },
): Promise<void> {
  const batch = await ctx.transaction((t) => readBatch(t.tx, t.companyId, batchId, kind));
  const exported = batch && signedExportUrl(ctx, batch.result);
  const person = batch?.createdBy ? await personById(ctx.db.unscoped, batch.createdBy) : undefined;
  if (!exported || !person) return;
  const link = new URL(exported.url, ctx.settings.publicUrl).href;
  const until = new Intl.DateTimeFormat('en-US', {
    timeZone: person.timezone ?? 'UTC',
    dateStyle: 'medium',
    timeStyle: 'short',
  }).format(new Date(exported.file.until));
  const text = `Your export ${exported.file.name} is ready: ${exported.file.rows.toLocaleString('en-US')} rows. Anyone with this link can download it until ${until} (${person.timezone ?? 'UTC'}).`;
  await queueMail(ctx, {
    to: person.email,
    subject: `Your export is ready: ${exported.file.name}`,
    text: `${text}\n\n${link}\n`,
    html: `<p>${escapeHtml(text)}</p><p><a href="${escapeHtml(link)}">Download ${escapeHtml(exported.file.name)}</a></p>`,
    key: `export:${batchId}`,
  });
}
