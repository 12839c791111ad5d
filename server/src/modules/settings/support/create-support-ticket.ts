import { randomInt } from 'node:crypto';
import { support as contract, type Answer, type Body } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { fail } from '../../../platform/errors.ts';
import { escapeHtml } from '../../../platform/html.ts';
import { queueMail } from '../../../platform/mail.ts';
import { firstOf } from '../../../platform/must-be.ts';
import type { Http, Upload } from '../../../platform/routes.ts';
import { companyRow } from '../../companies/index.ts';
import { presentTickets } from './present.ts';
import { insertTicket, type TicketRow } from './store.ts';

/** Without letters and digits that are mistaken for each other on the phone. */
const alphabet = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const letters = () =>
  Array.from({ length: 4 }, () => alphabet.charAt(randomInt(alphabet.length))).join('');
const newReference = () => `S-${letters()}-${letters()}`;

/**
 * Stores a support ticket with its files, mails its reference to the sender, and the whole to
 * SUPPORT_EMAIL. Fails with `support.files_many` and `support.file_large`.
 */
export async function createSupportTicket(
  ctx: TxCtx,
  body: Body<typeof contract.createSupportTicket>,
  { files }: Http,
): Promise<Answer<typeof contract.createSupportTicket>> {
  const limits = contract.supportTicketLimits;
  if (files.length > limits.files) fail('support.files_many', { limit: limits.files });
  const large = files.find((f) => f.size > limits.fileBytes);
  if (large) fail('support.file_large', { name: large.name.slice(0, 80) });
  const row = await insertTicket(ctx.tx, {
    company_id: ctx.companyId,
    reference: newReference(),
    user_id: ctx.actor.userId,
    message: body.message,
    callback_number: body.callback_number || null,
    callback_requested: body.callback_requested ?? false,
    page_url: body.page_url || null,
    file_ids: await saveFiles(ctx, files),
    created_at: ctx.now,
  });
  const data = firstOf(await presentTickets(ctx, ctx.tx, [row]));
  await mailSender(ctx, row);
  await mailSupport(ctx, row, files, data.attachments);
  await audit(ctx, 'support_ticket.created', `support_ticket:${row.id}`, {
    after: { reference: row.reference },
  });
  await ctx.publish(contract.supportTicketCreated, {
    companyId: ctx.companyId,
    ticketId: row.id,
  });
  return { data };
}

async function saveFiles(ctx: TxCtx, files: readonly Upload[]): Promise<number[]> {
  const ids: number[] = [];
  for (const file of files) {
    const { name, contentType } = file;
    const bytes = await file.bytes();
    const content = { name, contentType, bytes, purpose: 'support' };
    ids.push((await ctx.files.save(ctx.tx, ctx.companyId, content, ctx.now)).id);
  }
  return ids;
}

async function mailSender(ctx: TxCtx, { id, reference, message }: TicketRow): Promise<void> {
  const parts = [
    `Hello ${ctx.actor.name},`,
    `We received your request. Its reference is ${reference}; name it when you write or call.`,
    `You wrote:\n${message}`,
  ];
  await queueMail(
    ctx,
    {
      to: ctx.actor.email,
      subject: `We received your request ${reference}`,
      text: parts.join('\n\n'),
      html: parts.map(paragraph).join(''),
      key: `support-${ctx.companyId}-${id}`,
    },
    ctx.tx,
  );
}

const paragraph = (text: string) => `<p>${escapeHtml(text).replaceAll('\n', '<br>')}</p>`;

async function mailSupport(
  ctx: TxCtx,
  ticket: TicketRow,
  files: readonly Upload[],
  attached: readonly { id: number; name: string }[],
): Promise<void> {
  const { supportEmail } = ctx.settings;
  if (supportEmail === null) return;
  const company = await companyRow(ctx.tx, ctx.companyId);
  const callback = ticket.callback_requested
    ? `Call back: ${ticket.callback_number ?? 'yes, no number given'}`
    : 'No call back requested.';
  const parts = [
    `${ctx.actor.name} <${ctx.actor.email}> of ${company?.name ?? ''} (company ${ctx.companyId})`,
    callback,
    ...(ticket.page_url ? [`Page: ${ticket.page_url}`] : []),
    ticket.message,
  ];
  await queueMail(
    ctx,
    {
      to: supportEmail,
      subject: `Support request ${ticket.reference}`,
      text: parts.join('\n\n'),
      html: parts.map(paragraph).join(''),
      key: `support-staff-${ctx.companyId}-${ticket.id}`,
      attachments: attached.map(({ id, name }, i) => ({
        name,
        contentType: files[i]?.contentType ?? 'application/octet-stream',
        companyId: ctx.companyId,
        fileId: id,
      })),
    },
    ctx.tx,
  );
}
