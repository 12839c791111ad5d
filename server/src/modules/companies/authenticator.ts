import type { FastifyRequest } from 'fastify';
import type { Actor, Services } from '../../platform/context.ts';
import type { Authenticator } from '../../platform/http/authenticate.ts';
import type { AuthenticateSocket } from '../../platform/realtime-sessions.ts';
import { hashToken, sessionCookieName } from '../../platform/secrets.ts';
import { fullName, requireSameSite, hasValidCsrfToken } from '../identity/index.ts';
import { recognizeProgram } from './recognize-program.ts';
import { findSession, touchSession } from './store-session.ts';

const IDLE_MINUTES = 720; // session_idle_minutes (A20)
const TOUCH_AFTER_MS = 60_000;

/** Authenticates requests and sockets. Nothing is cached, so that revoked sessions end at once. */
export function createAuthenticator(
  services: Services,
): Authenticator & { recognize: AuthenticateSocket } {
  const authenticate = async (
    headers: Record<string, string | undefined>,
    cookieOf: () => string | undefined,
  ): Promise<{ actor: Actor; by: 'cookie' | 'bearer'; until: Date } | null> => {
    const bearer = /^Bearer (\S+)$/i.exec(headers['authorization'] ?? '')?.[1];
    const token = bearer ?? cookieOf();
    if (!token) return null;
    const now = services.now();
    const row = await findSession(
      services.db.unscoped,
      bearer ? 'access' : 'cookie',
      hashToken(token),
      now,
      IDLE_MINUTES,
    );
    if (!row) return bearer ? recognizeProgram(services, bearer) : null;
    if (now.getTime() - new Date(row.last_seen_at).getTime() > TOUCH_AFTER_MS)
      await touchSession(services.db.unscoped, row.session_id, now);
    const wantsAdmin =
      headers['isadmin'] !== undefined && !['', '0', 'false'].includes(headers['isadmin']);
    // The header only works for platform staff who signed in in admin mode (A1).
    if (wantsAdmin && !(row.is_staff && row.admin_mode))
      services.log.warn({ userId: row.person_id }, 'isAdmin header ignored');
    const actor: Actor = {
      kind: 'user',
      userId: row.person_id,
      name: fullName(row),
      email: row.email,
      sessionId: row.session_id,
      staff: row.is_staff,
      adminMode: row.is_staff && row.admin_mode && wantsAdmin,
      memberships: row.places,
    };
    if (actor.adminMode)
      services.log.info({ userId: actor.userId }, 'platform staff in admin mode');
    const until = new Date(
      bearer && row.access_expires_at
        ? row.access_expires_at
        : Math.max(now.getTime(), new Date(row.last_seen_at).getTime()) + IDLE_MINUTES * 60_000,
    );
    return { actor, by: bearer ? 'bearer' : 'cookie', until };
  };
  const cookieName = sessionCookieName(services.settings.publicUrl);
  return {
    authenticate: (request: FastifyRequest) =>
      authenticate(
        request.headers as Record<string, string | undefined>,
        () => request.cookies[cookieName],
      ),
    hasValidXsrf: (request) => hasValidCsrfToken(request, services.settings.appSecrets),
    checkSignInOrigin: (request) => requireSameSite(request, services.settings),
    recognize: async (headers) => {
      const found = await authenticate(headers, () => cookieIn(headers['cookie'], cookieName));
      // Channels know no scopes.
      return found?.actor.scopes ? null : found;
    },
  };
}
const cookieIn = (header: string | undefined, name: string) =>
  header
    ?.split(/;\s*/)
    .find((c) => c.startsWith(`${name}=`))
    ?.slice(name.length + 1);
