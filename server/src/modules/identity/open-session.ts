import type { Http } from '../../platform/routes.ts';
import { auditPerson } from '../../platform/audit.ts';
import type { Ctx } from '../../platform/context.ts';
import type { Tx } from '../../platform/db.ts';
import { hashToken, randomToken, sessionCookieName } from '../../platform/secrets.ts';
import { ACCESS_SECONDS, REFRESH_DAYS, type SessionKind } from './rules.ts';
import { insertSession } from './store.ts';

/** Opens a session: a token pair (stored hashed) and, for browsers, the cookie. */
export async function openSession(
  ctx: Ctx,
  tx: Tx,
  http: Http,
  options: {
    personId: number;
    kind: SessionKind;
    deviceName?: string | null;
    adminMode?: boolean;
    remember?: boolean;
    family?: string;
    /** The person has just proved who they are, so dangerous actions don't ask again for a while. */
    isConfirmed?: boolean;
    /** Whose own provider the sign-in came through. */
    ssoOrganizationId?: number | null;
    /** Opened by staff in this person's place: it can't be refreshed. */
    remoteLoginId?: number;
  },
) {
  const access = randomToken('tla');
  const refresh = randomToken('tlr');
  const cookie = options.kind === 'browser' ? randomToken('tls') : null;
  const row = await insertSession(tx, {
    person_id: options.personId,
    kind: options.kind,
    device_name: options.deviceName ?? null,
    cookie_hash: cookie && hashToken(cookie),
    access_hash: hashToken(access),
    refresh_hash: options.remoteLoginId ? null : hashToken(refresh),
    access_expires_at: new Date(ctx.now.getTime() + ACCESS_SECONDS * 1000),
    refresh_expires_at: new Date(ctx.now.getTime() + REFRESH_DAYS * 86_400_000),
    admin_mode: options.adminMode ?? false,
    sso_organization_id: options.ssoOrganizationId ?? null,
    ip: http.ip,
    user_agent: http.request.headers['user-agent']?.slice(0, 300) ?? null,
    confirmed_at: options.isConfirmed ? ctx.now : null,
    created_at: ctx.now,
    last_seen_at: ctx.now,
    ...(options.family ? { family: options.family } : {}),
    ...(options.remoteLoginId ? { remote_login_id: options.remoteLoginId } : {}),
  });
  // A renewed session is the same sign-in.
  if (!options.family)
    await auditPerson(
      { ...ctx, actor: { ...ctx.actor, sessionId: row.id } },
      tx,
      options.personId,
      'sign_in.succeeded',
      { on: options.deviceName ?? options.kind },
    );
  if (cookie) {
    void http.reply.setCookie(sessionCookieName(ctx.settings.publicUrl), cookie, {
      path: '/',
      httpOnly: true,
      sameSite: 'lax',
      secure: ctx.settings.publicUrl.startsWith('https:'),
      ...(options.remember ? { maxAge: REFRESH_DAYS * 86_400 } : {}),
    });
  }
  return {
    sessionId: row.id,
    token: {
      access_token: access,
      expires_in: ACCESS_SECONDS,
      refresh_token: refresh,
      token_type: 'Bearer' as const,
    },
  };
}
