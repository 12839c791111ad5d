import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { escapeHtml } from '../../../platform/html.ts';
import { queueMail } from '../../../platform/mail.ts';
import { ownersOf } from '../../companies/index.ts';
import { textingPlan } from '../../identity/index.ts';
import { isIndividual } from '../limits/individual.ts';
import { textNoticeJob } from '../job-kinds.ts';
import { contactById, contactsOf, noticeSender } from './store-contacts.ts';

// The system role: who owns a company isn't known to its own transactions.

/** Something that whoever pays should know. */
export interface Notice {
  /** The same key is told once to each. */
  key: string;
  subject: string;
  /** Plain paragraphs of the email. */
  paragraphs: readonly string[];
  /** The text message, without the link. */
  text: string;
}

/**
 * Tells the owners by email, and the billing contacts by email and text message as each of them
 * wants. Texts come from a number of the company; without one that can text them, they get none.
 */
export async function tellBillingPeople(t: TxCtx, notice: Notice): Promise<void> {
  const screen = (await isIndividual(t)) ? 'caddy/account/plan' : 'settings/billing';
  const link = `${t.settings.publicUrl}/${screen}`;
  const contacts = await contactsOf(t.tx, t.companyId);
  const mailed = [
    ...(await ownersOf(t.db.unscoped, t.companyId)),
    ...contacts.filter((c) => c.email_notifications).map(({ email }) => email),
  ];
  const html = notice.paragraphs.map((line) => `<p>${escapeHtml(line)}</p>`).join('');
  for (const to of new Map(mailed.map((email) => [email.toLowerCase(), email])).values())
    await queueMail(
      t,
      {
        to,
        key: `${notice.key}:${to.toLowerCase()}`,
        subject: notice.subject,
        text: `${notice.paragraphs.join('\n\n')}\n\n${link}\n`,
        html: `${html}<p><a href="${link}">Open billing</a></p>`,
      },
      t.tx,
    );
  for (const { id } of contacts.filter((c) => c.sms_notifications && c.phone))
    await t.enqueue(
      textNoticeJob,
      { contactId: id, text: `${notice.text} ${link}`, key: `${notice.key}:${id}` },
      { key: `billing.text:${t.companyId}:${notice.key}:${id}` },
    );
}

/**
 * Job: texts a billing contact who still wants it. What the carrier refuses is logged; a text whose
 * response was lost is not repeated.
 */
export async function textNotice(
  ctx: Ctx,
  { contactId, text, key }: { contactId: number; text: string; key: string },
): Promise<void> {
  const { to, sender } = await ctx.readOnly(async (t) => {
    const contact = await contactById(t.tx, t.companyId, contactId);
    const phone = contact?.sms_notifications ? contact.phone : null;
    const plan = phone ? textingPlan(phone) : null;
    return {
      to: phone,
      sender: phone && plan ? await noticeSender(t.tx, t.companyId, phone, plan) : undefined,
    };
  });
  if (!to) return;
  const messaging =
    sender &&
    ctx.gateways.carriers.forNumber({
      providerId: sender.provider_id,
      providerRef: sender.provider_ref,
    })?.messaging;
  if (!messaging) return ctx.log.warn({ contactId }, 'no number can text a billing contact');
  const result = await messaging.send({
    from: sender.number,
    to,
    text,
    media: [],
    key: `notice-${ctx.companyId}-${key}`,
  });
  if (result.state !== 'accepted')
    ctx.log.warn({ contactId, reason: result.reason }, 'a billing contact was not texted');
}
