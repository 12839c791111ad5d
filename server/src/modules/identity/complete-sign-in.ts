import type { Answer, identity as contract } from '#contract';
import { SIGN_IN_MINUTES } from '#contract/identity/mfa/rules';
import type { Http } from '../../platform/routes.ts';
import type { Ctx } from '../../platform/context.ts';
import type { Tx } from '../../platform/db.ts';
import { hashToken, randomToken } from '../../platform/secrets.ts';
import { requireOwnSso } from './external-sign-in/only-sso.ts';
import { methodsOf } from './mfa/list-factors.ts';
import { insertPendingSignIn } from './mfa/store.ts';
import { openSession } from './open-session.ts';
import { presentPerson, type PersonRow } from './present.ts';

/**
 * What follows a right password, or another first proof: the session, or for a person with a second
 * factor a sign-in that waits for it, without token or cookie. Fails with `sso.required`.
 */
export async function completeSignIn(
  ctx: Ctx,
  tx: Tx,
  http: Http,
  person: PersonRow,
  {
    remember,
    adminMode,
    by,
    ssoOrganizationId = null,
  }: {
    remember: boolean;
    adminMode: boolean;
    by: 'password' | 'provider' | 'sso';
    /** Whose own provider the person came through; left out: none's. */
    ssoOrganizationId?: number | null;
  },
): Promise<Answer<typeof contract.login>> {
  const methods = await methodsOf(ctx, tx, person);
  const byPassword = by === 'password';
  if (by !== 'sso') await requireOwnSso(tx, person, { byPassword, hasFactor: methods.length > 0 });
  if (methods.length === 0) {
    const { token } = await openSession(ctx, tx, http, {
      personId: person.id,
      kind: 'browser',
      adminMode,
      remember,
      isConfirmed: true,
      ssoOrganizationId,
    });
    return { token, data: presentPerson(person) };
  }
  const mfaToken = randomToken('tlm');
  await insertPendingSignIn(tx, {
    hash: hashToken(mfaToken),
    person_id: person.id,
    remember,
    admin_mode: adminMode,
    by_password: byPassword,
    sso_organization_id: ssoOrganizationId,
    created_at: ctx.now,
    expires_at: new Date(ctx.now.getTime() + SIGN_IN_MINUTES * 60_000),
  });
  return { mfa_required: true, mfa_token: mfaToken, methods };
}
