import { alertKinds, type AlertKind } from '#contract/monitoring/rules';
import type { Ctx } from '../../platform/context.ts';
import { escapeHtml } from '../../platform/html.ts';
import { queueMail } from '../../platform/mail.ts';
import { audienceOf, mailFoot, unsubscribeToken } from '../notifications/index.ts';
import { alertsById, type AlertRow } from './store.ts';

/**
 * Job: mails a person those of the alerts that are still open. Nothing is sent to who lost the
 * right to act on them, or turned these emails off meanwhile.
 */
export async function mailAlerts(
  ctx: Ctx,
  { userId, alertIds }: { userId: number; alertIds: readonly number[] },
): Promise<void> {
  await ctx.transaction(async (t) => {
    const person = (await audienceOf(t, 'alert', 'monitoring.edit')).find(
      ({ user_id }) => user_id === userId,
    );
    const rows = (await alertsById(t.tx, t.companyId, alertIds)).filter(
      ({ state }) => state === 'open',
    );
    const [first] = rows;
    if (!person?.wants('email', null) || !first) return;
    const { company, email: to } = person;
    const { publicUrl, appSecret } = t.settings;
    const token = unsubscribeToken(appSecret, t.companyId, userId);
    const foot = mailFoot({ publicUrl, company, token });
    const { subject, text, html } = alertLines(rows, { publicUrl, company });
    const link = `${publicUrl}/monitoring`;
    await queueMail(
      t,
      {
        ...{ to, subject, unsubscribe: foot.unsubscribe },
        key: `alerts:${first.id}:${to}`,
        text: `${text}\n\nOpen alerts: ${link}\n\n${foot.text}`,
        html: `${html}<p><a href="${link}">Open alerts</a></p>${foot.html}`,
      },
      t.tx,
    );
  });
}

/** New alerts in words: what happened to what, and what to do about each. */
function alertLines(
  rows: readonly AlertRow[],
  { publicUrl, company }: { publicUrl: string; company: string },
): { subject: string; text: string; html: string } {
  const lines = rows.map((row) => {
    const { title, suggestions } = alertKinds[row.kind as AlertKind];
    const [todo] = suggestions;
    const path = todo?.link.replace('{id}', String(row.subject_id));
    return {
      ...{ title, about: row.subject_label, message: row.message },
      todo: todo && { text: todo.text, link: `${publicUrl}${path}` },
    };
  });
  const subject =
    lines.length === 1
      ? `${company}: ${lines[0]?.title ?? ''}`
      : `${company}: ${lines.length} new alerts`;
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
  return { subject, text, html };
}
