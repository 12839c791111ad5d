import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { AccountState } from '../gateways/carrier-accounts.ts';
import * as numbers from '../modules/numbers/index.ts';
import { installationMark } from '../platform/checks/address.ts';
import type { Services } from '../platform/context.ts';
import type { BodyReader } from '../platform/http/request-bodies.ts';
import { readInstallation } from '../platform/installation-metrics.ts';
import { metricsAccess, metricsText } from '../platform/metrics.ts';
import type { Drain } from '../platform/http/drain.ts';

// The system role: the installation itself: health, and our accounts at carriers.

/** How often the carrier accounts are checked, in ms. */
const accountCheckMs = 15 * 60_000;

/** `/livez`, `/readyz` and `/metrics`, for load balancers and operators. */
export function healthRoutes(
  app: FastifyInstance,
  services: Services,
  bodies: BodyReader,
  drain: Drain,
): void {
  const { settings, db } = services;
  const installation = installationMark(settings.appSecret);
  app.get('/livez', async () => ({ ok: true, installation }));
  const accounts = watchAccounts(app, services);
  app.get('/readyz', async (_, reply) => {
    const [database, storage] = await Promise.all([
      succeeds(sql`select 1`.execute(db.unscoped)),
      succeeds(bodies.checkDisk()),
    ]);
    // Calls need the media process, which reports its address.
    const media = !settings.exchange || settings.mediaPort !== 0;
    const draining = drain.isDraining();
    const ok = database && storage && media && !draining;
    // A carrier that rejects our credentials is no reason to take this server out of service;
    // operators see it.
    const carriers = Object.fromEntries(accounts().map((one) => [one.carrier, one.state]));
    return reply.code(ok ? 200 : 503).send({ ok, database, storage, media, draining, carriers });
  });
  app.get('/metrics', async (request, reply) => {
    const access = metricsAccess(settings, request);
    if (access === 404) return reply.callNotFound();
    if (access === 401)
      return reply
        .code(401)
        .header('www-authenticate', 'Bearer')
        .send({ message: 'Send METRICS_TOKEN as a bearer token.' });
    await readInstallation({ db, settings, now: services.now() });
    return reply.type('text/plain; version=0.0.4').send(await metricsText());
  });
}

const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

/** Checks the carrier accounts while the server listens. Returns their last known states. */
function watchAccounts(app: FastifyInstance, services: Services): () => AccountState[] {
  let accounts: AccountState[] = [];
  const refresh = async () => {
    try {
      accounts = await numbers.checkCarrierAccounts(services, services.now());
    } catch (error) {
      services.log.warn({ err: error }, 'the carriers’ account status could not be stored');
    }
  };
  const timer = setInterval(() => void refresh(), accountCheckMs);
  timer.unref();
  app.addHook('onListen', async () => void refresh());
  app.addHook('onClose', () => clearInterval(timer));
  return () => accounts;
}
