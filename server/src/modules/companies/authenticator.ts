import type { FastifyRequest } from 'fastify';
import type { Actor, Services } from '../../platform/context.ts';
import type { Authenticator } from '../../platform/http/authenticate.ts';
import type { AuthenticateSocket } from '../../platform/realtime-sessions.ts';
import { hashToken, sessionCookieName } from '../../platform/secrets.ts';
import { identity } from '#contract';
import {
  hasValidCsrfToken,
  isBeamToken,
  readBeamToken,
  requireRecentConfirmation,
  requireSameSite,
} from '../identity/index.ts';
import { actorOfKey, actorOfSession } from './actors.ts';
import { recognizeProgram } from './recognize-program.ts';
import { idleMinutesOf } from './session-policies.ts';
import { findKey, findSession, touchKey, touchSession, type SessionRow } from './store-session.ts';

// The system role: runs before a company is chosen, or creates one.

const TOUCH_AFTER_MS = 60_000;
/** API keys never expire as far as a socket is concerned: it asks again when they change. */
const KEY_CHECK_MS = 3_600_000;

type Credentials = {
  headers: Record<string, string | undefined>;
  cookie: string | undefined;
  ip: string;
};
type Authenticated = { actor: Actor; by: 'cookie' | 'bearer'; until: Date };

/** Authenticates requests and sockets. Nothing is cached, so that revoked sessions end at once. */
export function createAuthenticator(
  services: Services,
): Authenticator & { recognize: AuthenticateSocket } {
  const authenticate = async (sent: Credentials): Promise<Authenticated | null> => {
    const bearer = /^Bearer (\S+)$/i.exec(sent.headers['authorization'] ?? '')?.[1];
    if (bearer?.startsWith('tlk_')) return byKey(services, bearer, sent.ip);
    if (bearer && isBeamToken(bearer)) return byBeamToken(services, bearer, sent.ip);
    const token = bearer ?? sent.cookie;
    if (!token) return null;
    const found = await bySession(services, token, bearer ? 'bearer' : 'cookie', sent);
    return found ?? (bearer ? recognizeProgram(services, bearer, sent.ip) : null);
  };
  const cookieName = sessionCookieName(services.settings.publicUrl);
  return {
    authenticate: (request: FastifyRequest) =>
      authenticate({
        headers: request.headers as Record<string, string | undefined>,
        cookie: request.cookies[cookieName],
        ip: request.ip,
      }),
    requireConfirmation: (actor) =>
      requireRecentConfirmation({ db: services.db, actor, now: services.now() }),
    hasValidXsrf: (request) => hasValidCsrfToken(request, services.settings.appSecrets),
    checkSignInOrigin: (request) => requireSameSite(request, services.settings),
    recognize: async (headers, ip) => {
      const cookie = cookieIn(headers['cookie'], cookieName);
      const found = await authenticate({ headers, cookie, ip });
      // Channels know no scopes, and a program's token has nothing else.
      if (found?.actor.scopes) return null;
      return found;
    },
  };
}

async function byKey(
  { db, now }: Services,
  token: string,
  ip: string,
): Promise<Authenticated | null> {
  const at = now();
  const row = await findKey(db.unscoped, hashToken(token), at);
  const actor = row && actorOfKey(row, ip);
  if (!row || !actor) return null;
  if (at.getTime() - (row.last_used_at?.getTime() ?? 0) > TOUCH_AFTER_MS)
    await touchKey(db.unscoped, row.company_id, row.key_id, at, ip);
  const until = row.expires_at ?? new Date(at.getTime() + KEY_CHECK_MS);
  return { actor, by: 'bearer', until };
}

async function bySession(
  services: Services,
  token: string,
  by: 'cookie' | 'bearer',
  { headers, ip }: Credentials,
): Promise<Authenticated | null> {
  const now = services.now();
  const { unscoped } = services.db;
  const credential = by === 'bearer' ? 'access' : 'cookie';
  const row = await findSession(unscoped, credential, hashToken(token), now);
  if (!row) return null;
  const lastSeen = new Date(row.last_seen_at);
  const idleMinutes = idleMinutesIn(row);
  const idleUntil = new Date(Math.max(now.getTime(), +lastSeen) + idleMinutes * 60_000);
  // Apps on a phone stay signed in; what stands open on a desk does not.
  const isBoundByIdling = row.kind === 'browser' || by === 'cookie';
  if (isBoundByIdling && isIdle(row, now)) return null;
  if (now.getTime() - lastSeen.getTime() > TOUCH_AFTER_MS || row.idle_minutes !== idleMinutes)
    await touchSession(unscoped, row.session_id, now, idleMinutes);
  const wantsAdmin =
    headers['isadmin'] !== undefined && !['', '0', 'false'].includes(headers['isadmin']);
  // The header only works for platform staff who signed in for it (A1) and entered admin mode.
  if (wantsAdmin && !(row.is_staff && row.admin_mode))
    services.log.warn({ userId: row.person_id }, 'isAdmin header ignored');
  const actor = actorOfSession(row, wantsAdmin, ip);
  const ends = [
    actor.admin?.endsAt ?? null,
    by === 'bearer' ? row.access_expires_at : null,
    isBoundByIdling ? idleUntil : null,
  ].flatMap((at) => (at ? [new Date(at).getTime()] : []));
  return { actor, by, until: new Date(Math.min(...ends)) };
}

const idleMinutesIn = ({ places }: SessionRow): number =>
  idleMinutesOf(places.filter(({ roles }) => !roles.includes('deactivated')));
const isIdle = (row: SessionRow, now: Date): boolean =>
  now.getTime() - new Date(row.last_seen_at).getTime() >= idleMinutesIn(row) * 60_000;

/** Registers devices for the person of its session, while that session lasts; nothing else. */
async function byBeamToken(
  services: Services,
  token: string,
  ip: string,
): Promise<Authenticated | null> {
  const now = services.now();
  const said = readBeamToken(services.settings.appSecrets, token, now);
  const row = said && (await findSession(services.db.unscoped, 'id', said.sessionId, now));
  const isTheirs = row?.person_id === said?.personId && row?.remote_company_id === null;
  if (!said || !row || !isTheirs || (row.kind !== 'device' && isIdle(row, now))) return null;
  const actor = { ...actorOfSession(row, false, ip), scopes: [identity.BEAM_SCOPE] };
  return { actor, by: 'bearer', until: said.expiresAt };
}

const cookieIn = (header: string | undefined, name: string) =>
  header
    ?.split(/;\s*/)
    .find((c) => c.startsWith(`${name}=`))
    ?.slice(name.length + 1);
