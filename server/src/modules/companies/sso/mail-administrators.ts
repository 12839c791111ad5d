import type { Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { escapeHtml } from '../../../platform/html.ts';
import { queueMail } from '../../../platform/mail.ts';
import { personById } from '../../identity/index.ts';
import { administratorsOf } from '../organizations/store.ts';

/** Mails everyone who administers an organization about its single sign-on, with a link to it. */
export async function mailAdministrators(
  ctx: Pick<Ctx, 'settings'> & Parameters<typeof queueMail>[0],
  tx: Tx,
  { id }: { id: number },
  { key, subject, text }: { key: string; subject: string; text: string },
): Promise<void> {
  const link = `${ctx.settings.publicUrl}/organization/single-sign-on`;
  for (const userId of await administratorsOf(tx, id)) {
    const person = await personById(tx, userId);
    if (!person || person.disabled_at) continue;
    await queueMail(
      ctx,
      {
        to: person.email,
        key: `${key}:${userId}`,
        subject,
        text: `${text}\n${link}`,
        html: `<p>${escapeHtml(text)}</p><p><a href="${link}">${escapeHtml(link)}</a></p>`,
      },
      tx,
    );
  }
}
