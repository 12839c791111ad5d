import type { Answer, Body } from '#contract';
import { companies as contract } from '#contract';
import type { Http } from '../../platform/routes.ts';
import type { Ctx } from '../../platform/context.ts';
import type { Tx } from '../../platform/db.ts';
import { ApiError, invalid, fail } from '../../platform/errors.ts';
import {
  presentPerson,
  createPerson,
  createSipCredentials,
  hashPassword,
  linkNewIdentity,
  openSession,
  sendSignupCode,
  consumeFirstOwnerKey,
  consumeSignupCode,
  passwordProblem,
  takeNewIdentity,
} from '../identity/index.ts';
import { anyCompanyExists, insertCompany, insertMembership } from './store.ts';
import { requireZone } from './write.ts';

// The system role: runs before a company is chosen, or creates one.

/**
 * Sign-up in two steps: without a code, one is mailed (202); with it, person and company are
 * created. The answer doesn't tell whether the address has an account; the email does. The first
 * owner of a server without mail uses a key instead of a code. Fails with `rate.limited` when too
 * many codes were mailed, and with `signup.link_used` for a used key.
 */
export async function signup(
  ctx: Ctx,
  body: Body<typeof contract.signup>,
  http: Http,
): Promise<Answer<typeof contract.signup>> {
  const problem = passwordProblem(body.password, body.email);
  if (problem) invalid({ password: problem });
  if (body.timezone !== undefined) body = { ...body, timezone: requireZone(body.timezone) };
  const { owner_key: ownerKey, code } = body;
  if (ownerKey !== undefined)
    return createAccount(ctx, body, http, async (tx) => {
      if (!(await consumeFirstOwnerKey(tx, ownerKey, ctx.now))) fail('signup.link_used');
    });
  if (!ctx.settings.canMail) fail('mail.not_set_up');
  if (!code) {
    const sent = await sendSignupCode(ctx, body.email);
    if (!sent) {
      void http.reply.header('retry-after', '3600');
      throw new ApiError('rate.limited', { seconds: 3600 });
    }
    void http.reply.code(202);
    return { data: { sent: true, masked: sent.masked, expires_in: sent.expiresIn, resend_in: 30 } };
  }
  // A separate transaction, so that a wrong code counts.
  const isValid = await ctx.db.systemTransaction((tx) =>
    consumeSignupCode(ctx, tx, body.email, code),
  );
  if (!isValid) invalid({ code: 'That code is not valid or has expired.' });
  return createAccount(ctx, body, http);
}

/**
 * Creates person, company and session. `beforeCreate` runs first in the same transaction. Fails
 * with `email.taken`.
 */
async function createAccount(
  ctx: Ctx,
  body: Body<typeof contract.signup>,
  http: Http,
  beforeCreate?: (tx: Tx) => Promise<void>,
) {
  const passwordHash = await hashPassword(body.password);
  return ctx.db.systemTransaction(async (tx) => {
    await beforeCreate?.(tx);
    return createIn(ctx, tx, body, http, passwordHash);
  });
}

/**
 * Signs up whom a provider has named, with the address that it has verified and without a password.
 * Fails with `sign_in.expired` and `email.taken`.
 */
export async function signUpExternally(
  ctx: Ctx,
  body: Body<typeof contract.signUpExternally>,
  http: Http,
): Promise<Answer<typeof contract.signUpExternally>> {
  if (body.timezone !== undefined) body = { ...body, timezone: requireZone(body.timezone) };
  return ctx.db.systemTransaction(async (tx) => {
    const proven = await takeNewIdentity(ctx, tx, http);
    const created = await createIn(ctx, tx, { ...body, email: proven.email }, http, null);
    await linkNewIdentity(ctx, tx, created.data, proven);
    return created;
  });
}

/** @param passwordHash null: they sign in through a provider */
async function createIn(
  ctx: Ctx,
  tx: Tx,
  body: Omit<Body<typeof contract.signup>, 'password'>,
  http: Http,
  passwordHash: string | null,
) {
  const person =
    (await createPerson(tx, {
      email: body.email,
      passwordHash,
      firstName: body.first_name ?? '',
      lastName: body.last_name ?? '',
      timezone: body.timezone ?? null,
    })) ?? fail('email.taken');
  await createSipCredentials(
    tx,
    ctx.settings.appSecrets,
    person,
    new URL(ctx.settings.publicUrl).hostname,
  );
  const name = body.company_name || `${body.first_name ?? body.email.split('@')[0]}’s company`;
  const company = await insertCompany(tx, {
    name,
    ...(body.timezone && { timezone: body.timezone }),
    created_at: ctx.now,
  });
  await insertMembership(tx, { company_id: company.id, user_id: person.id, role: 'owner' });
  const { token } = await openSession(ctx, tx, http, {
    personId: person.id,
    kind: 'browser',
    isConfirmed: true,
  });
  return { token, data: presentPerson(person) };
}

/** `first`: there is no company yet; `mail`: codes can be mailed. */
export async function checkSignup(ctx: Ctx): Promise<Answer<typeof contract.checkSignup>> {
  return {
    data: {
      open: true,
      first: !(await anyCompanyExists(ctx.db.unscoped)),
      mail: ctx.settings.canMail,
    },
  };
}
