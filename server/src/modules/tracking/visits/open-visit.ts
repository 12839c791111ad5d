import {
  formatPhone,
  normalizePhone,
  type Answer,
  type Body,
  type tracking as contract,
} from '#contract';
import type { Classification } from '#contract/tracking/schemas';
import type { Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { fail } from '../../../platform/errors.ts';
import type { Http } from '../../../platform/routes.ts';
import { readLanding } from '../classification/read-landing.ts';
import {
  candidatesOf,
  classifyIn,
  defaultNumberOf,
  fixedNumberOf,
  type Candidate,
} from '../pools/candidates.ts';
import { choosePool } from '../pools/choose-pool.ts';
import { ownSources } from '../sources/classify-visit.ts';
import { allowSite, siteOfRequest } from './allowed-site.ts';
import { leaseNumber, liveVisit, shareNumber, storeVisit, type NewVisit } from './store.ts';
import { readCompanyKey, readSessionToken, sessionToken, visitorIdOf } from './tokens.ts';
import { deviceOf, isBot } from './visitors.ts';

type Opened = Answer<typeof contract.openVisit>['data'];
type StoredPool = Candidate & { id: number };
interface Shown {
  visitId: number | null;
  number: string | null;
  expiresAt: Date | null;
}
/** What is known of a request before its visit is stored. */
interface Arrival {
  tx: Tx;
  companyId: number;
  pool: StoredPool;
  classification: Classification;
  visit: NewVisit;
  sources: Awaited<ReturnType<typeof ownSources>>;
}

/**
 * Which numbers a page shows to its visitor (A8.3, A8.4). Bots, visitors who didn't agree and tests
 * (`?dni_test`) lease nothing. Fails with `visit.unknown_key`, or `visit.wrong_site` for a page that
 * is on no website of the company's pools.
 */
export async function openVisit(
  ctx: Ctx,
  body: Body<typeof contract.openVisit>,
  { request, reply }: Http,
): Promise<Answer<typeof contract.openVisit>> {
  const companyId =
    readCompanyKey(ctx.settings.appSecrets, body.companyKey) ?? fail('visit.unknown_key');
  const data = await ctx.db.transaction({ companyId }, async (tx) => {
    const scope = { tx, companyId, now: ctx.now };
    const candidates = await candidatesOf(scope);
    const active = candidates.filter(({ status }) => status === 'active');
    allowSite(
      request,
      reply,
      active.flatMap(({ settings }) => settings.domains),
    );
    // The page says its own address, so it must be on the website that the browser says it is on.
    if (readLanding(body).page?.address !== siteOfRequest(request)) fail('visit.wrong_site');
    const sources = await ownSources(scope);
    const classified = (pool: Candidate) => classifyIn(body, pool.settings, sources);
    const { pool } = choosePool(candidates, body, classified);
    if (!pool) return { visitorId: null, sessionId: null, swaps: [], heartbeat: 0 };
    const classification = classified(pool);
    const userAgent = request.headers['user-agent'] ?? '';
    const visit = await visitOf(ctx, scope, { body, pool, classification, userAgent });
    const arrival = { tx, companyId, pool, classification, visit, sources };
    const isRefused = hasRefused(pool, body.consent, request.headers);
    const isUnseen = isBot(userAgent) || /[?&]dni_test=/.test(body.url);
    const shown =
      isUnseen || isRefused
        ? await showWithoutLease(arrival)
        : pool.mode === 'source'
          ? await showFixed(arrival)
          : await showOwn(arrival);
    return presentVisit(ctx, companyId, pool, body.targets, visit, shown);
  });
  return { data };
}

/** True when the pool asks for agreement and there is none, or respects the browser's "don't track". */
const hasRefused = (
  { settings }: Candidate,
  consent: boolean | undefined,
  headers: Http['request']['headers'],
): boolean =>
  (settings.consentMode === 'wait' && consent !== true) ||
  consent === false ||
  (settings.respectDnt && (headers['dnt'] === '1' || headers['sec-gpc'] === '1'));

async function visitOf(
  ctx: Ctx,
  { tx, companyId, now }: { tx: Tx; companyId: number; now: Date },
  {
    body,
    pool,
    classification,
    userAgent,
  }: {
    body: Body<typeof contract.openVisit>;
    pool: Candidate;
    classification: Classification;
    userAgent: string;
  },
): Promise<NewVisit> {
  const { sessionTimeoutMinutes, sourceOverride, consentMode } = pool.settings;
  // A token of another company, or one that was made up, begins a new visit.
  const token = body.sessionId ? readSessionToken(ctx.settings.appSecrets, body.sessionId) : null;
  const since = new Date(now.getTime() - sessionTimeoutMinutes * 60_000);
  const before =
    token?.companyId === companyId
      ? await liveVisit(tx, companyId, token.visitId, since)
      : undefined;
  const isPaid = classification.source.group.startsWith('paid_');
  const parameter = sourceOverride.landingParam?.toLowerCase();
  const begins =
    (sourceOverride.paid && isPaid && classification.isNewTouch) ||
    (parameter !== undefined && readLanding(body).parameters.has(parameter));
  return {
    id: begins ? null : (before?.id ?? null),
    poolId: pool.id,
    visitorId:
      consentMode === 'anonymous' ? null : visitorIdOf(before?.visitor_id ?? body.visitorId),
    url: body.url,
    referrer: body.referrer ?? null,
    classification,
    device: deviceOf(userAgent),
    now,
  };
}

const showWithoutLease = async ({
  tx,
  companyId,
  pool,
  classification,
  sources,
}: Arrival): Promise<Shown> => ({
  visitId: null,
  number:
    pool.mode === 'source'
      ? fixedNumberOf(pool, classification.source.id, sources)
      : await defaultNumberOf({ tx, companyId }, pool),
  expiresAt: null,
});

async function showFixed({
  tx,
  companyId,
  pool,
  classification,
  sources,
  visit,
}: Arrival): Promise<Shown> {
  const number = fixedNumberOf(pool, classification.source.id, sources);
  const visitId = await storeVisit(tx, companyId, visit, number === null ? 'none' : 'static');
  return { visitId, number, expiresAt: null };
}

async function showOwn({ tx, companyId, pool, visit }: Arrival): Promise<Shown> {
  const { settings, id } = pool;
  const terms = {
    poolId: id,
    timeoutMinutes: settings.sessionTimeoutMinutes,
    quarantineMinutes: settings.quarantineMinutes,
    stickyDays: settings.stickyDays,
  };
  const leased = await leaseNumber(tx, companyId, visit, terms);
  const { visit_id: visitId, number } = leased;
  if (number !== null) return { visitId, number, expiresAt: leased.expires_at };
  if (settings.exhaustedPolicy === 'share') {
    const shared = await shareNumber(tx, companyId, { ...visit, id: visitId }, terms);
    if (shared) return { visitId, number: shared.number, expiresAt: shared.expires_at };
  }
  return { visitId, number: await defaultNumberOf({ tx, companyId }, pool), expiresAt: null };
}

function presentVisit(
  ctx: Ctx,
  companyId: number,
  pool: Candidate,
  targets: readonly string[],
  visit: NewVisit,
  { visitId, number, expiresAt }: Shown,
): Opened {
  const allowed = pool.settings.swapTargets.map((target) => target.number);
  const found = targets.flatMap((target) => normalizePhone(target) ?? []);
  const wanted = allowed.length
    ? allowed.filter((one) => !found.length || found.includes(one))
    : found;
  return {
    visitorId: visitId === null ? null : visit.visitorId,
    sessionId: visitId === null ? null : sessionToken(ctx.settings.appSecrets, companyId, visitId),
    swaps:
      number === null
        ? []
        : [...new Set(wanted)].map((target) => ({
            target,
            number,
            display: {
              national: formatPhone(number, 'national'),
              international: formatPhone(number, 'international'),
              e164: number,
            },
            expiresAt: expiresAt && new Date(expiresAt).toISOString(),
          })),
    heartbeat: expiresAt ? pool.settings.heartbeatSeconds : 0,
  };
}
