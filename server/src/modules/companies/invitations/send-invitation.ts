import { roleList } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { escapeHtml } from '../../../platform/html.ts';
import { queueMail } from '../../../platform/mail.ts';
import type { PresentedInvitation } from './present.ts';

/** "A, B and C" */
const listOf = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/**
 * Queues the mail with the link. Returns the link where this server can't send mail, so that the
 * inviter hands it over; null where it does: then only the owner of the address gets it.
 */
export async function sendInvitation(
  ctx: TxCtx,
  invitation: PresentedInvitation,
  token: string,
): Promise<string | null> {
  const link = `${ctx.settings.publicUrl}/invitations/${token}`;
  if (!ctx.settings.canMail) return link;
  const { message } = invitation;
  const inviter = invitation.invited_by.name;
  const where = listOf(invitation.companies.map((c) => c.name));
  const role = roleList.find((r) => r.id === invitation.role)?.label ?? invitation.role;
  const greeting = invitation.first_name ? `Hello ${invitation.first_name},` : 'Hello,';
  const end = invitation.expires_at.slice(0, 10);
  const intro = `${inviter} invited you to join ${where}. Your role: ${role}.`;
  const ending = `The link works once, until ${end} (UTC). If you don’t know ${inviter}, you can ignore this email.`;
  const quoted = message ? [`“${message}”`] : [];
  await queueMail(
    ctx,
    {
      to: invitation.email,
      // A name may not start a new header line.
      subject: `${inviter} invited you to ${where}`.replace(/\s+/g, ' ').slice(0, 200),
      text: [greeting, intro, ...quoted, `Accept the invitation:\n${link}`, ending].join('\n\n'),
      html: [
        `<p>${escapeHtml(greeting)}</p><p>${escapeHtml(intro)}</p>`,
        ...quoted.map((text) => `<blockquote>${escapeHtml(text)}</blockquote>`),
        `<p><a href="${link}">Accept the invitation</a></p><p>${escapeHtml(ending)}</p>`,
      ].join(''),
      key: `invitation-${invitation.id}-${invitation.resent_count}`,
      expiresAt: new Date(invitation.expires_at),
      urgent: true,
    },
    ctx.tx,
  );
  return null;
}
