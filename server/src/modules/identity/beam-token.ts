import type { Answer, Query, identity as contract } from '#contract';
import type { Ctx } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { madeWithOneOf, sign, type KeyRing } from '../../platform/secrets.ts';

const BEAM_PREFIX = 'tlb_';
const BEAM_MINUTES = 10;

/** Of whom a beam token is, and of which session of theirs. */
interface BeamToken {
  personId: number;
  sessionId: number;
  expiresAt: Date;
}

const signatureOf = (payload: string) => (secret: Buffer) => sign(secret, `beam:${payload}`);

/**
 * A token for push registration. It is signed and stored nowhere, and counts only while the session
 * that asked for it does. `not_found` for anyone but the signed-in person.
 */
export async function getBeamToken(
  ctx: Ctx,
  { user_id: expected }: Query<typeof contract.getBeamToken>,
): Promise<Answer<typeof contract.getBeamToken>> {
  const { userId, sessionId } = ctx.actor;
  if (expected !== undefined && expected !== userId) notFound();
  const expiresAt = new Date(ctx.now.getTime() + BEAM_MINUTES * 60_000);
  const payload = Buffer.from(
    JSON.stringify({ u: userId, s: sessionId, e: expiresAt.getTime() }),
  ).toString('base64url');
  const signature = signatureOf(payload)(ctx.settings.appSecret);
  return {
    token: `${BEAM_PREFIX}${payload}.${signature}`,
    user_id: userId,
    expires_at: expiresAt.toISOString(),
  };
}

export const isBeamToken = (token: string): boolean => token.startsWith(BEAM_PREFIX);

/** What a beam token says; null: not one of ours, or expired. */
export function readBeamToken(secrets: KeyRing, token: string, now: Date): BeamToken | null {
  const [payload = '', signature = ''] = token.slice(BEAM_PREFIX.length).split('.');
  if (!madeWithOneOf(secrets, signature, signatureOf(payload))) return null;
  // We wrote it ourselves.
  const { u, s, e } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as {
    u: number;
    s: number;
    e: number;
  };
  return e > now.getTime() ? { personId: u, sessionId: s, expiresAt: new Date(e) } : null;
}
