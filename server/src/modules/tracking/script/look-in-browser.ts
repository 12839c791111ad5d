import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { PageDecision, PageRequest, VisitedPage } from '../../../gateways/browser.ts';
import type { Ctx } from '../../../platform/context.ts';

/** What the script says on a page, as the browser passes it on: anything could have made it up. */
const said = z.object({
  key: z.string().max(100).catch(''),
  version: z.string().max(20).nullable().catch(null),
  isAnswered: z.boolean().catch(false),
  swapped: z.number().int().min(0).max(100_000).catch(0),
  swaps: z
    .array(z.object({ target: z.string().max(20), number: z.string().max(20) }))
    .max(50)
    .catch([]),
});
type Said = z.infer<typeof said>;
/** A page that a browser opened. `said` null: no script of ours ran. */
export type Look =
  | { state: 'checked'; said: Said | null; page: Extract<VisitedPage, { ok: true }> }
  | { state: 'not_installed' | 'not_started' | 'busy' | 'failed' };

/**
 * Runs in the page. Where the script waits for consent, it gets it here alone: the visit is a test,
 * of which nothing is kept.
 */
const PROBE = `(() => {
  const DNI = window.DNI;
  if (!DNI || typeof DNI.debug !== 'function') return { isDone: false, said: null };
  const { key, version, swapped, answered, consent } = DNI.debug();
  const { swaps } = DNI.session();
  const isAnswered = !!answered || swaps.length > 0;
  if (isAnswered && !swaps.length && consent !== true) DNI.consent(true);
  return {
    isDone: swapped > 0 || (isAnswered && !swaps.length && consent === true),
    said: { key, version, isAnswered, swapped, swaps: swaps.map(({ target, number }) => ({ target, number })) },
  };
})()`;

/**
 * Opens a page in the browser of this machine and says what the script did there. Requests to our own
 * server are answered here and not over the network, where it may not be reached.
 * @param source whose visitor the page is opened as
 */
export async function lookInBrowser(
  ctx: Ctx,
  server: FastifyInstance,
  { url, source }: { url: string; source: string },
): Promise<Look> {
  const { browser } = ctx.gateways;
  if (browser === null) return { state: 'not_installed' };
  const own = new URL(ctx.settings.publicUrl);
  const page = await browser.visit(url, {
    ...{ owner: String(ctx.companyId), ownHost: own.hostname },
    patterns: [`${own.origin}/*`, '*/api/dni/v1/*'],
    decide: (request) => decide(server, request, { own: own.origin, source }),
    probe: PROBE,
  });
  if (!page.ok) {
    if (page.why === 'busy') return { state: 'busy' };
    if (page.why !== 'not_started') return { state: 'failed' };
    ctx.log.warn('The browser that opens customers’ pages doesn’t start (docs/browser.md).');
    return { state: 'not_started' };
  }
  const probed = z.object({ said: said.nullable() }).safeParse(page.probed);
  return { state: 'checked', page, said: probed.data?.said ?? null };
}

/**
 * The visit of a check is a test (`?dni_test`), so that it leases nothing and nothing is stored.
 * Everything else that the script tells isn't sent.
 */
async function decide(
  server: FastifyInstance,
  request: PageRequest,
  { own, source }: { own: string; source: string },
): Promise<PageDecision> {
  const { origin, pathname, search } = new URL(request.url);
  const isOwn = origin === own;
  if (pathname === '/api/dni/v1/session') {
    const body = asTest(request.body, source);
    return isOwn ? answerHere(server, request, pathname, body) : { kind: 'send', body };
  }
  return isOwn && pathname.startsWith('/t/')
    ? answerHere(server, request, pathname + search, null)
    : { kind: 'block' };
}

/** The same call, from a page that is opened as a test. What isn't one stays as it is, and is refused. */
function asTest(body: string | null, source: string): string {
  const parsed = z.looseObject({ url: z.url() }).safeParse(parse(body ?? ''));
  if (!parsed.success) return '';
  const url = new URL(parsed.data.url);
  url.searchParams.set('dni_test', source);
  return JSON.stringify({ ...parsed.data, url: url.href });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

async function answerHere(
  server: FastifyInstance,
  { method, headers, origin }: PageRequest,
  url: string,
  body: string | null,
): Promise<PageDecision> {
  if (method !== 'GET' && method !== 'POST') return { kind: 'block' };
  const answer = await server.inject({
    ...{ method, url },
    headers: {
      ...{ origin, 'content-type': 'text/plain;charset=UTF-8' },
      'user-agent': headers['User-Agent'] ?? headers['user-agent'] ?? '',
    },
    ...(body !== null && { payload: body }),
  });
  const named = Object.entries(answer.headers).filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && !/^(content-length|set-cookie|connection)$/.test(entry[0]),
  );
  return {
    ...{ kind: 'answer', status: answer.statusCode, headers: Object.fromEntries(named) },
    body: answer.rawPayload,
  };
}
