import type { FastifyRequest } from 'fastify';
import type { Actor, House } from '../../platform/context.ts';
import type { Doorman } from '../../platform/gate.ts';
import type { Recognize } from '../../platform/realtime.ts';
import { hashToken, sessionCookie } from '../../platform/secrets.ts';
import { fullName, guardSignIn, provesOrigin } from '../identity/index.ts';
import { recognize, touchSession } from './store.ts';

const IDLE_MINUTES = 720; // session_idle_minutes (A20)
const TOUCH_AFTER_MS = 60_000;

/** Who a request is. Nothing is cached: what was revoked a moment ago is refused now. */
export function doorman(house: House): Doorman & { recognize: Recognize } {
  const find = async (
    headers: Record<string, string | undefined>,
    cookieOf: () => string | undefined,
  ): Promise<{ actor: Actor; by: 'cookie' | 'bearer'; until: Date } | null> => {
    const bearer = /^Bearer (\S+)$/i.exec(headers['authorization'] ?? '')?.[1];
    const token = bearer ?? cookieOf();
    if (!token) return null;
    const now = house.now();
    const row = await recognize(
      house.db.directory,
      bearer ? 'access' : 'cookie',
      hashToken(token),
      now,
      IDLE_MINUTES,
    );
    if (!row) return null;
    if (now.getTime() - new Date(row.last_seen_at).getTime() > TOUCH_AFTER_MS)
      await touchSession(house.db.directory, row.session_id, now);
    const wantsAdmin =
      headers['isadmin'] !== undefined && !['', '0', 'false'].includes(headers['isadmin']);
    // The header is honoured only for platform staff who signed in in admin mode; anybody else's is ignored and logged (A1).
    if (wantsAdmin && !(row.is_staff && row.admin_mode))
      house.log.warn({ userId: row.person_id }, 'isAdmin header ignored');
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
    if (actor.adminMode) house.log.info({ userId: actor.userId }, 'platform staff in admin mode');
    const until = new Date(
      bearer && row.access_expires_at
        ? row.access_expires_at
        : Math.max(now.getTime(), new Date(row.last_seen_at).getTime()) + IDLE_MINUTES * 60_000,
    );
    return { actor, by: bearer ? 'bearer' : 'cookie', until };
  };
  const cookieName = sessionCookie(house.settings.publicUrl);
  return {
    authenticate: (request: FastifyRequest) =>
      find(
        request.headers as Record<string, string | undefined>,
        () => request.cookies[cookieName],
      ),
    provesOrigin: (request) => provesOrigin(request, house.settings.appSecret),
    guardSignIn: (request) => guardSignIn(request, house.settings),
    recognize: (headers) => find(headers, () => cookieIn(headers['cookie'], cookieName)),
  };
}
const cookieIn = (header: string | undefined, name: string) =>
  header
    ?.split(/;\s*/)
    .find((c) => c.startsWith(`${name}=`))
    ?.slice(name.length + 1);
