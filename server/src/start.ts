/**
 * `npm start`: finds or starts everything the product needs, waits until it is ready, and keeps it
 * running. Ctrl-C and SIGTERM leave nothing behind; after a kill -9 the next start picks up the pieces.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { AlreadyOwned, NoPostgres, openDatabase } from './platform/postgres/index.ts';
import { databaseLogins } from './platform/roles.ts';
import { readSettings, WrongSettings, type Role, type Settings } from './platform/settings.ts';
import type { Addresses, Bound } from './start/addresses.ts';
import { box } from './start/box.ts';
import { employ, type Crewman } from './start/crew.ts';
import { screensOnTheFly, watchSources } from './start/develop.ts';
import {
  accountNotices,
  firstOwnerLink,
  productionNotices,
  undeliveredMail,
} from './start/notices.ts';
import { isFree } from './start/ports.ts';
import { firstCompany, prepare } from './start/prepare.ts';
import { forMachines, say } from './start/say.ts';
import { asWritten, compiledServer } from './start/server-build.ts';
import { openToAnyone } from './start/open-to-anyone.ts';
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
  const database = await openDatabase({
    dataDir: settings.dataDir,
    url: settings.databaseUrl,
    say: (line) => say(line, 'warn'),
  });
  running.push(database.stop);
  say(`${database.about} is ready`);
  const web = settings.roles.includes('web');
  // A proxy in front looks in one place. Said before anything is made, although the web process says it as well.
  if (web && settings.production && !(await isFree(settings.port, settings.host)))
    throw new Error(
      `Port ${settings.port} is busy. Stop what listens there, or choose another: PORT=${settings.port + 100} npm start`,
    );

  const code = watching
    ? Promise.resolve(() => asWritten)
    : compiledServer((line) => say(line, 'warn'));
  // The two slow parts of a first start; on two cores they go well together.
  const [builtInMs] = await Promise.all([
    web && !watching ? buildWeb({ signal: building.signal }) : null,
    prepare(
      { ...settings, databaseUrl: database.url },
      database.embedded,
      say,
      building.signal,
      code,
    ),
  ]);
  if (leaving) return;
  if (builtInMs) say(`Screens built in ${(builtInMs / 1000).toFixed(1)} s`);

  if (!(await databaseLogins(database.url, settings.appSecret)))
    say(
      'The role of DATABASE_URL may not create logins, so all parts of Trunkline share it. docs/database.md says what that costs',
      'warn',
    );
  if (!database.embedded && !settings.s3)
    say(
      `Recordings and other files are kept on this machine only, in ${settings.dataDir}. Set S3_BUCKET to reach them from several machines and DATA_DIRs`,
      'warn',
    );
  const runs = await code;
  const places = openPlaces(settings, database.announce);
  const crew = settings.roles.map((role): Crewman =>
    employ(
      role,
      () => ({
        DATABASE_URL: database.url,
        DATA_DIR: settings.dataDir,
        HOST: settings.host,
        MEDIA_SECRET: settings.mediaSecret,
        APP_SECRET: settings.appSecret.toString('hex'),
        DEMO: settings.demo ? '1' : '0',
        ...places.environment(role),
      }),
      runs,
      (ports) =>
        void places.heard(ports, crew).catch((error: unknown) => say(explain(error), 'error')),
    ),
  );
  running.push(async () => void (await Promise.all(crew.map((one) => one.stop(drainMs)))));
  await allReady(
    crew,
    web ? () => `http://${reachable(settings.host)}:${places.now.port}/readyz` : null,
  );
  if (leaving) return;
  if (watching) running.push(watchSources(() => crew.forEach((one) => one.restart())));

  const { publicUrl: url, sipPort } = places.now;
  // Whoever started us as a process of theirs (the browser tests do) hears it without reading the box.
  process.send?.({ ready: 'all', url, databaseUrl: database.url, sipPort });
  for (const line of openToAnyone(settings)) say(line, 'warn');
  for (const notice of productionNotices(settings)) say(notice, 'warn');
  const undelivered = await undeliveredMail(database.url);
  if (undelivered) say(undelivered, 'warn');
  const company = await firstCompany(database.url);
  const ownerLink = company
    ? null
    : await firstOwnerLink({ ...settings, databaseUrl: database.url, publicUrl: url });
  if (ownerLink)
    say(
      `Nobody has an account yet, and no code can be mailed. The first owner signs up here, once, within 24 hours: ${ownerLink}`,
      'warn',
    );
  const seconds = (performance.now() - began) / 1000;
  // After the start: a carrier that is away must not delay it.
  void accountNotices(settings).then((lines) => {
    for (const line of lines) say(line, 'warn');
  });
  say(
    forMachines
      ? `Ready at ${url} in ${seconds.toFixed(1)} s`
      : box({
          url,
          sipPort,
          demo: settings.demo,
          company,
          simulated: settings.carrier === 'sandbox',
          seconds,
        }),
  );
}

/**
 * Where the processes listen. They bind and say so, because a port that is merely found free may be another program's a moment
 * later. Busy ports move up to the next free one, except where somebody else looks in the old place: a proxy in production, other
 * machines at one that has only some of the roles.
 */
