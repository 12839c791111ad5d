import type { Answer, Body, tracking as contract } from '#contract';
import type { Ctx } from '../../../platform/context.ts';
import { fail } from '../../../platform/errors.ts';
import type { Http } from '../../../platform/routes.ts';
import { addHeartbeat } from '../hits/add-hit.ts';

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
  if (outcome.isKept)
    return { data: { isLive: true, expiresAt: outcome.expiresAt?.toISOString() ?? null } };
  return outcome.reason === 'wrong_site'
    ? fail('visit.wrong_site')
    : { data: { isLive: false, expiresAt: null } };
}
