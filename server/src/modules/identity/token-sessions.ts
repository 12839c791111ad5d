import type { Answer, Body } from '#contract';
import { identity as contract } from '#contract';
import type { Http } from '../../platform/answer.ts';
import { sayIn, type Ctx } from '../../platform/context.ts';
import { refuse } from '../../platform/refuse.ts';
import type { Tx } from '../../platform/db.ts';
import { hashToken, sessionCookie } from '../../platform/secrets.ts';
import { openSession } from './open-session.ts';
import { endSessions, liveSessions, markRefreshed, sessionByRefresh } from './store.ts';

/** A device token for the signed-in person, or a fresh pair for a refresh token. A refresh token used twice closes its family. */
export async function createTokenSession(
  ctx: Ctx,
  said: Body<typeof contract.createTokenSession>,
  http: Http,
): Promise<Answer<typeof contract.createTokenSession>> {
  if (!said.refresh_token) {
    if (!ctx.actor.userId) refuse('unauthenticated');
    return ctx.db.system(async (tx) => {
      const { sessionId, token } = await openSession(ctx, tx, http, {
        personId: ctx.actor.userId,
        kind: 'device',
        deviceName: said.device_name ?? null,
      });
      return { token, data: { id: sessionId, device_name: said.device_name ?? null } };
    });
  }
  const refreshHash = hashToken(said.refresh_token);
  const outcome = await ctx.db.system(async (tx) => {
    const old = await sessionByRefresh(tx, refreshHash);
    if (!old || !old.refresh_expires_at || old.refresh_expires_at < ctx.now) return null;
    if (old.refreshed_at) {
      // Somebody holds a copy: nobody of this family stays signed in.
      const ended = await endSessions(tx, { family: old.family }, ctx.now);
      if (ended.length)
        await sayIn(
          tx,
          contract.sessionRevoked,
          { userId: old.person_id, sessionIds: ended },
          { userId: old.person_id },
        );
      return null;
    }
    if (old.ended_at) return null;
    await markRefreshed(tx, old.id, ctx.now);
    const next = await openSession(ctx, tx, http, {
      personId: old.person_id,
      kind: old.kind as 'browser' | 'device',
      deviceName: old.device_name,
      adminMode: old.admin_mode,
      family: old.family,
    });
    return { token: next.token, data: { id: next.sessionId, device_name: old.device_name } };
  });
  return outcome ?? refuse('unauthenticated');
}

export async function listTokenSessions(
  ctx: Ctx,
): Promise<Answer<typeof contract.listTokenSessions>> {
  const rows = await ctx.db.system((tx) => liveSessions(tx, ctx.actor.userId));
  return {
    data: rows.map((s) => ({
      id: s.id,
      kind: s.kind as 'browser' | 'device',
      device_name: s.device_name,
      ip: s.ip,
      user_agent: s.user_agent,
      current: s.id === ctx.actor.sessionId,
      created_at: s.created_at.toISOString(),
      last_seen_at: s.last_seen_at.toISOString(),
    })),
  };
}

/** Sign out everywhere but here. */
export async function clearTokenSessions(
  ctx: Ctx,
): Promise<Answer<typeof contract.clearTokenSessions>> {
  return {
    data: {
      ended: (await revoke(ctx, { personId: ctx.actor.userId, exceptId: ctx.actor.sessionId }))
        .length,
    },
  };
}

export async function logout(ctx: Ctx, http: Http): Promise<void> {
  await revoke(ctx, { personId: ctx.actor.userId, id: ctx.actor.sessionId });
  const { publicUrl } = ctx.settings;
  void http.reply.clearCookie(sessionCookie(publicUrl), {
    path: '/',
    secure: publicUrl.startsWith('https:'),
  });
}

/** End sessions of one person and say so: sockets of those sessions close within a second. */
export const revoke = (
  ctx: Ctx,
  which: { personId: number; exceptId?: number; id?: number },
): Promise<number[]> => ctx.db.system((tx) => revokeIn(tx, which, ctx.now));
/** The same in a transaction of the system's. */
export async function revokeIn(
  tx: Tx,
  which: { personId: number; exceptId?: number; id?: number },
  now: Date,
): Promise<number[]> {
  const ended = await endSessions(tx, which, now);
  if (ended.length)
    await sayIn(
      tx,
      contract.sessionRevoked,
      { userId: which.personId, sessionIds: ended },
      { userId: which.personId },
    );
  return ended;
}
