/**
 * Short-lived tokens with which a browser joins the media plane:
 * `base64url(payload).base64url(HMAC-SHA256)`. Checked only when joining: an expired token does not
 * end a call.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** Who joins: a user's browser, or an outside phone. */
export type MediaIdentity =
  | { kind: 'app'; companyId: number; userId: number; identity: string; device: string }
  | { kind: 'handset'; number: string; device: string };

const signature = (payload: string, secret: string): Buffer =>
  createHmac('sha256', secret).update(`media-token:${payload}`).digest();

/** A token for this identity, valid until `expiresAtMs` (milliseconds since 1970). */
export function mintMediaToken(
  identity: MediaIdentity,
  secret: string,
  expiresAtMs: number,
): string {
  const payload = Buffer.from(
    JSON.stringify({ ...identity, exp: Math.floor(expiresAtMs / 1000) }),
  ).toString('base64url');
  return `${payload}.${signature(payload, secret).toString('base64url')}`;
}

/** Null when it is forged, malformed or expired. */
export function readMediaToken(token: string, secret: string, nowMs: number): MediaIdentity | null {
  const [payload, given] = token.split('.');
  if (!payload || !given) return null;
  const expected = signature(payload, secret);
  const actual = Buffer.from(given, 'base64url');
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return null;
  const read = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as MediaIdentity & {
    exp: number;
  };
  if (read.exp * 1000 <= nowMs) return null;
  return read.kind === 'app'
    ? {
        kind: 'app',
        companyId: read.companyId,
        userId: read.userId,
        identity: read.identity,
        device: read.device,
      }
    : { kind: 'handset', number: read.number, device: read.device };
}
