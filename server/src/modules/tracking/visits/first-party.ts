import type { FastifyReply, FastifyRequest } from 'fastify';
import { siteOfRequest } from './allowed-site.ts';

/** The longest that browsers keep a cookie, in seconds. */
const KEPT_SECONDS = 400 * 24 * 60 * 60;
const PATH = '/api/dni/v1/';
const NAME = /^_dni_\d{1,16}$/;
const nameOf = (companyId: number): string => `_dni_${companyId}`;

/** A domain of a pool as cookies know it: without port, `*.` and `www.`. */
export const bareDomain = (domain: string): string =>
  domain
    .replace(/:.*$/, '')
    .replace(/^\*\./, '')
    .replace(/^www\./, '');

/** Whether a host is this domain or below it. */
export const isBelow = (host: string, domain: string): boolean =>
  host === bareDomain(domain) || host.endsWith(`.${bareDomain(domain)}`);

/** The subdomain of the page's own website at which a request arrived; null: another's address. */
export function firstPartyHost(request: FastifyRequest, domains: readonly string[]): string | null {
  const site = siteOfRequest(request)?.split(':')[0];
  const host = request.hostname.toLowerCase();
  if (site === undefined || host === site) return null;
  return domains.some((domain) => isBelow(host, domain) && isBelow(site, domain)) ? host : null;
}

/** The visitor that our cookie names; null: none. */
export const visitorInCookie = ({ cookies }: FastifyRequest, companyId: number): string | null =>
  cookies[nameOf(companyId)] ?? null;

/**
 * Keeps a visitor in a cookie that page scripts can't read. One who refused is forgotten; one who
 * didn't answer yet (`visitorId` null) stays as they are.
 */
export function keepVisitor(
  reply: FastifyReply,
  companyId: number,
  visitorId: string | null,
  consent: boolean | undefined,
): void {
  if (visitorId === null && consent !== false) return;
  void reply.setCookie(nameOf(companyId), visitorId ?? '', {
    path: PATH,
    httpOnly: true,
    secure: reply.request.protocol === 'https',
    sameSite: 'lax',
    maxAge: visitorId === null ? 0 : KEPT_SECONDS,
  });
}

/** Of the cookies of a request from a website only ours: whoever is signed in here isn't meant. */
export const cookiesOfVisitors = (cookies: FastifyRequest['cookies']): FastifyRequest['cookies'] =>
  Object.fromEntries(Object.entries(cookies).filter(([name]) => NAME.test(name)));
