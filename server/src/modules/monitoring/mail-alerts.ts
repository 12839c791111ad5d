import { alertKinds, type AlertKind } from '#contract/monitoring/rules';
import type { TxCtx } from '../../platform/context.ts';
import { escapeHtml } from '../../platform/html.ts';
import { queueMail } from '../../platform/mail.ts';
import { ownersOf } from '../companies/index.ts';
import type { AlertRow } from './store.ts';

// The system role: who owns a company isn't known to its own transactions.

/**
 * Mails new alerts to the company's owners, all of a check in one mail. What is only worth knowing
 * isn't mailed.
 */
export async function mailAlerts(
  ctx: TxCtx,
  companyName: string,
  rows: readonly AlertRow[],
): Promise<void> {
  const told = rows.filter(({ severity }) => severity !== 'info');
  const [first] = told;
  if (!first) return;
  const link = `${ctx.settings.publicUrl}/monitoring`;
  const lines = told.map((row) => {
    const { title, suggestions } = alertKinds[row.kind as AlertKind];
    const [todo] = suggestions;
    const path = todo?.link.replace('{id}', String(row.subject_id));
    return {
      ...{ title, about: row.subject_label, message: row.message },
      todo: todo && { text: todo.text, link: `${ctx.settings.publicUrl}${path}` },
    };
  });
  const subject =
    told.length === 1
      ? `${companyName}: ${lines[0]?.title ?? ''}`
      : `${companyName}: ${told.length} new alerts`;
  const text = lines
    .map(
      (l) =>
        `${l.title} (${l.about})\n${l.message}${l.todo ? `\n${l.todo.text}: ${l.todo.link}` : ''}`,
    )
    .join('\n\n');
  const html = lines
    .map(
      (l) =>
        `<p><strong>${escapeHtml(l.title)}</strong> (${escapeHtml(l.about)})<br>${escapeHtml(l.message)}${
          l.todo ? `<br><a href="${escapeHtml(l.todo.link)}">${escapeHtml(l.todo.text)}</a>` : ''
        }</p>`,
    )
    .join('');
  for (const to of await ownersOf(ctx.db.unscoped, ctx.companyId))
    await queueMail(
      ctx,
      {
        to,
        key: `alerts:${first.id}:${to}`,
        subject,
        text: `${text}\n\n${link}\n`,
        html: `${html}<p><a href="${link}">Open alerts</a></p>`,
      },
      ctx.tx,
    );
}
