import { invitations as contract } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { fail, notFound } from '../../../platform/errors.ts';
import { closeInvitation, lockInvitation } from './store.ts';

/** Withdraws an invitation; twice is harmless. Fails with `invitation.accepted`. */
export async function revokeInvitation(ctx: TxCtx, id: number): Promise<void> {
  const row = (await lockInvitation(ctx.tx, ctx.companyId, id)) ?? notFound();
  if (row.accepted_at) fail('invitation.accepted');
  if (row.revoked_at) return;
  await closeInvitation(ctx.tx, ctx.companyId, id, { revoked_at: ctx.now });
  await audit(ctx, 'invitation.revoked', `invitation:${id}`, { before: { email: row.email } });
  await ctx.publish(contract.invitationChanged, { companyId: ctx.companyId, invitationId: id });
}
