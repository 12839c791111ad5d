import type { Answer, Body } from '#contract';
import { identity as contract } from '#contract';
import { auditPerson } from '../../platform/audit.ts';
import type { Http } from '../../platform/routes.ts';
import { publishIn, type Ctx } from '../../platform/context.ts';
import { fail, notFound } from '../../platform/errors.ts';
import type { Tx } from '../../platform/db.ts';
import { hashToken, sessionCookieName } from '../../platform/secrets.ts';
import { openSession } from './open-session.ts';
import type { SessionKind } from './rules.ts';
import { liveSessionsOfFamily, ssoOrganizationOf } from './store-families.ts';
import { endSessions, liveSessions, lockSessionByRefresh, markSessionRefreshed } from './store.ts';

// The system role: people, sign-in codes and sessions belong to no company.

/** How long a refresh token can be sent again because its answer was lost on the way. */
const OVERLAP_MS = 60_000;

/**
 * Creates a device token, or a new pair for a refresh token. A refresh token used twice ends all
 * sessions of its family, unless its answer was lost on the way to an app. `unauthenticated` without
 * a user or for an unknown token.
 */
export async function createTokenSession(
  ctx: Ctx,
  body: Body<typeof contract.createTokenSession>,
  http: Http,
): Promise<Answer<typeof contract.createTokenSession>> {
  if (!body.refresh_token) {
    if (!ctx.actor.userId) fail('unauthenticated');
    return ctx.db.systemTransaction(async (tx) => {
      const { sessionId, token } = await openSession(ctx, tx, http, {
        personId: ctx.actor.userId,
        kind: 'device',
        deviceName: body.device_name ?? null,
        ssoOrganizationId: await ssoOrganizationOf(tx, ctx.actor.sessionId),
      });
      return { token, data: { id: sessionId, device_name: body.device_name ?? null } };
    });
  }
  const refreshHash = hashToken(body.refresh_token);
  const result = await ctx.db.systemTransaction(async (tx) => {
    const old = await lockSessionByRefresh(tx, refreshHash);
    if (!old || !old.refresh_expires_at || old.refresh_expires_at < ctx.now) return null;
    if (old.refreshed_at && !(await dropUnusedSuccessor(tx, old, ctx.now))) {
      // Used twice: someone has a copy of the token.
      const ended = await endSessions(tx, { family: old.family }, ctx.now);
      if (ended.length) {
        await publishIn(
          tx,
          contract.sessionRevoked,
          { userId: old.person_id, sessionIds: ended.map(({ id }) => id) },
          { userId: old.person_id },
        );
        await auditPerson(ctx, tx, old.person_id, 'session.reused', { sessions: ended.length });
      }
      return null;
    }
    if (!old.refreshed_at) {
      if (old.ended_at || isIdle(old, ctx.now)) return null;
      await markSessionRefreshed(tx, old.id, ctx.now);
    }
    const next = await openSession(ctx, tx, http, {
      personId: old.person_id,
      kind: old.kind as SessionKind,
      deviceName: old.device_name,
      adminMode: old.admin_mode,
      family: old.family,
      ssoOrganizationId: old.sso_organization_id,
    });
    return { token: next.token, data: { id: next.sessionId, device_name: old.device_name } };
  });
  return result ?? fail('unauthenticated');
}

/**
 * Ends the session that followed, if it has served no request within a minute: then nobody got its
 * tokens, and another one may take its place. A copied token is found out all the same, as soon as
 * both who have it go on. False: it was used, or this is a browser's, whose answer sets a cookie.
 */
async function dropUnusedSuccessor(
  tx: Tx,
  old: { kind: string; family: string; refreshed_at: Date | null },
  now: Date,
): Promise<boolean> {
  if (old.kind === 'browser' || !old.refreshed_at) return false;
  if (now.getTime() - old.refreshed_at.getTime() > OVERLAP_MS) return false;
  const live = await liveSessionsOfFamily(tx, old.family);
  const [successor] = live;
  // Each session notes how long it can stand idle when it serves its first request.
  if (!successor || live.length > 1 || successor.idle_minutes !== null) return false;
  await markSessionRefreshed(tx, successor.id, now);
  return true;
}

