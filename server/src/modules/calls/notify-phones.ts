import { calls as contract, type EventData } from '#contract';
import type { TxCtx } from '../../platform/context.ts';
import { madeWithOneOf, sign, type KeyRing } from '../../platform/secrets.ts';
import type { CallState, Leg } from '../routing/index.ts';
import { contactWithName, numberBrief, type CallRow } from './store.ts';

type InAppCallingData = EventData<typeof contract.inAppCalling>;

/** Proof that this person was invited to this leg; needed to decline it. */
export const joinToken = (secret: Buffer, companyId: number, userId: number, leg: string): string =>
  `${leg}~${sign(secret, `join:${companyId}:${userId}:${leg}`).slice(0, 22)}`;
/** The leg a join token is good for, or null when it is not this person's. */
export function legOfJoinToken(
  secrets: KeyRing,
  companyId: number,
  userId: number,
  token: string,
): string | null {
  const leg = token.slice(0, token.lastIndexOf('~'));
  const isOurs = madeWithOneOf(secrets, token, (secret) =>
    joinToken(secret, companyId, userId, leg),
  );
  return leg && isOurs ? leg : null;
}

type Phase = 'ringing' | 'answered' | 'ended';
const phaseOf = (leg: Leg): Phase =>
  leg.endedAt !== null || leg.state === 'leaving' || leg.state === 'ended'
    ? 'ended'
    : leg.answeredAt !== null
      ? 'answered'
      : 'ringing';

/** Tell each person in the app what became of their leg (A27 `in-app-calling`), on their own channel. */
export async function notifyPhones(
  ctx: TxCtx,
  row: CallRow,
  before: CallState | null,
  after: CallState,
): Promise<void> {
  const known = new Map((before?.legs ?? []).map((leg) => [leg.id, phaseOf(leg)]));
  const news = after.legs.filter(
    (leg) => leg.target?.to.kind === 'app' && known.get(leg.id) !== phaseOf(leg),
  );
  if (!news.length) return;
  const number = await numberBrief(ctx.tx, ctx.companyId, row.number_id);
  const contact = await contactWithName(ctx.tx, ctx.companyId, row.contact_id);
  for (const leg of news) {
    const to = leg.target!.to as { kind: 'app'; userId: number };
    const type = phaseOf(leg);
    const said: InAppCallingData = {
      type,
      callId: row.id,
      joinToken:
        type === 'ended'
          ? null
          : joinToken(ctx.settings.appSecret, ctx.companyId, to.userId, leg.id),
      // Whoever placed the call sees it as theirs; whoever it is passed on to sees the other party.
      from: row.outbound && leg.role === 'agent' ? row.from_number : row.party,
      number: number ? { id: number.id, number: number.number, label: number.label } : null,
      contact,
      expiresAt:
        type === 'ringing'
          ? new Date(leg.startedAt + leg.target!.timeoutSeconds * 1000).toISOString()
          : null,
      companyId: ctx.companyId,
      leg: leg.id,
      outbound: row.outbound && leg.role === 'agent',
      status: null,
      ...(leg.role === 'monitor' ? { monitoring: true } : {}),
      because:
        type === 'ended'
          ? after.legs.some(
              (other) =>
                other !== leg &&
                other.role === 'target' &&
                (other.state === 'connected' || other.state === 'confirming'),
            )
            ? 'answered'
            : (leg.cause ?? 'ended')
          : null,
    };
    await ctx.publish(contract.inAppCalling, said, { userId: to.userId });
  }
}