function openPlaces(settings: Settings, announce: (url: string) => void) {
  const here = (role: Role) => settings.roles.includes(role);
  const now: Addresses = {
    port: here('web') ? 0 : settings.port,
    mediaPort: here('media') ? 0 : settings.mediaPort,
    sipPort: 0,
    publicUrl: settings.publicUrl,
  };
  let screens: Awaited<ReturnType<typeof screensOnTheFly>> | null = null;

  const mayMove = (role: string) =>
    role === 'web' ? !settings.production && !screens : role === 'media' && here('web');
  return {
    now,
    /** What a process is told at its start: for its own port the one it had or should try first. */
    environment: (role: string): Record<string, string> => ({
      // The worker waits for the port that is bound; the media process only keeps off it.
      PORT: String(role === 'worker' ? now.port : now.port || settings.port),
      MEDIA_PORT: String(role === 'media' ? now.mediaPort || settings.mediaPort : now.mediaPort),
      SIP_PORT: String(settings.exchange ? now.sipPort || settings.sipPort : 0),
      MOVE_PORTS: mayMove(role) ? '1' : '0',
      PUBLIC_URL: now.publicUrl,
    }),
    /** A process has bound ports: the others are told when they are new. */
    async heard(ports: Bound, crew: Crewman[]): Promise<void> {
      const before = { ...now };
      const { port = now.port, mediaPort = now.mediaPort, sipPort = now.sipPort } = ports;
      Object.assign(now, { mediaPort, sipPort });
      if (
        settings.sipPublic &&
        ports.sipPort !== undefined &&
        sipPort !== settings.sipPort &&
        sipPort !== before.sipPort
      )
        say(
          `SIP_PORT ${settings.sipPort} is busy, so carriers cannot reach our exchange at SIP_PUBLIC: calls of their numbers ring in no browser`,
          'warn',
        );
      if (port !== before.port) {
        const wanted = before.port || settings.port;
        if (wanted !== 0 && port !== wanted)
          say(`Port ${wanted} is busy, so Trunkline takes ${port}`, 'warn');
        const served = `http://${reachable(settings.host)}:${port}`;
        if (watching && !screens) {
          screens = await screensOnTheFly(served);
          running.push(screens.stop);
        }
        const publicUrl =
          screens?.url ?? (process.env.PUBLIC_URL?.trim() ? settings.publicUrl : served);
        Object.assign(now, { port, publicUrl });
        announce(publicUrl);
      }
      for (const one of crew) one.tell(now);
    },
  };
}

/** The address under which this machine itself reaches a listener. */
function reachable(host: string): string {
  return host === '0.0.0.0' || host === '::'
    ? '127.0.0.1'
    : host.includes(':')
      ? `[${host}]`
      : host;
}

/** Every process has said so, and the web process answers for all of them. */
async function allReady(crew: Crewman[], readyUrl: (() => string) | null): Promise<void> {
  const slow = setTimeout(
    () => say('Still waiting for the processes to be ready …', 'warn'),
    30_000,
  );
  try {
    await Promise.all(crew.map(({ ready }) => ready));
    while (readyUrl && !leaving) {
      const answer = await fetch(readyUrl(), { signal: AbortSignal.timeout(2_000) }).catch(
        () => null,
      );
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
    for (const stop of running.reverse())
      await stop().catch((error: unknown) => say(explain(error), 'error'));
    process.exit(code);
  })();
  return leaving;
}

/** Mistakes that people can mend are told in their words; only surprises show where they happened. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const expected =
    error instanceof WrongSettings || error instanceof AlreadyOwned || error instanceof NoPostgres;
  const mayNot =
    (error as NodeJS.ErrnoException).code === 'EACCES' ||
    (error as NodeJS.ErrnoException).code === 'EPERM';
  if (mayNot)
    return `${error.message}. The directory belongs to somebody else: run as that user, or choose your own: DATA_DIR=/path/of/yours npm start`;
  return expected || !process.env.DEBUG ? error.message : (error.stack ?? error.message);
}
