/**
 * `npm start`: finds or starts everything the product needs, waits until it is ready, and keeps it
 * running. Ctrl-C and SIGTERM leave nothing behind; after a kill -9 the next start picks up the pieces.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { AlreadyOwned, NoPostgres, openDatabase } from './platform/postgres/index.ts';
import { readSettings, WrongSettings, type Settings } from './platform/settings.ts';
import { box } from './start/box.ts';
import { employ, type Crewman } from './start/crew.ts';
import { screensOnTheFly, watchSources } from './start/develop.ts';
import { firstOwnerLink, productionNotices, undeliveredMail } from './start/notices.ts';
import { nextFreePort } from './start/ports.ts';
import { firstCompany, prepare } from './start/prepare.ts';
import { forMachines, say } from './start/say.ts';
import { asWritten, compiledServer } from './start/server-build.ts';
import { buildWeb } from './start/web-build.ts';

/** How long a process may take to finish what it has at hand. */
const drainMs = 8_000;

const began = performance.now();
/** What must be stopped, in the order it was started. */
const running: Array<() => Promise<void>> = [];
const building = new AbortController();
/** `npm run dev`: screens change as they are written, processes start again when their sources change. */
const watching = process.argv.includes('--watch');
let leaving: Promise<void> | null = null;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (!leaving) say('Stopping …');
    void leave(0);
  });
}

process.once('disconnect', () => void leave(0));

// Whoever read our output may go (`npm start | head`); the product goes on.
process.stdout.on('error', () => {});
process.on('uncaughtException', (error) => {
  say(error.stack ?? error.message, 'error');
  void leave(1);
});

await start().catch((error: unknown) => {
  if (leaving) return;
  say(explain(error), 'error');
  return leave(1);
});

async function start(): Promise<void> {
  const settings = readSettings();
  // First of all, because it refuses when another start already owns the data directory.
  const database = await openDatabase({ dataDir: settings.dataDir, url: settings.databaseUrl, say: (line) => say(line, 'warn') });
  running.push(database.stop);
  say(`${database.about} is ready`);
  const { port, mediaPort, sipPort, url: served } = await choosePorts(settings);
  const screens = watching ? await screensOnTheFly(served) : null;
  if (screens) running.push(screens.stop);
  const url = screens?.url ?? served;
  database.announce(url);

  const code = watching ? Promise.resolve(() => asWritten) : compiledServer((line) => say(line, 'warn'));
  // The two slow parts of a first start; on two cores they go well together.
  const [builtInMs] = await Promise.all([settings.roles.includes('web') && !watching ? buildWeb({ signal: building.signal }) : null, prepare({ ...settings, databaseUrl: database.url, publicUrl: url }, database.embedded, say, building.signal, code)]);
  if (leaving) return;
  if (builtInMs) say(`Screens built in ${(builtInMs / 1000).toFixed(1)} s`);

  const env = {
    DATABASE_URL: database.url,
    DATA_DIR: settings.dataDir,
    HOST: settings.host,
    PORT: String(port),
    PUBLIC_URL: url,
    MEDIA_PORT: String(mediaPort),
    SIP_PORT: String(sipPort),
    MEDIA_SECRET: settings.mediaSecret,
    APP_SECRET: settings.appSecret.toString('hex'),
    DEMO: settings.demo ? '1' : '0',
  };
  const runs = await code;
  const crew = settings.roles.map((role) => employ(role, env, runs));
  running.push(async () => void (await Promise.all(crew.map((one) => one.stop(drainMs)))));
  await allReady(crew, settings.roles.includes('web') ? `http://${reachable(settings.host)}:${port}/readyz` : null);
  if (leaving) return;
  if (watching) running.push(watchSources(() => crew.forEach((one) => one.restart())));

  // Whoever started us as a process of theirs (the browser tests do) hears it without reading the box.
  process.send?.({ ready: 'all', url, databaseUrl: database.url, sipPort });
  for (const notice of productionNotices(settings)) say(notice, 'warn');
  const undelivered = await undeliveredMail(database.url);
  if (undelivered) say(undelivered, 'warn');
  const company = await firstCompany(database.url);
  const ownerLink = company ? null : await firstOwnerLink({ ...settings, databaseUrl: database.url, publicUrl: url });
  if (ownerLink) say(`Nobody has an account yet, and no code can be mailed. The first owner signs up here, once, within 24 hours: ${ownerLink}`, 'warn');
  const seconds = (performance.now() - began) / 1000;
  say(forMachines ? `Ready at ${url} in ${seconds.toFixed(1)} s` : box({ url, sipPort, demo: settings.demo, company, simulated: settings.carrier === 'sandbox', seconds }));
}

