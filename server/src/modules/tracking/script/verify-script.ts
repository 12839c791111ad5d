import type { FastifyInstance } from 'fastify';
import type { Answer, Body, tracking as contract } from '#contract';
import type { PageResult } from '../../../gateways/web-pages.ts';
import type { Ctx } from '../../../platform/context.ts';
import { knownSystemSources } from '../classification/system-sources.ts';
import { candidatesOf } from '../pools/candidates.ts';
import { isDomain } from '../pools/choose-pool.ts';
import { ownSources } from '../sources/classify-visit.ts';
import { readCompanyKey } from '../visits/tokens.ts';
import { checkPage, resultOf, type PageSetup } from './check-page.ts';
import { messageOf } from './findings.ts';
import { lookInBrowser } from './look-in-browser.ts';
import { releaseOf } from './releases.ts';
import { firstPartySetting, siteSeen } from './store.ts';
import { unseen, withBrowser } from './with-browser.ts';

type Checked = Answer<typeof contract.verifyScript>['data'];

const MAX_BYTES = 5 * 1024 * 1024;
const USER_AGENT = 'Trunkline script check';
/** A browser that ran the script within this time shows that Tag Manager adds it. */
const LIVE_MS = 30 * 86_400_000;

/**
 * Looks at a page of a website through the guarded client: private addresses are refused, also
 * after redirects, and so is our own. Every outcome is an answer, none an error.
 * @param server of the process; with it, a page that could be read is also opened in a browser
 */
export async function verifyScript(
  ctx: Ctx,
  { url: said }: Body<typeof contract.verifyScript>,
  server: FastifyInstance | null,
): Promise<Answer<typeof contract.verifyScript>> {
  const url = /^[a-z][a-z\d+.-]*:\/\//i.test(said) ? said : `https://${said}`;
  const own = new URL(ctx.settings.publicUrl);
  const isOwn = (address: string): boolean =>
    URL.canParse(address) && new URL(address).hostname === own.hostname;
  const read: PageResult = isOwn(url)
    ? { ok: false, why: 'private_address', simulated: false }
    : await ctx.gateways.pages.fetchPage(url, { maxBytes: MAX_BYTES, userAgent: USER_AGENT });
  const base = { url, checkedAt: ctx.now.toISOString() };
  if (!read.ok) return { data: unread(base, null, messageOfFailure(read.why)) };
  const page = { finalUrl: read.url, httpStatus: read.status };
  if (isOwn(read.url)) return { data: unread(base, null, messageOf('not_public_url')) };
  if (read.status >= 400) {
    const reason = `the website answers with error ${read.status}`;
    return { data: unread(base, page, messageOf('http_error', { reason })) };
  }
  const setup = await setupOf(ctx, new URL(read.url).host, own.origin);
  const policies = [read.headers['content-security-policy'] ?? ''];
  const found = checkPage(read.text, { url: read.url, policies }, setup);
  const seenLiveAt = setup.seenLiveAt?.toISOString() ?? null;
  const data = { ...base, ...page, seenLiveAt, ...found, browser: unseen('not_opened') };
  if (server === null) return { data };
  const look = await lookInBrowser(ctx, server, { url: read.url, source: setup.testSource });
  return { data: withBrowser(data, look, setup) };
}

function messageOfFailure(why: Extract<PageResult, { ok: false }>['why']) {
  if (why === 'timeout') return messageOf('timeout');
  if (why === 'private_address' || why === 'not_web') return messageOf('not_public_url');
  const reason =
    why === 'too_many_redirects'
      ? 'it redirects more than three times'
      : 'the website didn’t answer';
  return messageOf('http_error', { reason });
}

/** A page of which nothing but this is known. */
const unread = (
  base: Pick<Checked, 'url' | 'checkedAt'>,
  page: Pick<Checked, 'finalUrl' | 'httpStatus'> | null,
  message: Checked['messages'][number],
): Checked => ({
  ...{ ...base, finalUrl: null, httpStatus: null, ...page, result: resultOf([message]) },
  ...{ scriptFound: false, companyKeyMatches: false, scriptCount: 0, location: 'unknown' as const },
  ...{ version: null, domainAllowed: false, seenLiveAt: null, targets: [], telLinks: 0 },
  ...{ otherTrackers: [], cspBlocks: false, browser: unseen('not_opened'), messages: [message] },
});

async function setupOf(
  ctx: Ctx,
  host: string,
  origin: string,
): Promise<PageSetup & { testSource: string }> {
  const { companyId, now } = ctx;
  return ctx.db.readOnly({ companyId }, async (tx) => {
    const pools = (await candidatesOf({ tx, companyId, now })).filter(
      ({ status, settings }) =>
        status === 'active' && settings.domains.some((domain) => isDomain(host, domain)),
    );
    const seen = await siteSeen(tx, companyId, host);
    const isLive = seen !== null && now.getTime() - seen.getTime() < LIVE_MS;
    const numbers = pools.flatMap(({ settings }) =>
      settings.swapTargets.map((target) => target.number),
    );
    const ownHost = await firstPartySetting(tx, companyId);
    const sources = [...(await ownSources({ tx, companyId })), ...knownSystemSources];
    // Pools for sources show a number to visitors of those alone.
    const isForSources = pools.every(({ mode }) => mode === 'source');
    const wanted = isForSources ? (pools[0]?.sourceIds[0] ?? sources[0]?.id) : undefined;
    return {
      testSource: sources.find(({ id }) => id === wanted)?.key ?? 'direct',
      origin: ownHost === null ? origin : `https://${ownHost}`,
      isOwnKey: (key) => readCompanyKey(ctx.settings.appSecrets, key) === companyId,
      versionOf: (wanted) => releaseOf(wanted)?.version ?? null,
      numbers: pools.length > 0 ? [...new Set(numbers)] : null,
      seenLiveAt: isLive ? seen : null,
    };
  });
}
