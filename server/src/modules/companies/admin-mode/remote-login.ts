import { adminMode as contract, type Answer, type Body } from '#contract';
import type { Ctx } from '../../../platform/context.ts';
import { fail, notFound } from '../../../platform/errors.ts';
import type { Http } from '../../../platform/routes.ts';
import { hashToken, randomToken } from '../../../platform/secrets.ts';
import { openSession, personById, presentPerson } from '../../identity/index.ts';
import { insertRemoteLogin, isMember, runningEntry, useRemoteLogin } from './store.ts';

// The system role: platform staff help every company; the endpoints are theirs alone.

/**
 * Makes a token with which the staff member acts as a person in one company. Fails with
 * `admin.not_entered`, and `not_found` for people who aren't active there or are staff themselves.
 */
export async function createRemoteLogin(
  ctx: Ctx,
  body: Body<typeof contract.createRemoteLogin>,
): Promise<Answer<typeof contract.createRemoteLogin>> {
  const db = ctx.db.unscoped;
  const entry = (await runningEntry(db, ctx.actor.sessionId, ctx.now)) ?? fail('admin.not_entered');
  const person = await personById(db, body.user_id);
  if (!person || person.is_staff || !(await isMember(db, body.company_id, person.id))) notFound();
  const token = randomToken('tlo');
  const expiresAt = new Date(ctx.now.getTime() + contract.REMOTE_LOGIN_SECONDS * 1000);
  await ctx.db.systemTransaction((tx) =>
    insertRemoteLogin(tx, {
      hash: hashToken(token),
      entry_id: entry.id,
      person_id: body.user_id,
      in_company_id: body.company_id,
      reason: body.reason,
      created_at: ctx.now,
      expires_at: expiresAt,
    }),
  );
  return { data: { token, expires_at: expiresAt.toISOString() } };
}

/** Opens the session of a remote login, once. `remote_login.expired` for any other token. */
export const remoteLogin = (
  ctx: Ctx,
  { token }: Body<typeof contract.remoteLogin>,
  http: Http,
): Promise<Answer<typeof contract.remoteLogin>> =>
  ctx.db.systemTransaction(async (tx) => {
    const found =
      (await useRemoteLogin(tx, hashToken(token), ctx.now)) ?? fail('remote_login.expired');
    const person = (await personById(tx, found.person_id)) ?? fail('remote_login.expired');
    const { refresh_token: _, ...opened } = (
      await openSession(ctx, tx, http, {
        personId: person.id,
        // Without a cookie, and listed among the person's sessions, who can end it.
        kind: 'device',
        deviceName: `Support: ${found.staff}`,
        remoteLoginId: found.id,
      })
    ).token;
    return { token: opened, data: { ...presentPerson(person), company_id: found.company_id } };
  });
