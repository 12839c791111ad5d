import type { Answer, Body, tracking as contract } from '#contract';
import type { DropReason } from '#contract/tracking/hit-rules';
import type { Classification } from '#contract/tracking/schemas';
import type { Ctx } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db.ts';
import { fail } from '../../../platform/errors.ts';
import { toStorableText } from '../../../platform/http/request-fields.ts';
import type { Http } from '../../../platform/routes.ts';
import { knownSystemSources } from '../classification/system-sources.ts';
import { readLanding } from '../classification/read-landing.ts';
import { rowsOfNewVisit } from '../feed/feed-rows.ts';
import { feedOf } from '../feed/live-feed.ts';
import type { Sender } from '../hits/hit.ts';
import { hitLaneOf } from '../hits/hit-lane.ts';
import { timed } from '../hits/metrics.ts';
import { senderOf } from '../hits/sender-of.ts';
import { classifyIn, defaultNumberOf, fixedNumberOf, type Candidate } from '../pools/candidates.ts';
import { choosePool } from '../pools/choose-pool.ts';
import { nextFreeNumber } from '../pools/store-slots.ts';
import { seenSitesOf } from '../script/seen-sites.ts';
import { allowSite } from './allowed-site.ts';
import { firstPartyHost, keepVisitor, visitorInCookie } from './first-party.ts';
import { linkedVisit, linkIn, withoutLink } from './linked-visit.ts';
import { setupsOf, type Setup } from './known-setups.ts';
import { leaseNumber, shareNumber, storeVisit, type NewVisit } from './store.ts';
import { presentVisit, type Shown } from './present-visit.ts';
import { readCompanyKey } from './tokens.ts';
import { visitOf } from './visit-of.ts';
import { isBot } from './visitors.ts';

type Sources = Setup['sources'];
type StoredPool = Candidate & { id: number };
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
  said: Body<typeof contract.openVisit>,
  { request, reply }: Http,
): Promise<Answer<typeof contract.openVisit>> {
  const { body, linkFor } = arrivalOf(ctx, said);
  const companyId =
    readCompanyKey(ctx.settings.appSecrets, body.companyKey) ?? fail('visit.unknown_key');
  const sender = senderOf(request, ctx.settings);
  const opened = await ctx.db.transaction({ companyId }, async (tx) => {
    const scope = { tx, companyId, now: ctx.now };
    const { candidates, sources, isEnabled } = await timed('origin', () =>
      setupsOf(request.server).of(scope),
    );
    const domains = candidates
      .filter(({ status }) => status === 'active')
      .flatMap(({ settings }) => settings.domains);
    allowSite(request, reply, domains);
    const ownHost = firstPartyHost(request, domains);
    if (ownHost !== null) body.visitorId ??= visitorInCookie(request, companyId);
    // The page says its own address, so it must be on the website that the browser says it is on.
    if (readLanding(body).page?.address !== sender.site) fail('visit.wrong_site');
    const chosen = await timed('source', async () => choose(body, candidates, sources));
    if (!chosen || !isEnabled) return null;
    const { pool, classification, isTest } = chosen;
    const refusal = refusalReason(pool, body.consent, sender);
    const link = refusal || isTest ? null : linkFor(scope, sender.site, candidates);
    const visit = await visitOf(ctx, scope, { body, pool, classification, sender, link });
    const arrival = { tx, companyId, pool, classification, visit, sources };
    const shown = await timed('lease', () =>
      refusal || isTest
        ? showWithoutLease(arrival, isTest && !refusal)
        : pool.mode === 'source'
          ? showFixed(arrival)
          : showOwn(arrival),
    );
    const data = presentVisit(ctx, {
      ...{ companyId, pool, visit, shown },
      ...{ targets: body.targets, tested: isTest ? classification.source.label : null },
    });
    const rows = visit.id === null ? rowsOfNewVisit(visit, shown) : [];
    return { data, poolId: pool.id, refusal, isTest, rows, ownHost };
  });
  if (sender.site !== null && opened?.refusal?.reason !== 'bot')
    void seenSitesOf(request.server).note({
      ...{ companyId, host: sender.site, swapped: null, at: ctx.now },
      version: body.version ?? null,
      firstPartyHost: opened?.ownHost ?? null,
    });
  if (!opened)
    return {
      data: { visitorId: null, sessionId: null, swaps: [], heartbeat: 0, capture: { cookies: [] } },
    };
  const { data, poolId, refusal, isTest, rows, ownHost } = opened;
  if (ownHost !== null) keepVisitor(reply, companyId, data.visitorId, body.consent);
  feedOf(request.server).tell(companyId, rows);
  const lane = hitLaneOf(request.server);
  if (!isTest) lane.countVisit({ companyId, poolId, at: ctx.now }, refusal);
  return { data };
}

