import { readSettings, WrongSettings } from './platform/settings.ts';
import { openHouse, openMedia, openWeb, openWorker } from './app.ts';

/**
 * One process, in the roles that ROLES names (web, worker, media). The supervisor (`start.ts`) runs one a role; a larger
 * installation runs as many of each as it wants.
 */
const began: (() => Promise<unknown>)[] = [];
let leaving = false;

async function leave(code: number) {
  if (leaving) return;
  leaving = true;
  for (const stop of began.reverse()) await stop().catch(() => {});
  process.exit(code);
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void leave(0));
process.on('disconnect', () => void leave(0)); // the supervisor is gone, however it went

try {
  const settings = readSettings();
  if (!settings.databaseUrl) throw new Error('DATABASE_URL is not set. `npm start` starts a database by itself; this process does not.');
  const house = openHouse(settings, settings.roles.join('+'));
  began.push(() => house.close());
  process.on('unhandledRejection', (error) => house.log.error({ err: error }, 'unhandled rejection'));
  process.on('uncaughtException', (error) => { house.log.fatal({ err: error }, 'uncaught exception'); void leave(1); });
  if (settings.roles.includes('media')) {
    const exchange = await openMedia(house);
    began.push(() => exchange.close());
  }
  if (settings.roles.includes('worker')) {
    const worker = await openWorker(house);
    began.push(() => worker.stop());
  }
  if (settings.roles.includes('web')) {
    const app = await openWeb(house);
    began.push(() => app.close());
    await app.listen({ port: settings.port, host: settings.host });
  }
  for (const role of settings.roles) process.send?.({ ready: role });
} catch (error) {
  console.error(error instanceof WrongSettings ? error.message : error);
  await leave(1);
}
