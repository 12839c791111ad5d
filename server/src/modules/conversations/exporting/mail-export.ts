import type { Ctx } from '../../../platform/context.ts';
import { readBatch } from '../../../platform/batches.ts';
import { exportedUrl } from '../../../platform/export-rows.ts';
import { queueMail } from '../../../platform/mail.ts';
import { personById } from '../../identity/index.ts';

const escaped = (text: string) =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]!);

/** The file is there: whoever asked is mailed its address, which opens it until it expires (A22). */
export async function mailExport(
  ctx: Ctx,
  { batchId, kind }: { batchId: string; kind: string },
): Promise<void> {
  const batch = await ctx.transaction((t) => readBatch(t.tx, t.companyId, batchId, kind));
  const made = batch && exportedUrl(ctx, batch.result);
  const person = batch?.createdBy ? await personById(ctx.db.directory, batch.createdBy) : undefined;
  if (!made || !person) return;
  const link = new URL(made.url, ctx.settings.publicUrl).href;
  const until = new Intl.DateTimeFormat('en-US', {
    timeZone: person.timezone ?? 'UTC',
    dateStyle: 'medium',
    timeStyle: 'short',
  }).format(new Date(made.file.until));
  const text = `Your export ${made.file.name} is ready: ${made.file.rows.toLocaleString('en-US')} rows. It can be fetched until ${until} (${person.timezone ?? 'UTC'}) by anyone who has this address.`;
  await queueMail(ctx, {
    to: person.email,
    subject: `Your export is ready: ${made.file.name}`,
    text: `${text}\n\n${link}\n`,
    html: `<p>${escaped(text)}</p><p><a href="${escaped(link)}">Download ${escaped(made.file.name)}</a></p>`,
    key: `export:${batchId}`,
  });
}
