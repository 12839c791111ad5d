import type { Answer, Body, tracking as contract } from '#contract';
import type { Ctx } from '../../../platform/context.ts';
import { fail } from '../../../platform/errors.ts';
import type { Http } from '../../../platform/routes.ts';
import { addHeartbeat } from '../hits/add-hit.ts';
import { linkToken, readSessionToken } from './tokens.ts';

/**
 * A page is still open, so its number stays. Fails with `visit.unknown_session` for a token that
 * isn't ours, or `visit.wrong_site`.
 */
export async function continueVisit(
  ctx: Ctx,
  body: Body<typeof contract.continueVisit>,
  http: Http,
): Promise<Answer<typeof contract.continueVisit>> {
  const outcome = await addHeartbeat(ctx, body, http);
  const secrets = ctx.settings.appSecrets;
  const visit = readSessionToken(secrets, body.sessionId);
  if (outcome.isKept)
    return {
      data: {
        isLive: true,
        expiresAt: outcome.expiresAt?.toISOString() ?? null,
        ...(outcome.isCarried &&
          visit && { link: linkToken(secrets, visit.companyId, visit.visitId, ctx.now) }),
      },
    };
  return outcome.reason === 'wrong_site'
    ? fail('visit.wrong_site')
    : { data: { isLive: false, expiresAt: null } };
}
