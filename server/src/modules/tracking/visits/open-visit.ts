import {
  formatPhone,
  normalizePhone,
  type Answer,
  type Body,
  type tracking as contract,
} from '#contract';
import type { DropReason } from '#contract/tracking/hit-rules';
import type { Classification } from '#contract/tracking/schemas';
import type { Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { fail } from '../../../platform/errors.ts';
import type { Http } from '../../../platform/routes.ts';
import { readLanding } from '../classification/read-landing.ts';
import { capturedCookies, capturedParams, cookieNames } from '../hits/captured.ts';
import { cutAddress } from '../hits/cut-address.ts';
import type { Sender } from '../hits/hit.ts';
import { hitLaneOf } from '../hits/hit-lane.ts';
import { timed } from '../hits/metrics.ts';
import { senderOf } from '../hits/sender-of.ts';
import { classifyIn, defaultNumberOf, fixedNumberOf, type Candidate } from '../pools/candidates.ts';
import { choosePool } from '../pools/choose-pool.ts';
import { allowSite } from './allowed-site.ts';
import { setupsOf, type Setup } from './known-setups.ts';
import {
  leaseNumber,
  liveVisit,
  shareNumber,
  showsNumbers,
  storeVisit,
  type NewVisit,
} from './store.ts';
import { readCompanyKey, readSessionToken, sessionToken, visitorIdOf } from './tokens.ts';
import { deviceOf, isBot } from './visitors.ts';

type Opened = Answer<typeof contract.openVisit>['data'];
type Sources = Setup['sources'];
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
  sources: Sources;
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
  const sender = senderOf(request, ctx.settings);
  const opened = await ctx.db.transaction({ companyId }, async (tx) => {
    const scope = { tx, companyId, now: ctx.now };
    const { candidates, sources } = await timed('origin', () => setupsOf(request.server).of(scope));
    const active = candidates.filter(({ status }) => status === 'active');
    allowSite(
      request,
      reply,
      active.flatMap(({ settings }) => settings.domains),
    );
    // The page says its own address, so it must be on the website that the browser says it is on.
    if (readLanding(body).page?.address !== sender.site) fail('visit.wrong_site');
    const chosen = await timed('source', async () => choose(body, candidates, sources));
    if (!chosen || !(await showsNumbers(tx, companyId))) return null;
    const { pool, classification } = chosen;
    const visit = await visitOf(ctx, scope, { body, pool, classification, sender });
    const arrival = { tx, companyId, pool, classification, visit, sources };
    const refusal = refusalReason(pool, body.consent, sender);
    const isTest = /[?&]dni_test=/.test(body.url);
    const shown = await timed('lease', () =>
      refusal || isTest
        ? showWithoutLease(arrival)
        : pool.mode === 'source'
          ? showFixed(arrival)
          : showOwn(arrival),
    );
    const data = presentVisit(ctx, companyId, pool, body.targets, visit, shown);
    return { data, poolId: pool.id, refusal, isTest };
  });
  if (!opened)
    return {
      data: { visitorId: null, sessionId: null, swaps: [], heartbeat: 0, capture: { cookies: [] } },
    };
  const { data, poolId, refusal, isTest } = opened;
  const lane = hitLaneOf(request.server);
  if (!isTest) lane.countVisit({ companyId, poolId, at: ctx.now }, refusal);
  return { data };
}

/** The pool that a visit belongs to, and its source by that pool's settings; null: no pool. */
function choose(body: Body<typeof contract.openVisit>, candidates: StoredPool[], sources: Sources) {
  const known = new Map<Candidate, Classification>();
  const classified = (pool: Candidate): Classification => {
    const found = known.get(pool) ?? classifyIn(body, pool.settings, sources);
    known.set(pool, found);
    return found;
  };
  const { pool } = choosePool(candidates, body, classified);
  return pool && { pool, classification: classified(pool) };
}

/** Why nothing is stored of a visitor: a bot, or one who didn't agree where the pool asks. */
function refusalReason(
  { settings }: Candidate,
  consent: boolean | undefined,
  { userAgent, asksNotToBeTracked }: Sender,
): { step: 'bot' | 'consent'; reason: DropReason } | null {
  if (isBot(userAgent)) return { step: 'bot', reason: 'bot' };
  if (consent === false || (settings.consentMode === 'wait' && consent !== true))
    return { step: 'consent', reason: 'no_consent' };
  return settings.respectDnt && asksNotToBeTracked
    ? { step: 'consent', reason: 'do_not_track' }
    : null;
}

async function visitOf(
  ctx: Ctx,
  { tx, companyId, now }: { tx: Tx; companyId: number; now: Date },
  {
    body,
    pool,
    classification,
    sender,
  }: {
    body: Body<typeof contract.openVisit>;
    pool: Candidate;
    classification: Classification;
    sender: Sender;
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
    capture: { cookies: visitId === null ? [] : cookieNames(pool.settings) },
  };
}
