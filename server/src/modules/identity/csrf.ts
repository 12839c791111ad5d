import { randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Http } from '../../platform/routes.ts';
import type { Ctx } from '../../platform/context.ts';
import { fail } from '../../platform/errors.ts';
import { constantTimeEqual, madeWithOneOf, sign, type KeyRing } from '../../platform/secrets.ts';
import type { Settings } from '../../platform/settings.ts';

/** The XSRF-TOKEN cookie: random and signed, readable by our page, echoed in X-XSRF-TOKEN on writes by cookie. */
export async function setCsrfCookie(ctx: Ctx, http: Http): Promise<void> {
  const random = randomBytes(18).toString('base64url');
  void http.reply.setCookie(
    'XSRF-TOKEN',
    `${random}.${sign(ctx.settings.appSecret, `xsrf:${random}`)}`,
    { path: '/', sameSite: 'lax', secure: ctx.settings.publicUrl.startsWith('https:') },
  );
}

/** True when the header repeats our own signed cookie. */
export function hasValidCsrfToken(request: FastifyRequest, secrets: KeyRing): boolean {
  const header = request.headers['x-xsrf-token'];
  const cookie = request.cookies['XSRF-TOKEN'];
  if (typeof header !== 'string' || !cookie || !constantTimeEqual(header, cookie)) return false;
  const [random, signature] = cookie.split('.');
  return Boolean(
    random &&
    signature &&
    madeWithOneOf(secrets, signature, (secret) => sign(secret, `xsrf:${random}`)),
  );
}

/**
 * Who signs in by cookie must be our own page: another site could otherwise sign its reader in as somebody else. Browsers say
 * where a request comes from (Sec-Fetch-Site over https and on this machine, Origin on every write); what says neither is a
 * program, which no page can make. An Authorization header is nothing a page of another site can send.
 */
export function requireSameSite(
  request: FastifyRequest,
  { publicUrl, appSecrets }: Pick<Settings, 'publicUrl' | 'appSecrets'>,
): void {
  const { authorization, origin, host, 'sec-fetch-site': site } = request.headers;
  if (authorization !== undefined || (site === undefined && origin === undefined)) return;
  const isSameOrigin =
    site !== undefined
      ? site === 'same-origin' || site === 'none'
      : origin === new URL(publicUrl).origin || hostOf(origin!) === host;
  if (!isSameOrigin) fail('cross_site', { address: publicUrl });
  if (!hasValidCsrfToken(request, appSecrets)) fail('csrf_mismatch');
}
const hostOf = (origin: string): string | null =>
  URL.canParse(origin) ? new URL(origin).host : null;