/** What a page said, without the token of the link its visitor came by, and what that token is for. */
function arrivalOf(ctx: Ctx, said: Body<typeof contract.openVisit>) {
  const token = linkIn(said.url);
  const body = {
    ...said,
    url: withoutLink(toStorableText(said.url)),
    referrer: said.referrer && withoutLink(toStorableText(said.referrer)),
  };
  const linkFor = (
    scope: { tx: Tx; companyId: number },
    site: string | null,
    pools: readonly StoredPool[],
  ) =>
    token === null || site === null
      ? null
      : (since: Date) => linkedVisit(ctx, scope, { token, site, page: said.page, pools, since });
  return { body, linkFor };
}

const noNumber: Shown = {
  ...{ visitId: null, number: null, numberId: null },
  ...{ expiresAt: null, isExhausted: false },
};

/** The pool that a visit belongs to, and its source by that pool's settings; null: no pool. */
function choose(body: Body<typeof contract.openVisit>, candidates: StoredPool[], sources: Sources) {
  const known = new Map<Candidate, Classification>();
  const test = testIn(body.url, sources);
  const classified = (pool: Candidate): Classification => {
    const found = known.get(pool) ?? {
      ...classifyIn(body, pool.settings, sources),
      ...(test.source && { source: test.source }),
    };
    known.set(pool, found);
    return found;
  };
  const { pool } = choosePool(candidates, body, classified);
  return pool && { pool, classification: classified(pool), isTest: test.isTest };
}

/** Whether a page is opened as a test (`?dni_test=google_ads`), and as whose visitor. */
function testIn(url: string, sources: Sources) {
  const wanted = /[?&]dni_test=([^&#]*)/.exec(url)?.[1]?.toLowerCase();
  const source = [...sources, ...knownSystemSources].find(({ key }) => key === wanted);
  if (!source) return { isTest: wanted !== undefined, source: null };
  const { id, key, label, kind, group } = source;
  return { isTest: true, source: { id, key, label, kind, group } };
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

/** `isTest`: a number that a visitor could get, so that the page looks as it would to them. */
async function showWithoutLease(
  { tx, companyId, pool, classification, sources, visit }: Arrival,
  isTest: boolean,
): Promise<Shown> {
  const { quarantineMinutes } = pool.settings;
  const number =
    pool.mode === 'source'
      ? fixedNumberOf(pool, classification.source.id, sources)
      : ((isTest
          ? await nextFreeNumber(tx, companyId, pool.id, quarantineMinutes, visit.now)
          : null) ?? (await defaultNumberOf({ tx, companyId }, pool)));
  return { ...noNumber, number };
}

async function showFixed({
  tx,
  companyId,
  pool,
  classification,
  sources,
  visit,
}: Arrival): Promise<Shown> {
  const number = fixedNumberOf(pool, classification.source.id, sources);
  const stored = await storeVisit(tx, companyId, visit, number);
  return { ...noNumber, visitId: stored.id, number, numberId: stored.number_id };
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
  const had = { isExhausted: false, visitId };
  if (number !== null)
    return { ...had, number, numberId: leased.number_id, expiresAt: leased.expires_at };
  if (settings.exhaustedPolicy === 'share') {
    const shared = await shareNumber(tx, companyId, { ...visit, id: visitId }, terms);
    if (shared)
      return {
        ...had,
        number: shared.number,
        numberId: shared.number_id,
        expiresAt: shared.expires_at,
      };
  }
  const byDefault = await defaultNumberOf({ tx, companyId }, pool);
  return { ...noNumber, visitId, number: byDefault, isExhausted: true };
}
