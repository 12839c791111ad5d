import { randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Http } from '../../platform/answer.ts';
import type { Ctx } from '../../platform/context.ts';
import { same, sign } from '../../platform/secrets.ts';

/** The XSRF-TOKEN cookie: random and signed, readable by our page, echoed in X-XSRF-TOKEN on writes by cookie. */
export async function csrfCookie(ctx: Ctx, http: Http): Promise<void> {
  const random = randomBytes(18).toString('base64url');
  void http.reply.setCookie('XSRF-TOKEN', `${random}.${sign(ctx.settings.appSecret, `xsrf:${random}`)}`, { path: '/', sameSite: 'lax', secure: ctx.settings.publicUrl.startsWith('https:') });
}

/** True when the header repeats our own signed cookie. */
export function provesOrigin(request: FastifyRequest, secret: Buffer): boolean {
  const header = request.headers['x-xsrf-token'];
  const cookie = request.cookies['XSRF-TOKEN'];
  if (typeof header !== 'string' || !cookie || !same(header, cookie)) return false;
  const [random, signature] = cookie.split('.');
  return Boolean(random && signature && same(signature, sign(secret, `xsrf:${random}`)));
}
