import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Services } from '../../../platform/context.ts';
import { companyKey } from '../visits/tokens.ts';
import { arrivalPage, landingPage, landings, startPage, visitors } from './pages.ts';
import { companyShownOn } from './store.ts';

const place = new URL('../../../../../snippet/demo-page.js', import.meta.url);
/** The host that the demo data gives a pool, so that the script runs on this installation's pages. */
const DEMO_HOST = 'localhost';

const has = <T extends object>(of: T, key: string): key is string & keyof T =>
  Object.hasOwn(of, key);

/**
 * A website of the demo's dental group at `/demo-site`, with the company's script on it. Only in the
 * demo, where the carrier is simulated; without the demo data, or elsewhere, it is a 404.
 */
export function demoSiteRoutes(app: FastifyInstance, { db, settings }: Services): void {
  // Nothing below is a screen of the app.
  app.get('/demo-site/*', (_, reply) => reply.callNotFound());
  if (!settings.demo || !settings.simulated)
    return void app.get('/demo-site', (_, reply) => reply.callNotFound());
  const company = () => companyShownOn(db, DEMO_HOST);
  const send = (reply: FastifyReply, html: string) =>
    reply.type('text/html; charset=utf-8').header('cache-control', 'no-store').send(html);

  app.get('/demo-site', async (_, reply) =>
    (await company()) === null ? reply.callNotFound() : send(reply, startPage()),
  );
  app.get('/demo-site/page.js', (_, reply) =>
    reply.type('text/javascript; charset=utf-8').send(readFileSync(place, 'utf8')),
  );
  app.get<{ Params: { visitor: string } }>('/demo-site/as/:visitor', (request, reply) => {
    const { visitor } = request.params;
    if (!has(visitors, visitor)) return reply.callNotFound();
    // The page that they land on must not see where they were.
    return send(reply.header('referrer-policy', 'no-referrer'), arrivalPage(visitor));
  });
  app.get<{ Params: { landing: string }; Querystring: Record<string, unknown> }>(
    '/demo-site/:landing',
    async (request, reply) => {
      const { landing } = request.params;
      const companyId = await company();
      if (!has(landings, landing) || companyId === null) return reply.callNotFound();
      const { gclid, utm_medium: medium } = request.query;
      const visitor = gclid ? 'ads' : medium === 'email' ? 'email' : 'direct';
      return send(reply, landingPage(landing, visitor, companyKey(settings.appSecrets, companyId)));
    },
  );
}
