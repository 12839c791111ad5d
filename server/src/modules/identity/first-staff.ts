import type { Answer, Body, identity as contract } from '#contract';
import type { Ctx, Services } from '../../platform/context.ts';
import { fail, invalid } from '../../platform/errors.ts';
import type { Http } from '../../platform/routes.ts';
import { hashToken, randomToken } from '../../platform/secrets.ts';
import { openSession } from './open-session.ts';
import { hashPassword } from './passwords.ts';
import { createPerson, createSipCredentials } from './persons.ts';
import { presentPerson } from './present.ts';
import { passwordProblem, SETUP_HOURS } from './rules.ts';
import { insertCode, invalidateCodes, lockCodeByHash, lockSignIn, markCodeUsed } from './store.ts';
import { anyStaffExists } from './store-profile.ts';

// The system role: people, sign-in codes and sessions belong to no company.

/**
 * The link with which an operator makes the first account of platform staff: works once, for 24 hours,
 * and replaces earlier ones. Only who reads the server's log gets it, so a stranger who reaches the port
 * first can't take the installation over. Null: staff has an account. The code is in the fragment, which
 * browsers never send.
 */
export async function createSetupLink({
  db,
  settings,
  now,
}: Pick<Services, 'db' | 'settings' | 'now'>): Promise<string | null> {
  const code = randomToken('setup');
  const at = now();
  return db.systemTransaction(async (tx) => {
    await lockSignIn(tx, 'setup');
    if (await anyStaffExists(tx)) return null;
    await invalidateCodes(tx, 'setup', '', at);
    await insertCode(tx, {
      purpose: 'setup',
      email_key: '',
      hash: hashToken(code),
      created_at: at,
      expires_at: new Date(at.getTime() + SETUP_HOURS * 3_600_000),
    });
    return `${settings.publicUrl}/setup#code=${code}`;
  });
}

/**
 * Creates the first account of platform staff and signs it in, outside of admin mode: that needs a
 * second factor first. Fails with `setup.link_used` and `email.taken`.
 */
export async function setUpInstallation(
  ctx: Ctx,
  body: Body<typeof contract.setUpInstallation>,
  http: Http,
): Promise<Answer<typeof contract.setUpInstallation>> {
  const problem = passwordProblem(body.password, body.email);
  if (problem) invalid({ password: problem });
  // Before the password is hashed, which costs time that a stranger could make us spend.
  const isOpen = await ctx.db.systemTransaction((tx) =>
    lockCodeByHash(tx, 'setup', hashToken(body.code), ctx.now),
  );
  if (!isOpen) fail('setup.link_used');
  const passwordHash = await hashPassword(body.password);
  return ctx.db.systemTransaction(async (tx) => {
    await lockSignIn(tx, 'setup');
    const code = (await anyStaffExists(tx))
      ? undefined
      : await lockCodeByHash(tx, 'setup', hashToken(body.code), ctx.now);
    if (!code) fail('setup.link_used');
    const person =
      (await createPerson(tx, {
        email: body.email,
        passwordHash,
        firstName: body.first_name,
        lastName: body.last_name ?? '',
        timezone: null,
        staff: true,
      })) ?? fail('email.taken');
    await markCodeUsed(tx, code.id, ctx.now);
    const host = new URL(ctx.settings.publicUrl).hostname;
    await createSipCredentials(tx, ctx.settings.appSecrets, person, host);
    const { token } = await openSession(ctx, tx, http, {
      personId: person.id,
      kind: 'browser',
      isConfirmed: true,
    });
    return { token, data: presentPerson(person) };
  });
}
