import { randomBytes } from 'node:crypto';
import {
  normalizePhone,
  type Answer,
  type Body,
  type caddy as contract,
  type PageAnswer,
  type Query,
} from '#contract';
import { invitationLimits, invitationReward } from '#contract/caddy/rules';
import type { Ctx, TxCtx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { fail, invalid } from '../../../platform/errors.ts';
import { addReward } from '../../companies/index.ts';
import { optedOutOfAny } from '../../contacts/index.ts';
import { queueText, requireTextable } from '../../conversations/index.ts';
import { heldNumbers } from '../../numbers/index.ts';
import { accountIds, lockAccount } from '../store.ts';
import {
  insertInvitation,
  invitationPage,
  invitedSince,
  markJoined,
  markRewarded,
  type InvitationRow,
} from './store-invitations.ts';

// The system role: an opt-out of any account counts, and the inviting account is another one.

type Invitation = Answer<typeof contract.inviteToCaddy>['data'];
const dayMs = 86_400_000;
const oldest = (now: Date) => new Date(now.getTime() - invitationLimits.againDays * dayMs);

const present = (row: InvitationRow, now: Date): Invitation => ({
  id: row.id,
  phoneNumber: row.phone,
  status: row.rewarded_at
    ? 'rewarded'
    : row.joined_at
      ? 'joined'
      : row.sent_at < oldest(now)
        ? 'expired'
        : 'sent',
  sentAt: row.sent_at.toISOString(),
  joinedAt: row.joined_at?.toISOString() ?? null,
  reward: row.rewarded_at ? invitationReward : null,
});

/** A page of the account's invitations. */
export async function listInvitations(
  t: TxCtx,
  { page, perPage }: Query<typeof contract.listCaddyInvitations>,
): Promise<PageAnswer<Invitation>> {
  const at = { limit: perPage, offset: (page - 1) * perPage };
  const { rows, total } = await invitationPage(t.tx, t.companyId, at);
  return { rows: rows.map((row) => present(row, t.now)), total };
}

/**
 * Texts an invitation from the account's own number, by the rules of any text.
 * @throws ApiError `caddy.no_number`, `caddy.invitations_used`, `caddy.invited_lately`,
 * `caddy.invitee_opted_out`, or why it can't be texted
 */
export async function invite(
  ctx: Ctx,
  { phoneNumber }: Body<typeof contract.inviteToCaddy>,
): Promise<Answer<typeof contract.inviteToCaddy>> {
  const phone = normalizePhone(phoneNumber) ?? invalid({ phoneNumber: 'Enter a phone number.' });
  // Who asked one of us for no texts asked all of us.
  const isOptedOut = await ctx.db.systemTransaction(async (tx) =>
    optedOutOfAny(tx, await accountIds(tx), phone),
  );
  if (isOptedOut) fail('caddy.invitee_opted_out');
  const row = await ctx.transaction(async (t) => {
    await lockAccount(t.tx, t.companyId);
    await requireAllowed(t, phone);
    const held = await heldNumbers(t.tx, t.companyId);
    const from = held.find(({ status }) => status === 'active') ?? fail('caddy.no_number');
    await requireTextable(t, from.id, phone);
    const code = `${t.companyId.toString(36)}-${randomBytes(6).toString('hex')}`;
    const link = `${t.settings.publicUrl}/caddy/welcome?invite=${code}`;
    const content = `${t.actor.name && !t.actor.name.includes('@') ? `${t.actor.name} invites you` : 'You’re invited'} to a second phone number, free to start: ${link} Reply STOP to get no more texts.`;
    await queueText(t, { numberId: from.id, party: phone, content, media: [] });
    return insertInvitation(t.tx, { company_id: t.companyId, phone, code, sent_at: t.now });
  });
  return { data: present(row, ctx.now) };
}

async function requireAllowed(t: TxCtx, phone: string): Promise<void> {
  const lately = await invitedSince(t.tx, t.companyId, oldest(t.now));
  if (lately.some((one) => one.phone === phone)) fail('caddy.invited_lately');
  const dayAgo = new Date(t.now.getTime() - dayMs);
  const today = lately.filter(({ sent_at }) => sent_at > dayAgo).length;
  if (today >= invitationLimits.perDay) fail('caddy.invitations_used', { n: today });
}

/** Notes that a new account came by this code. A wrong or old one changes nothing. */
export async function joinByCode(
  tx: Tx,
  code: string,
  { accountId, at }: { accountId: number; at: Date },
): Promise<void> {
  const inviter = Number.parseInt(code.split('-')[0] ?? '', 36);
  if (!Number.isSafeInteger(inviter)) return;
  await markJoined(tx, { companyId: inviter, code, since: oldest(at), accountId, at });
}

/** Rewards who invited this account, once it has a number; otherwise nothing. */
export const rewardInviter = (ctx: Ctx): Promise<void> =>
  ctx.db.systemTransaction(async (tx) => {
    const inviter = await markRewarded(tx, ctx.companyId, invitationLimits.rewards, ctx.now);
    if (inviter !== undefined) await addReward(tx, inviter);
  });
