import { setTimeout as pause } from 'node:timers/promises';
import { readSettings, WrongSettings } from './platform/settings.ts';
import { openHouse, openMedia, openWeb, openWorker } from './app.ts';
import { bindPort, BusyPort } from './platform/bind-port.ts';
import { databaseLogins, type Logins } from './platform/roles.ts';
import { checkSecret, WrongSecret } from './platform/secret-check.ts';
import { Told } from './start/addresses.ts';

/**
 * One process, in the roles that ROLES names (web, worker, media). The supervisor (`start.ts`) runs one a role; a larger
 * installation runs as many of each as it wants.
 */
const began: (() => Promise<unknown>)[] = [];
let leaving = false;
/** How long a process waits for its database at its start; milliseconds. */
const databaseMs = 30_000;

async function leave(code: number) {
  if (leaving) return;
  leaving = true;
  for (const stop of began.reverse()) await stop().catch(() => {});
  process.exit(code);
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void leave(0));
process.on('disconnect', () => void leave(0)); // the supervisor is gone, however it went

/** Whether this process has the right secret, and its logins. A database that is away for a moment is waited for. */
async function askDatabase(url: string, secret: Buffer): Promise<Logins | null> {
  for (const until = performance.now() + databaseMs; ; await pause(200)) {
    try {
      await checkSecret(url, secret);
      return await databaseLogins(url, secret);
    } catch (error) {
      if (error instanceof WrongSecret || performance.now() > until) throw error;
    }
  }
}

try {
  const settings = readSettings();
  if (!settings.databaseUrl)
    throw new Error(
      'DATABASE_URL is not set. `npm start` starts a database by itself; this process does not.',
    );
  // The supervisor tells where the others listen, now and whenever one came back elsewhere.
  const whoServes = new Promise<void>((resolve) =>
    process.on('message', (message) => {
      const told = Told.safeParse(message);
      if (!told.success) return;
      const { port, mediaPort, sipPort, publicUrl } = told.data.addresses;
      // Of its own ports a process knows best, and 0 is none yet.
      if (port && !settings.roles.includes('web')) settings.port = port;
      if (mediaPort && !settings.roles.includes('media'))
        Object.assign(settings, { mediaPort, sipPort });
      settings.publicUrl = publicUrl;
      if (port !== 0) resolve();
    }),
  );
  // A worker reports to the web process: it begins when that has a port.
  const worksAlone = settings.roles.includes('worker') && !settings.roles.includes('web');
  if (worksAlone && settings.port === 0 && process.send) await whoServes;
  const logins = await askDatabase(settings.databaseUrl, settings.appSecret);
  const house = openHouse(settings, settings.roles.join('+'), { logins });
  began.push(() => house.close());
  process.on('unhandledRejection', (error) =>
    house.log.error({ err: error }, 'unhandled rejection'),
  );
  process.on('uncaughtException', (error) => {
    house.log.fatal({ err: error }, 'uncaught exception');
    void leave(1);
  });
  if (settings.roles.includes('media')) {
    const exchange = await openMedia(house);
    began.push(() => exchange.close());
    const bound = { mediaPort: exchange.port, sipPort: exchange.sipPort ?? 0 };
    Object.assign(settings, bound);
    process.send?.({ listening: bound });
  }
  if (settings.roles.includes('worker')) {
    const worker = await openWorker(house);
    began.push(() => worker.stop());
  }
  if (settings.roles.includes('web')) {
    const app = await openWeb(house);
    began.push(() => app.close());
    settings.port = await bindPort(
      settings.port,
      { move: settings.movePorts, setting: 'PORT' },
      async (port) => {
        await app.listen({ port, host: settings.host });
        const bound = app.server.address();
        return bound && typeof bound === 'object' ? bound.port : port;
      },
    );
    process.send?.({ listening: { port: settings.port } });
  }
  for (const role of settings.roles) process.send?.({ ready: role });
} catch (error) {
  console.error(
    error instanceof WrongSettings || error instanceof BusyPort || error instanceof WrongSecret
      ? error.message
      : error,
  );
  await leave(1);
}