/** Busy ports move up by one, except in production, where a proxy in front would look in the old place. */
async function choosePorts(settings: Settings): Promise<{ port: number; mediaPort: number; sipPort: number; url: string }> {
  const host = reachable(settings.host);
  const port = settings.roles.includes('web') ? await nextFreePort(settings.port, settings.host) : settings.port;
  if (port === null || (port !== settings.port && settings.production)) throw new Error(`Port ${settings.port} is busy. Stop what listens there, or choose another: PORT=${settings.port + 100} npm start`);
  if (port !== settings.port) say(`Port ${settings.port} is busy, so Trunkline takes ${port}`, 'warn');
  // Other machines that take only the media role must find it where they were told.
  const alone = !settings.roles.includes('web');
  const mediaPort = settings.roles.includes('media') && !alone ? await nextFreePort(settings.mediaPort, '127.0.0.1', [port]) : settings.mediaPort;
  if (mediaPort === null) throw new Error(`Port ${settings.mediaPort} and those above it are busy. Choose another: MEDIA_PORT=${settings.mediaPort + 100} npm start`);
  // SIP phones are extra: without a free port the product goes on without them.
  const sipPort = settings.sipPort && settings.exchange && settings.roles.includes('media') ? ((await nextFreePort(settings.sipPort, reachable(settings.host), [port, mediaPort])) ?? 0) : 0;
  if (settings.sipPublic && sipPort !== settings.sipPort && settings.roles.includes('media')) say(`SIP_PORT ${settings.sipPort} is busy, so carriers cannot reach our exchange at SIP_PUBLIC: calls of their numbers ring in no browser`, 'warn');
  const given = process.env.PUBLIC_URL?.trim();
  return { port, mediaPort, sipPort, url: given ? settings.publicUrl : `http://${host}:${port}` };
}

/** The address under which this machine itself reaches a listener. */
function reachable(host: string): string {
  return host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
}

/** Every process has said so, and the web process answers for all of them. */
async function allReady(crew: Crewman[], readyUrl: string | null): Promise<void> {
  const slow = setTimeout(() => say('Still waiting for the processes to be ready …', 'warn'), 30_000);
  try {
    await Promise.all(crew.map(({ ready }) => ready));
    while (readyUrl && !leaving) {
      const answer = await fetch(readyUrl, { signal: AbortSignal.timeout(2_000) }).catch(() => null);
      if (answer?.ok) return;
      await pause(50);
    }
  } finally {
    clearTimeout(slow);
  }
}

/** Stops everything in reverse order, once, and ends this process. */
function leave(code: number): Promise<void> {
  leaving ??= (async () => {
    building.abort();
    for (const stop of running.reverse()) await stop().catch((error: unknown) => say(explain(error), 'error'));
    process.exit(code);
  })();
  return leaving;
}

/** Mistakes that people can mend are told in their words; only surprises show where they happened. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const expected = error instanceof WrongSettings || error instanceof AlreadyOwned || error instanceof NoPostgres;
  const mayNot = (error as NodeJS.ErrnoException).code === 'EACCES' || (error as NodeJS.ErrnoException).code === 'EPERM';
  if (mayNot) return `${error.message}. The directory belongs to somebody else: run as that user, or choose your own: DATA_DIR=/path/of/yours npm start`;
  return expected || !process.env.DEBUG ? error.message : (error.stack ?? error.message);
}