/** A browser that was not used for too long can't be renewed; apps on a phone stay signed in. */
const isIdle = (
  session: { kind: string; last_seen_at: Date; idle_minutes: number | null },
  now: Date,
): boolean =>
  session.kind === 'browser' &&
  session.idle_minutes !== null &&
  now.getTime() - session.last_seen_at.getTime() >= session.idle_minutes * 60_000;

/** The user's sessions in browsers and on devices, with the current one marked. */
export async function listTokenSessions(
  ctx: Ctx,
): Promise<Answer<typeof contract.listTokenSessions>> {
  const rows = await ctx.readOnly(({ tx }) => liveSessions(tx, ctx.actor.userId));
  return {
    data: rows.map((s) => ({
      id: s.id,
      kind: s.kind as 'browser' | 'device',
      device_name: s.device_name,
      device: contract.deviceOf(s.user_agent),
      ip: s.ip,
      user_agent: s.user_agent,
      current: s.id === ctx.actor.sessionId,
      created_at: s.created_at.toISOString(),
      last_seen_at: s.last_seen_at.toISOString(),
    })),
  };
}

/** Ends one of the user's own sessions. `not_found` for another's, or one that has ended. */
export async function endTokenSession(ctx: Ctx, id: number): Promise<void> {
  const ended = await revokeOwnSessions(ctx, { id });
  if (!ended.length) notFound();
}

/** Ends all sessions of the user but the current one. */
export async function endOtherSessions(
  ctx: Ctx,
): Promise<Answer<typeof contract.clearTokenSessions>> {
  return {
    data: {
      ended: (await revokeOwnSessions(ctx, { exceptId: ctx.actor.sessionId })).length,
    },
  };
}

/** Ends the current session and clears its cookie. */
export async function logout(ctx: Ctx, http: Http): Promise<void> {
  await revokeOwnSessions(ctx, { id: ctx.actor.sessionId });
  const { publicUrl } = ctx.settings;
  void http.reply.clearCookie(sessionCookieName(publicUrl), {
    path: '/',
    secure: publicUrl.startsWith('https:'),
  });
}

/** Ends sessions of the signed-in person, within their own wall, and publishes it. */
async function revokeOwnSessions(
  ctx: Ctx,
  filter: { exceptId?: number; id?: number },
): Promise<number[]> {
  const personId = ctx.actor.userId;
  const ended = await ctx.transaction(({ tx }) =>
    revokeSessionsIn(tx, { ...filter, personId }, ctx.now),
  );
  // Within their own wall they reach no company's log.
  if (ended.length)
    await ctx.db.systemTransaction((tx) =>
      auditPerson(ctx, tx, personId, 'session.ended', { sessions: ended.length }),
    );
  return ended;
}
/**
 * Ends sessions of a person and publishes it: their sockets close within a second. Returns their
 * IDs.
 */
export const revokeSessions = (
  ctx: Ctx,
  filter: { personId: number; exceptId?: number; id?: number },
): Promise<number[]> => ctx.db.systemTransaction((tx) => revokeSessionsIn(tx, filter, ctx.now));
/** The same within a transaction. */
export const revokeSessionsIn = async (
  tx: Tx,
  { personId, ...filter }: { personId: number; exceptId?: number; id?: number },
  now: Date,
): Promise<number[]> =>
  (await revokeSessionsOf(tx, { ...filter, personIds: [personId] }, now)).get(personId) ?? [];

/**
 * Ends sessions of many people and publishes it for each. Returns the IDs of the ended ones by
 * person; people without any are left out.
 */
export async function revokeSessionsOf(
  tx: Tx,
  filter: { personIds: readonly number[]; exceptId?: number; id?: number },
  now: Date,
): Promise<Map<number, number[]>> {
  const ended = new Map<number, number[]>();
  for (const { id, person_id: userId } of await endSessions(tx, filter, now))
    ended.set(userId, [...(ended.get(userId) ?? []), id]);
  for (const [userId, sessionIds] of ended)
    await publishIn(tx, contract.sessionRevoked, { userId, sessionIds }, { userId });
  return ended;
}
