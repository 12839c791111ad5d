/**
 * `npm start`: finds or starts everything the product needs, waits until it is ready, and keeps it
 * running. Ctrl-C and SIGTERM leave nothing behind; after a kill -9 the next start recovers.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { AlreadyOwned, NoPostgres, openDatabase } from './platform/postgres/index.ts';
import { databaseLogins } from './platform/roles.ts';
import { readSettings } from './settings.ts';
import { InvalidSettingsError, type Settings } from './platform/settings.ts';
import { processesOf } from './start/processes.ts';
import type { Addresses } from './start/addresses.ts';
import { startBackupClock } from './start/backup-clock.ts';
import { startBanner } from './start/banner.ts';
import { stopProcesses, superviseProcess, type SupervisedProcess } from './start/supervisor.ts';
import { watchSources } from './start/dev-server.ts';
import {
  accountNotices,
  createFirstOwnerLink,
  ownerNotice,
  productionNotices,
  setupNotice,
  undeliveredMailNotice,
} from './start/notices.ts';
import { isPortFree } from './start/free-port.ts';
import { oldestCompanyName, prepareDatabase } from './start/prepare-database.ts';
import { reachableHost, trackAddresses } from './start/track-addresses.ts';
import { jsonOutput, logLine, startLogFile } from './start/supervisor-log.ts';
import { compiledServer, uncompiledServer } from './start/server-build.ts';
import { exposureWarnings } from './start/exposure-warnings.ts';
import { buildBundle } from './start/bundle-build.ts';

const startedAt = performance.now();
const seconds = () => (performance.now() - startedAt) / 1000;
/** What must be stopped, in the order it was started. */
const stops: Array<() => Promise<void>> = [];
const building = new AbortController();
/** `npm run dev`: screens are served from source, processes restart when their sources change. */
const watching = process.argv.includes('--watch');
let exiting: Promise<void> | null = null;

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (!exiting) logLine('Stopping …');
    void exit(0);
  });
}

process.once('disconnect', () => void exit(0));
// The reader of our output may close it (`npm start | head`); the product keeps running.
process.stdout.on('error', () => {});
process.on('uncaughtException', (error) => {
  logLine(error.stack ?? error.message, 'error');
  void exit(1);
});

await start().catch((error: unknown) => {
  if (exiting) return;
  logLine(errorText(error), 'error');
  return exit(1);
});

async function start(): Promise<void> {
  const settings = readSettings();
  if (settings.logFile) stops.push(await startLogFile(settings.logFile));
  // First, because it fails when another start already owns the data directory.
  const database = await openDatabase({
    dataDir: settings.dataDir,
    url: settings.databaseUrl,
    say: (line) => logLine(line, 'warn'),
  });
  stops.push(database.stop);
  logLine(`${database.description} is ready`);
  const web = settings.roles.includes('web');
  // A proxy in front expects one port. Checked before anything is created.
  if (web && settings.production && !(await isPortFree(settings.port, settings.host)))
    throw new Error(
      `Port ${settings.port} is busy. Stop the program that uses it, or choose another: PORT=${settings.port + 100} npm start`,
    );

  const code = watching
    ? Promise.resolve(() => uncompiledServer)
    : compiledServer((line) => logLine(line, 'warn'));
  // The two slow parts of a first start run at once.
  const [builtInMs] = await Promise.all([
    web && !watching ? buildBundle('web', { signal: building.signal }) : null,
    prepareDatabase(
      { ...settings, databaseUrl: database.url },
      database.embedded,
      logLine,
      building.signal,
      code,
    ),
  ]);
  if (exiting) return;
  if (builtInMs) logLine(`Screens built in ${(builtInMs / 1000).toFixed(1)} s`);

  await warnOfDatabaseAndFiles(settings, database);
  const serverCode = await code;
  const addresses = trackAddresses(settings, {
    announce: database.announce,
    watching,
    onStop: (stop) => stops.push(stop),
  });
  const processes = settings.roles.flatMap(processesOf).map(({ name, role, env }) =>
    superviseProcess(
      name,
      () => ({
        ...env,
        DATABASE_URL: database.url,
        DATA_DIR: settings.dataDir,
        HOST: settings.host,
        MEDIA_SECRET: settings.mediaSecret,
        APP_SECRET: settings.appSecret.toString('hex'),
        DEMO: settings.demo ? '1' : '0',
        ...addresses.environment(role),
      }),
      serverCode,
      (ports) =>
        void addresses
          .onBound(ports, processes)
          .catch((error: unknown) => logLine(errorText(error), 'error')),
    ),
  );
  stops.push(() => stopProcesses(processes, settings));
  await waitUntilReady(
    processes,
    web ? () => `http://${reachableHost(settings.host)}:${addresses.now.port}/readyz` : null,
  );
  if (exiting) return;
  if (watching) stops.push(watchSources(() => processes.forEach((one) => one.restart())));

  await announceReady(settings, database.url, addresses.now);
  if (settings.backup.to) stops.push(startBackupClock(settings, database.url, logLine));
}

