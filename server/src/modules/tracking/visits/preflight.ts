import type { FastifyInstance } from 'fastify';
import { cookiesOfVisitors } from './first-party.ts';

/**
 * Browsers ask before a page of another website sends JSON. The question doesn't name the company,
 * so any website may ask; the request itself is refused unless it comes from a pool's website.
 */
export function visitPreflight(app: FastifyInstance): void {
  // Pages send JSON as plain text, about which browsers don't ask: that saves a trip.
  app.addHook('onRequest', (request, _, done) => {
    if (request.url.startsWith('/api/dni/v1/'))
      request.cookies = cookiesOfVisitors(request.cookies);
    done();
  });
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addHook('preValidation', (request, _, done) => {
    const { body } = request;
    if (typeof body !== 'string' || !request.url.startsWith('/api/dni/v1/')) return done();
    void parse(request, body, (error, parsed) => {
      request.body = parsed;
      done(error ?? undefined);
    });
  });
  app.options('/api/dni/v1/*', async (request, reply) =>
    reply
      .headers({
        'access-control-allow-origin': request.headers.origin ?? '*',
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'content-type',
        'access-control-max-age': '86400',
        vary: 'Origin',
      })
      .code(204)
      .send(),
  );
}
