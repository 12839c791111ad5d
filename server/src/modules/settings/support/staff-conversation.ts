import { support as contract, type Answer, type Body } from '#contract';
import type { AuditAction } from '#contract/settings/audit/actions';
import { audit } from '../../../platform/audit.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { notFound } from '../../../platform/errors.ts';
import { queueMail } from '../../../platform/mail.ts';
import { mustBe } from '../../../platform/must-be.ts';
import { paragraphs } from './paragraphs.ts';
import { presentReply, presentStaffTickets } from './present.ts';
import { anyTicket, insertReply, repliesOf, updateTicket } from './store-replies.ts';
import { personNames } from '../audit/store-audit.ts';
import type { StaffTicketRow } from './store.ts';

// The system role: platform staff help every company; the endpoints are theirs alone.

type Answered = Answer<typeof contract.getStaffTicket>;

const ticketOf = async (ctx: Ctx, id: number): Promise<StaffTicketRow> =>
  (await anyTicket(ctx.db.unscoped, id)) ?? notFound();

/** A ticket of any company with its replies, for platform staff. Fails with `not_found`. */
export async function getStaffTicket(ctx: Ctx, id: number): Promise<Answered> {
  const row = await ticketOf(ctx, id);
  const ticket = mustBe((await presentStaffTickets(ctx, [row]))[0], 'the presented ticket');
  const replies = await repliesOf(ctx.db.unscoped, row.company_id, id);
  const names = await personNames(ctx.db.unscoped, [...new Set(replies.map((r) => r.author_id))]);
  return {
    data: {
      ...ticket,
      replies: replies.map((reply) => ({
        ...presentReply(reply),
        author: names.get(reply.author_id) ?? '',
      })),
    },
  };
}

/**
 * Staff answer: the sender is emailed, and whoever answers first looks after it. Fails with
 * `not_found`.
 */
export async function replyAsSupport(
  ctx: Ctx,
  id: number,
  { message, close }: Body<typeof contract.replyAsSupport>,
): Promise<Answered> {
  const ticket = await ticketOf(ctx, id);
  await inCompany(ctx, ticket, 'support_ticket.answered', async (there) => {
    const reply = await insertReply(there.tx, {
      company_id: ticket.company_id,
      ticket_id: id,
      author_id: ctx.actor.userId,
      by_staff: true,
      message,
      created_at: ctx.now,
    });
    await updateTicket(there.tx, ticket.company_id, id, {
      status: close ? 'closed' : 'answered',
      assignee_id: ticket.assignee_id ?? ctx.actor.userId,
      changed_at: ctx.now,
    });
    await mailSender(there, ticket, `${reply.id}`, `Answer to your request ${ticket.reference}`, [
      `Hello ${ticket.person_name || ticket.email},`,
      message,
      `You wrote:\n${ticket.message}`,
      close ? 'We closed the request. Reply on this page to open it again:' : 'Reply on this page:',
    ]);
  });
  return getStaffTicket(ctx, id);
}

/** Staff take a ticket or give it back, close it or open it again. Fails with `not_found`. */
export async function updateStaffTicket(
  ctx: Ctx,
  id: number,
  { status, mine }: Body<typeof contract.updateStaffTicket>,
): Promise<Answered> {
  const ticket = await ticketOf(ctx, id);
  const isClosed = ticket.status === 'closed';
  const isNews = status !== undefined && (status === 'closed') !== isClosed;
  const change = {
    ...(isNews && { status }),
    ...(mine !== undefined && { assignee_id: mine ? ctx.actor.userId : null }),
  };
  const action = !isNews
    ? null
    : isClosed
      ? ('support_ticket.reopened' as const)
      : ('support_ticket.closed' as const);
  if (Object.keys(change).length)
    await inCompany(ctx, ticket, action, async (there) => {
      await updateTicket(there.tx, ticket.company_id, id, { ...change, changed_at: ctx.now });
      if (action === 'support_ticket.closed')
        await mailSender(
          there,
          ticket,
          `closed-${ctx.now.getTime()}`,
          `We closed your request ${ticket.reference}`,
          [
            `Hello ${ticket.person_name || ticket.email},`,
            `We closed your request ${ticket.reference}.`,
            'If you still need help, reply on this page to open it again:',
          ],
        );
    });
  return getStaffTicket(ctx, id);
}

/** Works in the ticket's company, with a row in its audit log where `action` isn't null. */
async function inCompany(
  ctx: Ctx,
  { company_id, id, reference }: StaffTicketRow,
  action: AuditAction | null,
  work: (there: TxCtx) => Promise<void>,
): Promise<void> {
  await ctx.actingIn(company_id, ['platform']).transaction(async (there) => {
    await work(there);
    if (action) await audit(there, action, `support_ticket:${id}`, { after: { reference } });
    await there.publish(contract.supportTicketChanged, { companyId: company_id, ticketId: id });
  });
}

const mailSender = (
  there: TxCtx,
  { email, company_id, id }: StaffTicketRow,
  key: string,
  subject: string,
  parts: readonly string[],
) =>
  queueMail(
    there,
    {
      to: email,
      subject,
      ...paragraphs([...parts, `${there.settings.publicUrl}/support?ticket=${id}`]),
      key: `support-${company_id}-${id}-${key}`,
    },
    there.tx,
  );
