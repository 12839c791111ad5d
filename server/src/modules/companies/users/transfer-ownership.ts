import { users as contract, type Answer, type Body } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import { fail, notFound } from '../../../platform/errors.ts';
import { escapeHtml } from '../../../platform/html.ts';
import { queueMail } from '../../../platform/mail.ts';
import { mustBe } from '../../../platform/must-be.ts';
import type { Http } from '../../../platform/routes.ts';
import { fullName, personById, requirePassword } from '../../identity/index.ts';
import { companyRow, ownerIdOf } from '../store.ts';
import { publishAccess } from './change-access.ts';
import { TRANSFER_DAYS } from './rules.ts';
import {
  agreeToTransfer,
  deleteTransfer,
  insertTransfer,
  lockMembers,
  lockTransfer,
  setMemberRole,
  waitingTransfer,
  type TransferRow,
} from './store.ts';

// The system role: runs before a company is chosen, or creates one.

/** The transfer that waits for the new owner; null: none. */
export async function getTransfer(
  ctx: TxCtx,
): Promise<Answer<typeof contract.getOwnershipTransfer>> {
  const row = await waitingTransfer(ctx.tx, ctx.companyId, ctx.now);
  return { data: row ? await present(ctx, row) : null };
}

/**
 * Starts a transfer to an active administrator, who has seven days to accept. One that isn't started
 * by the owner waits for the owner's agreement first (A4 rule 1). Fails with a field error of
 * `password`, `transfer.needs_administrator` and `transfer.pending`.
 */
export async function startTransfer(
  ctx: Ctx,
  http: Http,
  body: Body<typeof contract.startOwnershipTransfer>,
): Promise<Answer<typeof contract.startOwnershipTransfer>> {
  // The company's people first, so that another company's IDs say nothing about them.
  const known = await ctx.transaction((t) => lockMembers(t.tx, t.companyId, [body.user_id]));
  if (!known.length) notFound();
  await requirePassword(ctx, http, body.password, 'password');
  return ctx.transaction(async (t) => {
    const ownerId = mustBe(await ownerIdOf(t.tx, t.companyId), 'the owner of a company');
    const members = await lockMembers(t.tx, t.companyId, [ownerId, body.user_id]);
    const to = members.find((m) => m.user_id === body.user_id) ?? notFound();
    if (to.role !== 'administrator') fail('transfer.needs_administrator');
    const row: TransferRow = {
      from_user_id: ownerId,
      to_user_id: body.user_id,
      created_at: t.now,
      expires_at: new Date(t.now.getTime() + TRANSFER_DAYS * 86_400_000),
      agreed_at: ownerId === t.actor.userId ? t.now : null,
      started_by: t.actor.userId,
    };
    if (!(await insertTransfer(t.tx, t.companyId, row))) fail('transfer.pending');
    await audit(t, 'ownership_transfer.started', `user:${body.user_id}`, {
      after: { from: ownerId, to: body.user_id },
    });
    await publishTransfer(t, 'started');
    if (row.agreed_at) await mailStarted(t, row);
    else await mailAsked(t, row);
    return { data: await present(t, row) };
  });
}

/** The owner agrees to a transfer that someone else started; now the new owner can accept. */
export async function confirmTransfer(
  ctx: TxCtx,
): Promise<Answer<typeof contract.confirmOwnershipTransfer>> {
  const row = (await lockTransfer(ctx.tx, ctx.companyId, ctx.now)) ?? fail('transfer.gone');
  if (row.from_user_id !== ctx.actor.userId) fail('transfer.not_yours');
  if (row.agreed_at) return { data: await present(ctx, row) };
  const agreed = { ...row, agreed_at: ctx.now };
  await agreeToTransfer(ctx.tx, ctx.companyId, ctx.now);
  await audit(ctx, 'ownership_transfer.confirmed', `user:${row.to_user_id}`);
  await publishTransfer(ctx, 'started');
  await mailStarted(ctx, agreed);
  return { data: await present(ctx, agreed) };
}

/** Cancels the transfer. Either side may, and who may start one. */
export async function cancelTransfer(ctx: TxCtx): Promise<void> {
  const row = (await lockTransfer(ctx.tx, ctx.companyId, ctx.now)) ?? fail('transfer.gone');
  const isSide = [row.from_user_id, row.to_user_id].includes(ctx.actor.userId);
  if (!isSide && ctx.may('ownership.transfer') === 'none') fail('transfer.not_yours');
  await deleteTransfer(ctx.tx, ctx.companyId);
  await audit(ctx, 'ownership_transfer.canceled', `user:${row.to_user_id}`);
  await publishTransfer(ctx, 'canceled');
}

