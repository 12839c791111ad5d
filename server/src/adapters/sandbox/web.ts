import type { FastifyInstance } from 'fastify';
import type { Services } from '../../platform/context.ts';
import type { BodyReader } from '../../platform/http/request-bodies.ts';
import { sandboxDirectory, unreachableReason } from './directory.ts';
import { sandboxDnsRoutes } from './dns.ts';
import { announcedExchanges } from './exchanges.ts';
import { sandboxFaxRoutes } from './fax-routes.ts';
import { mediaProxy } from './media-proxy.ts';
import { sandboxPortRoutes } from './porting-jobs.ts';
import { pushesPage } from './pushes.ts';
import { sandboxRegistrationRoutes } from './registration.ts';
import { sandboxVoiceRoutes } from './routes.ts';
import { sandboxSpamRoutes } from './spam-labels.ts';
import { sandboxTextRoutes } from './text-routes.ts';

/**
 * What the sandbox serves: the media proxy where our exchanges run, the outside phones where the
 * sandbox is a connected carrier, and the page of push notifications in development.
 */
export async function sandboxWeb(
  app: FastifyInstance,
  services: Services,
  bodies: BodyReader,
): Promise<void> {
  const { settings, db } = services;
  const exchange = {
    exchanges: announcedExchanges(db),
    secret: settings.mediaSecret,
    unreachableReason: (number: string) => unreachableReason(services, number),
  };
  if (!settings.pushEnabled && !settings.production) await app.register(pushesPage(db));
  if (settings.exchange) await app.register(mediaProxy, exchange);
  if (!settings.simulated) return;
  await app.register(sandboxVoiceRoutes, exchange);
  await app.register(sandboxTextRoutes(services, bodies));
  await app.register(sandboxSpamRoutes(services));
  await app.register(sandboxRegistrationRoutes(services));
  await app.register(sandboxDnsRoutes(services));
  await app.register(sandboxDirectory(services));
  await app.register(sandboxPortRoutes(services));
  if (settings.faxCarrier === 'sandbox') await app.register(sandboxFaxRoutes(services, bodies));
}
