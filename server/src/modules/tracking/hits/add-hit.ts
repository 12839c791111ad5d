import type { Body, tracking as contract } from '#contract';
import { isPrivateField } from '#contract/tracking/form-rules';
import type { Ctx } from '../../../platform/context.ts';
import { fail } from '../../../platform/errors.ts';
import { toStorableText } from '../../../platform/http/request-fields.ts';
import type { Http } from '../../../platform/routes.ts';
import { seenSitesOf } from '../script/seen-sites.ts';
import { allowSite } from '../visits/allowed-site.ts';
import { withoutLink } from '../visits/linked-visit.ts';
import { readSessionToken } from '../visits/tokens.ts';
import type { Hit, Outcome } from './hit.ts';
import { hitLaneOf } from './hit-lane.ts';
import { senderOf } from './sender-of.ts';

/** Longest address and title that are stored. */
const MAX = { url: 2048, title: 300 } as const;

/**
 * A visitor looks at a page. Fails with `visit.unknown_session` for a token that isn't ours, or
 * `visit.wrong_site`; what the steps drop later is counted at the pool.
 */
export async function addPageView(
  ctx: Ctx,
  { sessionId, url, title, cookies, swapped }: Body<typeof contract.addPageView>,
  http: Http,
): Promise<void> {
  const hit = await hitOf(ctx, http, sessionId, 'pageview', {
    url: stored(url, MAX.url),
    title: stored(title, MAX.title),
    cookies: cookies ?? {},
    swapped: swapped ?? null,
  });
  const { companyId, site: host, at } = hit;
  if (host !== null && swapped)
    void seenSitesOf(http.request.server).note({
      companyId,
      host,
      version: null,
      firstPartyHost: null,
      swapped,
      at,
    });
  hitLaneOf(http.request.server).add(hit);
}

/** Something happened on a page. Fails as `addPageView` does. */
export async function addVisitEvent(
  ctx: Ctx,
  { sessionId, name, url, data }: Body<typeof contract.addVisitEvent>,
  http: Http,
): Promise<void> {
  const hit = await hitOf(ctx, http, sessionId, 'event', {
    name,
    url: stored(url, MAX.url),
    data: Object.fromEntries(
      Object.entries(data).flatMap(([key, value]) => {
        // Whatever sends it: the script leaves these out, and others may not.
        if (name === 'form' && isPrivateField(key, value)) return [];
        return [[toStorableText(key), typeof value === 'string' ? toStorableText(value) : value]];
      }),
    ),
  });
  hitLaneOf(http.request.server).add(hit);
}

/** A page is still open. Fails as `addPageView` does, or when the database doesn't answer. */
export const addHeartbeat = async (
  ctx: Ctx,
  { sessionId, url }: Body<typeof contract.continueVisit>,
  http: Http,
): Promise<Outcome> =>
  hitLaneOf(http.request.server).beat(
    await hitOf(ctx, http, sessionId, 'heartbeat', { url: stored(url, MAX.url) }),
  );

const stored = (text: string | null | undefined, max: number): string | null =>
  text ? toStorableText(text).slice(0, max) : null;

async function hitOf(
  ctx: Ctx,
  { request, reply }: Http,
  sessionId: string,
  kind: Hit['kind'],
  rest: Partial<Hit>,
): Promise<Hit> {
  const { companyId, visitId } =
    readSessionToken(ctx.settings.appSecrets, sessionId) ?? fail('visit.unknown_session');
  const lane = hitLaneOf(request.server);
  allowSite(request, reply, await lane.sites.of(ctx, companyId));
  return {
    ...{ kind, companyId, visitId, at: ctx.now },
    ...{ title: null, name: null, data: null, swapped: null },
    ...{ cookies: {}, source: null },
    ...senderOf(request, ctx.settings),
    ...rest,
    url: rest.url ? withoutLink(rest.url) : null,
  };
}
