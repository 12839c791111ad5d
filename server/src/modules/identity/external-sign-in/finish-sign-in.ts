import type { Answer, Body, externalSignIn as contract } from '#contract';
import { auditPerson } from '../../../platform/audit.ts';
import type { Ctx } from '../../../platform/context.ts';
import { fail } from '../../../platform/errors.ts';
import type { Http } from '../../../platform/routes.ts';
import { hashToken } from '../../../platform/secrets.ts';
import { completeSignIn } from '../complete-sign-in.ts';
import { personById } from '../store.ts';
import { browserOf, clearBrowserCookie } from './browser-cookie.ts';
import { markIdentityUsed, takeProven } from './store.ts';

// The system role: people, sign-in codes and sessions belong to no company.

/**
 * Signs in whom this browser has brought back from a provider, or asks for the second factor. Once.
 * Fails with `sign_in.expired`, also when the provider was unlinked meanwhile, and `sso.required`.
 */
export function signInExternally(
  ctx: Ctx,
  said: Body<typeof contract.signInExternally>,
  http: Http,
): Promise<Answer<typeof contract.signInExternally>> {
  const browser = browserOf(http, ctx.settings) ?? fail('sign_in.expired');
  return ctx.db.systemTransaction(async (tx) => {
    const keys = { browser_hash: hashToken(browser), links: false, isOwn: false, now: ctx.now };
    const proven = (await takeProven(tx, keys)) ?? fail('sign_in.expired');
    const { person_id, issuer, subject, provider } = proven;
    const person = person_id === null ? undefined : await personById(tx, person_id);
    if (!person || person.disabled_at || issuer === null || subject === null)
      return fail('sign_in.expired');
    if (!(await markIdentityUsed(tx, { person_id: person.id, issuer, subject }, ctx.now)))
      return fail('sign_in.expired');
    await auditPerson(ctx, tx, person.id, 'sign_in.external', { provider });
    clearBrowserCookie(http, ctx.settings);
    return completeSignIn(ctx, tx, http, person, {
      adminMode: Boolean(said.admin) && person.is_staff,
      remember: said.remember ?? false,
      by: 'provider',
    });
  });
}
