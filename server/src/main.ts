import { setTimeout as pause } from 'node:timers/promises';
import { readSettings } from './settings.ts';
import { InvalidSettingsError } from './platform/settings.ts';
import { createServices, createWebServer, startWorker } from './app.ts';
import { startMedia } from './app/media.ts';
import { lowerOwnPriority } from './platform/connection-priority.ts';
import { bindPort, PortInUseError } from './platform/bind-port.ts';
import { databaseLogins, type DatabaseLogins } from './platform/roles.ts';
import { checkSecret, SecretMismatchError } from './platform/secret-check.ts';
import type { KeyRing } from './platform/secrets.ts';
import { AddressesMessage } from './start/addresses.ts';

/**
 * One process, in the roles that ROLES names (web, worker, media). The supervisor (`start.ts`) runs
 * one per role; a larger installation runs as many of each as it needs.
 */
const stops: (() => Promise<unknown>)[] = [];
let exiting = false;
/** How long a process waits for its database at its start, in ms. */
const databaseTimeoutMs = 30_000;

async function exit(code: number) {
  if (exiting) return;
  exiting = true;
  for (const stop of stops.reverse()) await stop().catch(() => {});
  process.exit(code);
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void exit(0));
process.on('disconnect', () => void exit(0)); // The supervisor has ended, perhaps by kill -9.

/**
 * Checks the secret and prepares the database logins. A database that is down for a moment is
 * waited for.
 */
async function connectDatabase(url: string, secrets: KeyRing): Promise<DatabaseLogins | null> {
  for (const until = performance.now() + databaseTimeoutMs; ; await pause(200)) {
    try {
      await checkSecret(url, secrets);
      return await databaseLogins(url, secrets[0]);
    } catch (error) {
      if (error instanceof SecretMismatchError || performance.now() > until) throw error;
    }
  }
}

try {
  const settings = readSettings();
  const isPrompt = settings.jobQueues.includes('default');
  const name = isPrompt ? settings.roles.join('+') : 'bulk';
  if (!isPrompt) lowerOwnPriority();
  if (!settings.databaseUrl)
    throw new Error(
      'DATABASE_URL is not set. `npm start` starts its own database; this process does not.',
    );
  // The supervisor reports the ports of the others now, and whenever one has changed.
  const webAddressKnown = new Promise<void>((resolve) =>
    process.on('message', (message) => {
      const told = AddressesMessage.safeParse(message);
      if (!told.success) return;
      const { port, mediaPort, sipPort, publicUrl } = told.data.addresses;
      // A process keeps its own ports, and 0 means not bound yet.
      if (port && !settings.roles.includes('web')) settings.port = port;
      if (mediaPort && !settings.roles.includes('media'))
        Object.assign(settings, { mediaPort, sipPort });
      settings.publicUrl = publicUrl;
      if (port !== 0) resolve();
    }),
  );
  // A worker reports to the web process, so it starts once that has a port.
  const isWorkerOnly = settings.roles.includes('worker') && !settings.roles.includes('web');
  if (isWorkerOnly && settings.port === 0 && process.send) await webAddressKnown;
  const logins = await connectDatabase(settings.databaseUrl, settings.appSecrets);
  if (settings.tracing) {
    const { startTracing } = await import('./platform/tracing/otlp.ts');
    stops.push(startTracing(settings.tracing, name));
  }
  const services = await createServices(settings, name, { logins });
  stops.push(() => services.close());
  process.on('unhandledRejection', (error) =>
    services.log.error({ err: error }, 'unhandled rejection'),
  );
  process.on('uncaughtException', (error) => {
    services.log.fatal({ err: error }, 'uncaught exception');
    void exit(1);
  });
  if (settings.roles.includes('media')) {
    const exchange = await startMedia(services);
    stops.push(async () => {
      await exchange.drain(settings.callDrainMs);
      await exchange.close();
    });
    const bound = { mediaPort: exchange.port, sipPort: exchange.sipPort ?? 0 };
    Object.assign(settings, bound);
    process.send?.({ listening: bound });
  }
  if (settings.roles.includes('worker')) {
    // The demo data is not part of the product: loaded only where it is configured.
    const extraJobs = settings.demo ? (await import('../seeds/jobs.ts')).jobs : [];
    const worker = await startWorker(services, { extraJobs });
    stops.push(() => worker.stop());
  }
  if (settings.roles.includes('web')) {
    const app = await createWebServer(services);
    stops.push(async () => {
      await app.drain(settings.drainMs);
      await app.close();
    });
    settings.port = await bindPort(
      settings.port,
      { mayMove: settings.movePorts, setting: 'PORT' },
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
    error instanceof InvalidSettingsError ||
      error instanceof PortInUseError ||
      error instanceof SecretMismatchError
      ? error.message
      : error,
  );
  await exit(1);
}
