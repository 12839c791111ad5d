import type { FastifyReply, FastifyRequest } from 'fastify';
import { fail } from '../../../platform/errors.ts';
import { isDomain } from '../pools/choose-pool.ts';

/** Host and port of the website that a page's request comes from; null: it names none. */
export function siteOfRequest(request: FastifyRequest): string | null {
  const { origin } = request.headers;
  if (!origin || !URL.canParse(origin)) return null;
  const { protocol, host } = new URL(origin);
  return protocol === 'https:' || protocol === 'http:' ? host.toLowerCase() : null;
}

/**
 * Lets the page read the response if its website is one of these domains. Fails with
 * `visit.wrong_site` otherwise: other websites get no number of this company.
 */
export function allowSite(
  request: FastifyRequest,
  reply: FastifyReply,
  domains: readonly string[],
): void {
  const site = siteOfRequest(request);
  if (site === null || !domains.some((domain) => isDomain(site, domain))) fail('visit.wrong_site');
  void reply.headers({
    'access-control-allow-origin': request.headers.origin,
    // For a cookie of ours at the website's own subdomain; others aren't read (`first-party.ts`).
    'access-control-allow-credentials': 'true',
    'cross-origin-resource-policy': 'cross-origin',
    vary: 'Origin',
  });
}
