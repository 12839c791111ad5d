import type { Body, tracking as contract } from '#contract';
import type { Classification } from '#contract/tracking/schemas';
import type { Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { readLanding } from '../classification/read-landing.ts';
import { capturedCookies, capturedParams } from '../hits/captured.ts';
import { cutAddress } from '../hits/cut-address.ts';
import type { Sender } from '../hits/hit.ts';
import type { Candidate } from '../pools/candidates.ts';
import type { linkedVisit } from './linked-visit.ts';
import { liveVisit, type NewVisit } from './store.ts';
import { readSessionToken, visitorIdOf } from './tokens.ts';
import { deviceOf } from './visitors.ts';

/** What is to be stored of a visit that a page opened or goes on with. */
export async function visitOf(
  ctx: Ctx,
  { tx, companyId, now }: { tx: Tx; companyId: number; now: Date },
  {
    body,
    pool,
    classification,
    sender,
    link,
  }: {
    body: Body<typeof contract.openVisit>;
    pool: Candidate & { id: number };
    classification: Classification;
    sender: Sender;
    /** Finds the visit that a link of another website carries; null: it carries none. */
    link: ((since: Date) => ReturnType<typeof linkedVisit>) | null;
  },
): Promise<NewVisit> {
  const { sessionTimeoutMinutes, sourceOverride, consentMode } = pool.settings;
  // A token of another company, or one that was made up, begins a new visit.
  const token = body.sessionId ? readSessionToken(ctx.settings.appSecrets, body.sessionId) : null;
  const since = new Date(now.getTime() - sessionTimeoutMinutes * 60_000);
  const linked = consentMode === 'anonymous' ? null : await link?.(since);
  // In another pool the visitor is the same one, on a visit of its own: the numbers are others.
  const isGoingOn = linked ? linked.pool_id === pool.id : token?.companyId === companyId;
  const visitId = linked?.id ?? token?.visitId;
  const before =
    isGoingOn && visitId !== undefined ? await liveVisit(tx, companyId, visitId, since) : undefined;
  const isPaid = classification.source.group.startsWith('paid_');
  const parameter = sourceOverride.landingParam?.toLowerCase();
  const begins =
    (sourceOverride.paid && isPaid && classification.isNewTouch) ||
    (parameter !== undefined && readLanding(body).parameters.has(parameter));
  return {
    id: begins ? null : (before?.id ?? null),
    poolId: pool.id,
    visitorId:
      consentMode === 'anonymous'
        ? null
        : visitorIdOf(before?.visitor_id ?? linked?.visitor_id ?? body.visitorId),
    url: body.url,
    referrer: body.referrer ?? null,
    classification,
    device: deviceOf(sender.userAgent),
    ip: cutAddress(sender.ip),
    region: sender.region,
    captured: {
      params: capturedParams(body, body.params ?? {}, pool.settings),
      cookies: capturedCookies(body.cookies ?? {}, pool.settings),
    },
    now,
  };
}
