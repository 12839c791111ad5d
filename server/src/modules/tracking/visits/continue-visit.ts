import type { Answer, Body, tracking as contract } from '#contract';
import type { Ctx } from '../../../platform/context.ts';
import { fail } from '../../../platform/errors.ts';
import type { Http } from '../../../platform/routes.ts';
import { readPool } from '../pools/store.ts';
import { allowSite } from './allowed-site.ts';
import { keepAlive, poolOfVisit } from './store.ts';
import { readSessionToken } from './tokens.ts';

/**
 * A page is still open, so its number stays. Fails with `visit.unknown_session` for a token that
 * isn't ours, or `visit.wrong_site`.
 */
export async function continueVisit(
  ctx: Ctx,
  { sessionId }: Body<typeof contract.continueVisit>,
  { request, reply }: Http,
): Promise<Answer<typeof contract.continueVisit>> {
  const { companyId, visitId } =
    readSessionToken(ctx.settings.appSecrets, sessionId) ?? fail('visit.unknown_session');
  return ctx.db.transaction({ companyId }, async (tx) => {
    const visit = await poolOfVisit(tx, companyId, visitId);
    const pool = visit?.pool_id ? await readPool(tx, companyId, visit.pool_id, null) : undefined;
    // Its pool was deleted: the page keeps its number until it is opened again.
    if (!pool) return { data: { isLive: false, expiresAt: null } };
    allowSite(request, reply, pool.settings.domains);
    const kept = await keepAlive(tx, companyId, visitId, ctx.now);
    const expiresAt = kept?.expires_at ?? null;
    return {
      data: {
        isLive: kept !== undefined,
        expiresAt: expiresAt && new Date(expiresAt).toISOString(),
      },
    };
  });
}
