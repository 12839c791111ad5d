import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../../platform/context.ts';
import { providerOf } from './provider.ts';
import { answerUserinfo } from './userinfo.ts';
import { wellKnownRoutes } from './well-known.ts';

const mountedAt = '/api/oauth';
/** What outside programs call, below `mountedAt`. The rest of /api/oauth are our own endpoints. */
const provided = [
  ['GET', '/auth'],
  ['POST', '/auth'],
  ['GET', '/auth/:uid'],
  ['POST', '/token'],
  ['POST', '/token/revocation'],
  ['POST', '/reg'],
  ['GET', '/reg/:clientId'],
  ['GET', '/jwks'],
  ['GET', '/session/end'],
  ['POST', '/session/end'],
  ['POST', '/session/end/confirm'],
  ['GET', '/session/end/success'],
  ['GET', '/.well-known/openid-configuration'],
  ['GET', '/.well-known/oauth-authorization-server'],
] as const;
const preflighted = ['/token', '/token/revocation', '/jwks', '/me'] as const;

/**
 * Makes a raw request look as the provider expects it. It takes the addresses that it publishes
 * from the request, so they are set from PUBLIC_URL here.
 */
export function prepareForProvider(raw: IncomingMessage, publicUrl: string, path?: string): void {
  const { host, protocol } = new URL(publicUrl);
  raw.headers['x-forwarded-host'] = host;
  raw.headers['x-forwarded-proto'] = protocol.slice(0, -1);
  if (path === undefined) return;
  // First the original address, then the stripped one: otherwise it publishes endpoints without
  // the prefix.
  Object.assign(raw, { originalUrl: `${mountedAt}${path}` });
  raw.url = path;
}

/** Serves the OpenID provider's endpoints. They read their bodies themselves. */
export function oauthProviderRoutes(services: Services) {
  return async (app: FastifyInstance): Promise<void> => {
    // Leaves the body unread, whatever its type.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    const serve = (method: 'GET' | 'POST' | 'OPTIONS', url: string, prefix: string) =>
      app.route({
        method,
        url,
        config: { rateLimit: { max: 300, timeWindow: 60_000 } },
        handler: async (request, reply) => {
          const provider = await providerOf(services);
          prepareForProvider(
            request.raw,
            services.settings.publicUrl,
            (request.raw.url ?? '').slice(prefix.length),
          );
          reply.hijack();
          for (const [name, value] of Object.entries(reply.getHeaders()))
            if (value !== undefined) reply.raw.setHeader(name, value);
          await provider.callback()(request.raw, reply.raw);
        },
      });
    for (const [method, path] of provided) serve(method, `${mountedAt}${path}`, mountedAt);
    for (const path of preflighted) serve('OPTIONS', `${mountedAt}${path}`, mountedAt);
    app.route({
      method: ['GET', 'POST'],
      url: `${mountedAt}/me`,
      config: { rateLimit: { max: 300, timeWindow: 60_000 } },
      handler: (request, reply) => answerUserinfo(services, request, reply),
    });
    wellKnownRoutes(app, services.settings.publicUrl);
    // The issuer is the origin, so programs look here first.
    serve('GET', '/.well-known/openid-configuration', '');
    serve('GET', '/.well-known/oauth-authorization-server', '');
  };
}
