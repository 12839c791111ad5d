import { randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Http } from '../../platform/routes.ts';
import type { Ctx } from '../../platform/context.ts';
import { fail } from '../../platform/errors.ts';
import { constantTimeEqual, madeWithOneOf, sign, type KeyRing } from '../../platform/secrets.ts';
import type { Settings } from '../../platform/settings.ts';

/**
 * Sets the XSRF-TOKEN cookie: random and signed. Our page sends it back in X-XSRF-TOKEN with
 * writes.
 */
export async function setCsrfCookie(ctx: Ctx, http: Http): Promise<void> {
  const random = randomBytes(18).toString('base64url');
  void http.reply.setCookie(
    'XSRF-TOKEN',
    `${random}.${sign(ctx.settings.appSecret, `xsrf:${random}`)}`,
    { path: '/', sameSite: 'lax', secure: ctx.settings.publicUrl.startsWith('https:') },
  );
}

/** True when X-XSRF-TOKEN equals the signed cookie. */
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
 * Sign-in by cookie must come from our own page, or another site could sign its visitor in as someone
 * else (login CSRF). Browsers send Sec-Fetch-Site or Origin; requests with neither are not from a
 * browser. Other sites can't send an Authorization header. Fails with `cross_site` or `csrf_mismatch`.
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
      : origin !== undefined && (origin === new URL(publicUrl).origin || hostOf(origin) === host);
  if (!isSameOrigin) fail('cross_site', { address: publicUrl });
  if (!hasValidCsrfToken(request, appSecrets)) fail('csrf_mismatch');
}
const hostOf = (origin: string): string | null =>
  URL.canParse(origin) ? new URL(origin).host : null;
