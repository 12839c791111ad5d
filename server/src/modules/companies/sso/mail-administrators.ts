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
  mail: Notice,
): Promise<void> {
  await mailPeople(ctx, tx, await administratorsOf(tx, id), mail);
}

interface Notice {
  /** The same one is mailed to each person once. */
  key: string;
  subject: string;
  text: string;
}
/** Mails people about the single sign-on of an organization, with a link to it. */
export async function mailPeople(
  ctx: Pick<Ctx, 'settings'> & Parameters<typeof queueMail>[0],
  tx: Tx,
  userIds: readonly number[],
  { key, subject, text }: Notice,
): Promise<void> {
  const link = `${ctx.settings.publicUrl}/organization/single-sign-on`;
  for (const userId of userIds) {
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
