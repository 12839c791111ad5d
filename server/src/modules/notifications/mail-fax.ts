import type { EventData } from '#contract';
import type { faxReceived } from '#contract/fax/events';
import { formatPhone } from '#contract/phone';
import { partyName } from '#contract/party';
import type { Ctx, TxCtx } from '../../platform/context.ts';
import { queueMail } from '../../platform/mail.ts';
import { escapeHtml } from '../../platform/html.ts';
import { unmutedAddresses } from '../companies/index.ts';
import { mailAddressesOfNumber } from './store-mail.ts';
import { mailFaxJob } from './job-kinds.ts';

/** Queues emails about a received fax to the number's addresses, without users who muted it. */
export async function enqueueFaxMail(
  ctx: TxCtx,
  fax: EventData<typeof faxReceived>,
): Promise<void> {
  if (fax.quiet) return;
  const number = await mailAddressesOfNumber(ctx.tx, ctx.companyId, fax.numberId);
  if (!number) return;
  const from = fax.contactName || partyName(fax.party);
  const pages = fax.pages === 1 ? '1 page' : `${fax.pages} pages`;
  for (const to of await unmutedAddresses(ctx, fax.numberId, 'fax', number.emails))
    await ctx.enqueue(
      mailFaxJob,
      {
        to,
        subject: `Fax from ${from}`,
        text: `${pages} from ${from} to ${number.label || formatPhone(number.number)}.`,
        path: fax.conversationId ? `/inbox/${fax.conversationId}` : '/activity/fax',
        key: `fax:${fax.faxId}:${to}`,
      },
      { key: `mail-fax:${fax.faxId}:${to}` },
    );
}

/** Job: mails a fax notification. Safe to run twice, because the email has a key. */
export async function mailFax(
  ctx: Ctx,
  m: { to: string; subject: string; text: string; path: string; key: string },
): Promise<void> {
  const link = new URL(m.path, ctx.settings.publicUrl).href;
  await queueMail(ctx, {
    to: m.to,
    subject: m.subject,
    text: `${m.text}\n\n${link}\n`,
    html: `<p>${escapeHtml(m.text)}</p><p><a href="${link}">Open the fax</a></p>`,
    key: m.key,
  });
}
