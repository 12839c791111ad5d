import { invitations as contract, type Answer } from '#contract';
import { audit } from '../../../platform/audit.ts';
import type { TxCtx } from '../../../platform/context.ts';
import { fail, notFound } from '../../../platform/errors.ts';
import { hashToken, randomToken } from '../../../platform/secrets.ts';
import { expiryOf, presentById } from './invite-person.ts';
import { lockInvitation, renewInvitation } from './store.ts';

/**
 * Sends an invitation again with a new link, which works for 7 days; an expired one, too. Fails
 * with `invitation.resent_too_often`, `invitation.accepted` and `invitation.revoked`.
 */
export async function resendInvitation(
  ctx: TxCtx,
  id: number,
): Promise<Answer<typeof contract.resendInvitation>> {
  const row = (await lockInvitation(ctx.tx, ctx.companyId, id)) ?? notFound();
  const status = contract.invitationStatus(row, ctx.now);
  if (status === 'accepted') fail('invitation.accepted');
  if (status === 'revoked') fail('invitation.revoked');
  const dayAgo = ctx.now.getTime() - 86_400_000;
  const lately = row.resent_at.filter((at) => at.getTime() > dayAgo);
  if (lately.length >= contract.RESENDS_PER_DAY)
    fail('invitation.resent_too_often', { count: contract.RESENDS_PER_DAY });
  const token = randomToken('tli');
  await renewInvitation(ctx.tx, ctx.companyId, id, {
    tokenHash: hashToken(token),
    at: ctx.now,
    expiresAt: expiryOf(ctx.now),
    resentAt: [...lately, ctx.now],
  });
  await audit(ctx, 'invitation.resent', `invitation:${id}`, { after: { email: row.email } });
  await ctx.publish(contract.invitationChanged, { companyId: ctx.companyId, invitationId: id });
  return { data: await presentById(ctx, id, token) };
}
