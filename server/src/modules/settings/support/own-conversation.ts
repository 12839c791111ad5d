import { support as contract, type Answer } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { queueMail } from '../../../platform/mail.ts';
import { firstOf } from '../../../platform/must-be.ts';
import { companyRow } from '../../companies/index.ts';
import { paragraphs } from './paragraphs.ts';
import { presentReply, presentTickets } from './present.ts';
import { insertReply, ownTicket, repliesOf, updateTicket } from './store-replies.ts';
import type { TicketRow } from './store.ts';

type Answered = Answer<typeof contract.getSupportTicket>;

const own = async (ctx: TxCtx, id: number): Promise<TicketRow> =>
  (await ownTicket(ctx.tx, ctx.companyId, ctx.actor.userId, id)) ?? notFound();

async function present(ctx: TxCtx, row: TicketRow): Promise<Answered> {
  const ticket = firstOf(await presentTickets(ctx, ctx.tx, [row]));
  const replies = await repliesOf(ctx.tx, ctx.companyId, row.id);
  return { data: { ...ticket, replies: replies.map(presentReply) } };
}

/** A ticket of the actor's own with its replies. Fails with `not_found` for another's. */
export const getSupportTicket = async (ctx: TxCtx, id: number): Promise<Answered> =>
  present(ctx, await own(ctx, id));

const changed = (ctx: TxCtx, ticketId: number) =>
  ctx.publish(contract.supportTicketChanged, { companyId: ctx.companyId, ticketId });

/** The sender replies; it waits for support again. Fails with `not_found` for another's ticket. */
export async function replyToSupport(ctx: TxCtx, id: number, message: string): Promise<Answered> {
  await own(ctx, id);
  const reply = await insertReply(ctx.tx, {
    company_id: ctx.companyId,
    ticket_id: id,
    author_id: ctx.actor.userId,
    by_staff: false,
    message,
    created_at: ctx.now,
  });
  const row = await updateTicket(ctx.tx, ctx.companyId, id, {
    status: 'open',
    changed_at: ctx.now,
  });
  await mailSupport(ctx, row, reply.id, message);
  await audit(ctx, 'support_ticket.replied', `support_ticket:${id}`, {
    after: { reference: row.reference },
  });
  await changed(ctx, id);
  return present(ctx, row);
}

/** The sender needs no more help. Fails with `not_found` for another's ticket. */
export async function closeSupportTicket(ctx: TxCtx, id: number): Promise<Answered> {
  const before = await own(ctx, id);
  if (before.status === 'closed') return present(ctx, before);
  const row = await updateTicket(ctx.tx, ctx.companyId, id, {
    status: 'closed',
    changed_at: ctx.now,
  });
  await audit(ctx, 'support_ticket.closed', `support_ticket:${id}`, {
    after: { reference: row.reference },
  });
  await changed(ctx, id);
  return present(ctx, row);
}

async function mailSupport(
  ctx: TxCtx,
  { reference, id }: TicketRow,
  replyId: number,
  message: string,
): Promise<void> {
  const { supportEmail, publicUrl } = ctx.settings;
  if (supportEmail === null) return;
  const company = await companyRow(ctx.tx, ctx.companyId);
  await queueMail(
    ctx,
    {
      to: supportEmail,
      subject: `Reply to support request ${reference}`,
      ...paragraphs([
        `${ctx.actor.name} <${ctx.actor.email}> of ${company?.name ?? ''} wrote:`,
        message,
        `${publicUrl}/admin/tickets?ticket=${id}`,
      ]),
      key: `support-reply-${ctx.companyId}-${replyId}`,
    },
    ctx.tx,
  );
}
