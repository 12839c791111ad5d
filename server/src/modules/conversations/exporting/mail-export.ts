import type { Ctx } from '../../../platform/context.ts';
import { readProgress } from '../../../platform/batches.ts';
import { exportUrl } from '../../../platform/export-rows.ts';
import { queueMail } from '../../../platform/mail.ts';
import { escapeHtml } from '../../../platform/html.ts';
import { personById } from '../../identity/index.ts';

// The system role: names and addresses of people, for IDs that the company’s own rows hold.

/** Mails the requester the page of a finished export, which works until the file expires (A22). */
export async function mailExport(
  ctx: Ctx,
  { batchId, kind }: { batchId: string; kind: string },
): Promise<void> {
  const batch = await ctx.transaction((t) => readProgress(t.tx, t.companyId, batchId, kind));
  const exported = batch && exportUrl(ctx, batch.result);
  const person = batch?.createdBy ? await personById(ctx.db.unscoped, batch.createdBy) : undefined;
  if (!exported || !person) return;
  // A page, not the file: it asks to sign in first.
  const page = `/exports/${ctx.companyId}/${exported.file.fileId}`;
  const link = new URL(page, ctx.settings.publicUrl).href;
  const until = new Intl.DateTimeFormat('en-US', {
    timeZone: person.timezone ?? 'UTC',
    dateStyle: 'medium',
    timeStyle: 'short',
  }).format(new Date(exported.file.until));
  const text = `Your export ${exported.file.name} is ready: ${exported.file.rows.toLocaleString('en-US')} rows. Sign in to download it until ${until} (${person.timezone ?? 'UTC'}). Only you can.`;
  await queueMail(ctx, {
    to: person.email,
    subject: `Your export is ready: ${exported.file.name}`,
    text: `${text}\n\n${link}\n`,
    html: `<p>${escapeHtml(text)}</p><p><a href="${escapeHtml(link)}">Download ${escapeHtml(exported.file.name)}</a></p>`,
    key: `export:${batchId}`,
  });
}