/** The new owner accepts: both roles change in this transaction, and both people are mailed. */
export async function acceptTransfer(
  ctx: TxCtx,
): Promise<Answer<typeof contract.acceptOwnershipTransfer>> {
  // People before the transfer, as everywhere: another order could deadlock with a deactivation.
  const seen = (await waitingTransfer(ctx.tx, ctx.companyId, ctx.now)) ?? fail('transfer.gone');
  const members = await lockMembers(ctx.tx, ctx.companyId, [seen.from_user_id, seen.to_user_id]);
  const row = (await lockTransfer(ctx.tx, ctx.companyId, ctx.now)) ?? fail('transfer.gone');
  if (row.to_user_id !== ctx.actor.userId) fail('transfer.not_yours');
  const roleOf = (id: number) => members.find((m) => m.user_id === id)?.role;
  if (roleOf(row.from_user_id) !== 'owner' || roleOf(row.to_user_id) !== 'administrator')
    fail('transfer.gone');
  if (!row.agreed_at) fail('transfer.needs_owner');
  // The old owner first: the index allows one owner at any moment.
  await setMemberRole(ctx.tx, ctx.companyId, row.from_user_id, 'administrator', ctx.now);
  await setMemberRole(ctx.tx, ctx.companyId, row.to_user_id, 'owner', ctx.now);
  await deleteTransfer(ctx.tx, ctx.companyId);
  await audit(ctx, 'ownership_transfer.accepted', `user:${row.to_user_id}`, {
    before: { owner: row.from_user_id },
    after: { owner: row.to_user_id },
  });
  await publishTransfer(ctx, 'accepted');
  for (const id of [row.from_user_id, row.to_user_id]) await publishAccess(ctx, id);
  await mailAccepted(ctx, row);
  return { data: { role: 'owner' } };
}

const publishTransfer = (ctx: TxCtx, change: 'started' | 'canceled' | 'accepted') =>
  ctx.publish(contract.ownershipTransferChanged, { companyId: ctx.companyId, change });

const personOf = async (ctx: TxCtx, id: number) => {
  const person = mustBe(await personById(ctx.db.unscoped, id), 'a member’s person');
  return { id, name: fullName(person), email: person.email };
};

const present = async (ctx: TxCtx, row: TransferRow) => ({
  from: await personOf(ctx, row.from_user_id),
  to: await personOf(ctx, row.to_user_id),
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
  needs_owner: row.agreed_at === null,
});

async function mailAsked(ctx: TxCtx, row: TransferRow): Promise<void> {
  const { from, to } = await present(ctx, row);
  const company = mustBe(await companyRow(ctx.tx, ctx.companyId), 'the company').name;
  await mail(ctx, row, from.email, 'asked', {
    subject: `${ctx.actor.name} asks you to give ${company} to ${to.name}`,
    text: `${ctx.actor.name} wants ${to.name} to become the owner of ${company}. Nothing changes unless you agree within ${TRANSFER_DAYS} days:`,
    link: `${ctx.settings.publicUrl}/settings/company`,
  });
}

async function mailStarted(ctx: TxCtx, row: TransferRow): Promise<void> {
  const { from, to } = await present(ctx, row);
  const company = mustBe(await companyRow(ctx.tx, ctx.companyId), 'the company').name;
  const link = `${ctx.settings.publicUrl}/settings/company`;
  await mail(ctx, row, to.email, 'started', {
    subject: `${from.name} wants to make you the owner of ${company}`,
    text: `${from.name} wants to make you the owner of ${company}. Accept or decline within ${TRANSFER_DAYS} days:`,
    link,
  });
  await mail(ctx, row, from.email, 'started', {
    subject: `Ownership of ${company} is being transferred`,
    text: `${to.name} can accept the ownership of ${company} within ${TRANSFER_DAYS} days. Until then you stay the owner. If you didn’t start this, cancel it and change your password:`,
    link,
  });
}

async function mailAccepted(ctx: TxCtx, row: TransferRow): Promise<void> {
  const { from, to } = await present(ctx, row);
  const company = mustBe(await companyRow(ctx.tx, ctx.companyId), 'the company').name;
  const link = `${ctx.settings.publicUrl}/settings/users`;
  await mail(ctx, row, to.email, 'accepted', {
    subject: `You are now the owner of ${company}`,
    text: `You accepted the ownership of ${company}. ${from.name} is now an administrator.`,
    link,
  });
  await mail(ctx, row, from.email, 'accepted', {
    subject: `${to.name} is now the owner of ${company}`,
    text: `${to.name} accepted the ownership of ${company}. You are now an administrator.`,
    link,
  });
}

const mail = (
  ctx: TxCtx,
  row: TransferRow,
  to: string,
  step: string,
  { subject, text, link }: { subject: string; text: string; link: string },
) =>
  queueMail(
    ctx,
    {
      to,
      key: `ownership:${ctx.companyId}:${row.created_at.getTime()}:${step}:${to}`,
      subject,
      text: `${text}\n${link}`,
      html: `<p>${escapeHtml(text)}</p><p><a href="${link}">${escapeHtml(link)}</a></p>`,
    },
    ctx.tx,
  );