async function warnOfDatabaseAndFiles(
  settings: Settings,
  database: { url: string; embedded: boolean },
): Promise<void> {
  if (!(await databaseLogins(database.url, settings.appSecret)))
    logLine(
      'The role in DATABASE_URL can’t create logins, so all parts of Trunkline share it. docs/database.md explains the consequences',
      'warn',
    );
  if (!database.embedded && !settings.sharesFiles)
    logLine(
      `Recordings and other files are stored on this machine only, in ${settings.dataDir}. Set S3_BUCKET to reach them from several machines and DATA_DIRs`,
      'warn',
    );
}

/** Tells the operator and a parent process that everything runs, with what to take care of. */
async function announceReady(
  settings: Settings,
  databaseUrl: string,
  { publicUrl: url, sipPort }: Addresses,
): Promise<void> {
  // A parent process (the browser tests) gets this without parsing the banner.
  process.send?.({ ready: 'all', url, databaseUrl, sipPort });
  for (const line of [...exposureWarnings(settings), ...productionNotices(settings)])
    logLine(line, 'warn');
  const undelivered = await undeliveredMailNotice(databaseUrl);
  if (undelivered) logLine(undelivered, 'warn');
  const setUp = await setupNotice({ ...settings, databaseUrl, publicUrl: url });
  if (setUp) logLine(setUp, 'warn');
  const company = await oldestCompanyName(databaseUrl);
  const ownerLink = company
    ? null
    : await createFirstOwnerLink({ ...settings, databaseUrl, publicUrl: url });
  if (ownerLink) logLine(ownerNotice(ownerLink), 'warn');
  if (settings.roles.includes('web') && !watching) void buildOtherApps();
  // After the start, because a carrier that is down must not delay it.
  void accountNotices(settings).then((lines) => {
    for (const line of lines) logLine(line, 'warn');
  });
  logLine(
    jsonOutput
      ? `Ready at ${url} in ${seconds().toFixed(1)} s`
      : startBanner({
          url,
          sipPort,
          demo: settings.demo,
          company,
          simulated: settings.carrier === 'sandbox',
          seconds: seconds(),
        }),
  );
}

/** After the start: few people open these apps, and building them would delay it. */
async function buildOtherApps(): Promise<void> {
  for (const bundle of ['admin', 'caddy'] as const)
    await buildBundle(bundle, { signal: building.signal }).catch((error: unknown) => {
      if (!exiting) logLine(errorText(error), 'warn');
    });
}

/** Every process has reported ready, and the web process answers for all of them. */
async function waitUntilReady(
  crew: SupervisedProcess[],
  readyUrl: (() => string) | null,
): Promise<void> {
  const slowWarning = setTimeout(
    () => logLine('Still waiting for the processes to be ready …', 'warn'),
    30_000,
  );
  try {
    await Promise.all(crew.map(({ ready }) => ready));
    while (readyUrl && !exiting) {
      const answer = await fetch(readyUrl(), { signal: AbortSignal.timeout(2_000) }).catch(
        () => null,
      );
      if (answer?.ok) return;
      await pause(50);
    }
  } finally {
    clearTimeout(slowWarning);
  }
}

/** Stops everything in reverse order, once, and ends this process. */
function exit(code: number): Promise<void> {
  exiting ??= (async () => {
    building.abort();
    for (const stop of stops.reverse())
      await stop().catch((error: unknown) => logLine(errorText(error), 'error'));
    process.exit(code);
  })();
  return exiting;
}

/**
 * Errors that operators can fix are printed without a stack; only unexpected ones show where they
 * happened.
 */
function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const expected =
    error instanceof InvalidSettingsError ||
    error instanceof AlreadyOwned ||
    error instanceof NoPostgres;
  const accessDenied =
    (error as NodeJS.ErrnoException).code === 'EACCES' ||
    (error as NodeJS.ErrnoException).code === 'EPERM';
  if (accessDenied)
    return `${error.message}. The directory belongs to another user: run as that user, or choose your own: DATA_DIR=/path/of/yours npm start`;
  return expected || !process.env.DEBUG ? error.message : (error.stack ?? error.message);
}
