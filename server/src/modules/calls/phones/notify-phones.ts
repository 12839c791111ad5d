import { calls as contract, type EventData } from '#contract';
import type { TxCtx } from '../../../platform/context.ts';
import { madeWithOneOf, sign, type KeyRing } from '../../../platform/secrets.ts';
import type { CallState, Leg } from '../../routing/index.ts';
import { contactWithName, numberBrief, type CallRow } from '../records/store.ts';

type InAppCallingData = EventData<typeof contract.inAppCalling>;

/** Proves that a leg rang this user; needed to decline it. */
export const joinToken = (secret: Buffer, companyId: number, userId: number, leg: string): string =>
  `${leg}~${sign(secret, `join:${companyId}:${userId}:${leg}`).slice(0, 22)}`;
/** The leg of a join token; null = not this user's token. */
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

/** Publishes each app leg's change of phase to its user (A27 `in-app-calling`). */
export async function notifyPhones(
  ctx: TxCtx,
  row: CallRow,
  before: CallState | null,
  after: CallState,
): Promise<void> {
  const known = new Map((before?.legs ?? []).map((leg) => [leg.id, phaseOf(leg)]));
  const changed = after.legs.flatMap((leg) =>
    leg.target?.to.kind === 'app' && known.get(leg.id) !== phaseOf(leg)
      ? [{ leg, userId: leg.target.to.userId, timeoutSeconds: leg.target.timeoutSeconds }]
      : [],
  );
  if (!changed.length) return;
  const number = await numberBrief(ctx.tx, ctx.companyId, row.number_id);
  const contact = await contactWithName(ctx.tx, ctx.companyId, row.contact_id);
  for (const { leg, userId, timeoutSeconds } of changed) {
    const type = phaseOf(leg);
    const data: InAppCallingData = {
      type,
      callId: row.id,
      joinToken:
        type === 'ended' ? null : joinToken(ctx.settings.appSecret, ctx.companyId, userId, leg.id),
      // The user who placed the call sees our number; a user it was transferred to sees the party.
      from: row.outbound && leg.role === 'agent' ? row.from_number : row.party,
      number: number ? { id: number.id, number: number.number, label: number.label } : null,
      contact,
      expiresAt:
        type === 'ringing' ? new Date(leg.startedAt + timeoutSeconds * 1000).toISOString() : null,
      companyId: ctx.companyId,
      leg: leg.id,
      outbound: row.outbound && leg.role === 'agent',
      status: null,
      ...(leg.role === 'monitor' ? { monitoring: true } : {}),
      because: type === 'ended' ? endReason(leg, after) : null,
    };
    await ctx.publish(contract.inAppCalling, data, { userId });
  }
}

/** `answered` when another destination took the call, else the leg's own cause. */
function endReason(leg: Leg, state: CallState): InAppCallingData['because'] {
  const takenElsewhere = state.legs.some(
    (other) =>
      other !== leg &&
      other.role === 'target' &&
      (other.state === 'connected' || other.state === 'confirming'),
  );
  return takenElsewhere ? 'answered' : (leg.cause ?? 'ended');
}
