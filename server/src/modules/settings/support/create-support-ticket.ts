import { randomInt } from 'node:crypto';
import { formatPhone, support as contract, type Answer, type Body } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { fail } from '../../../platform/errors.ts';
import { queueMail } from '../../../platform/mail.ts';
import { firstOf } from '../../../platform/must-be.ts';
import type { Http, Upload } from '../../../platform/routes.ts';
import { companyRow } from '../../companies/index.ts';
import { paragraphs } from './paragraphs.ts';
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
  const row = await openTicket(ctx, {
    message: body.message,
    callbackNumber: body.callback_number || null,
    callbackRequested: body.callback_requested ?? false,
    pageUrl: body.page_url || null,
    from: ctx.actor,
    files: await saveFiles(ctx, files),
  });
  return { data: firstOf(await presentTickets(ctx, ctx.tx, [row])) };
}

interface TicketFile {
  id: number;
  name: string;
  contentType: string;
}
interface NewTicket {
  message: string;
  callbackNumber?: string | null;
  callbackRequested?: boolean;
  pageUrl?: string | null;
  /** `email` null: they have none, and only support hears of it. */
  from: { name: string; email: string | null };
  files: readonly TicketFile[];
}

/** Stores a ticket with files that were saved before, and mails it to its sender and to support. */
export async function openTicket(ctx: TxCtx, ticket: NewTicket): Promise<TicketRow> {
  const { from, files } = ticket;
  const row = await insertTicket(ctx.tx, {
    company_id: ctx.companyId,
    reference: newReference(),
    user_id: ctx.actor.userId,
    message: ticket.message,
    callback_number: ticket.callbackNumber ?? null,
    callback_requested: ticket.callbackRequested ?? false,
    page_url: ticket.pageUrl ?? null,
    file_ids: files.map(({ id }) => id),
    created_at: ctx.now,
    changed_at: ctx.now,
  });
  if (from.email) await mailSender(ctx, row, { name: from.name, email: from.email });
  await mailSupport(ctx, row, ticket);
  await audit(ctx, 'support_ticket.created', `support_ticket:${row.id}`, {
    after: { reference: row.reference },
  });
  await ctx.publish(contract.supportTicketCreated, {
    companyId: ctx.companyId,
    ticketId: row.id,
  });
  return row;
}

async function saveFiles(ctx: TxCtx, files: readonly Upload[]): Promise<TicketFile[]> {
  const saved: TicketFile[] = [];
  for (const file of files) {
    const { name, contentType } = file;
    const bytes = await file.bytes();
    const content = { name, contentType, bytes, purpose: 'support' };
    const { id } = await ctx.files.save(ctx.tx, ctx.companyId, content, ctx.now);
    saved.push({ id, name, contentType });
  }
  return saved;
}

async function mailSender(
  ctx: TxCtx,
  { id, reference, message }: TicketRow,
  from: { name: string; email: string },
): Promise<void> {
  const parts = [
    `Hello ${from.name},`,
    `We received your request. Its reference is ${reference}; name it when you write or call.`,
    `You wrote:\n${message}`,
  ];
  await queueMail(
    ctx,
    {
      to: from.email,
      subject: `We received your request ${reference}`,
      ...paragraphs(parts),
      key: `support-${ctx.companyId}-${id}`,
    },
    ctx.tx,
  );
}

async function mailSupport(
  ctx: TxCtx,
  ticket: TicketRow,
  { from, files }: Pick<NewTicket, 'from' | 'files'>,
): Promise<void> {
  const { supportEmail } = ctx.settings;
  if (supportEmail === null) return;
  const company = await companyRow(ctx.tx, ctx.companyId);
  const callback = ticket.callback_requested
    ? `Call back: ${ticket.callback_number === null ? 'yes, no number given' : formatPhone(ticket.callback_number)}`
    : 'No call back requested.';
  const parts = [
    `${from.name} <${from.email ?? 'no email address'}> of ${company?.name ?? ''} (company ${ctx.companyId})`,
    callback,
    ...(ticket.page_url ? [`Page: ${ticket.page_url}`] : []),
    ticket.message,
  ];
  await queueMail(
    ctx,
    {
      to: supportEmail,
      subject: `Support request ${ticket.reference}`,
      ...paragraphs(parts),
      key: `support-staff-${ctx.companyId}-${ticket.id}`,
      attachments: files.map(({ id, name, contentType }) => ({
        name,
        contentType,
        companyId: ctx.companyId,
        fileId: id,
      })),
    },
    ctx.tx,
  );
}
