/** `npm run doctor`: checks everything that can keep the product from running, and names each problem with its fix. */
import { existsSync, readFileSync } from 'node:fs';
import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { runningServer } from '../server/src/platform/postgres/pid-file.ts';
import {
  isFolderLocked,
  locateCluster,
  openDatabase,
  ownerOf,
} from '../server/src/platform/postgres/index.ts';
import { missingRoles } from '../server/src/platform/roles.ts';
import { addressFindings } from '../server/src/platform/checks/address.ts';
import {
  backupFindings,
  clockFindings,
  databaseFindings,
} from '../server/src/platform/checks/database.ts';
import { ok, type Finding } from '../server/src/platform/checks/finding.ts';
import { phoneCertificateFindings } from '../server/src/platform/checks/phones.ts';
import { carrierFindings, mailSettingsFindings } from '../server/src/platform/checks/services.ts';
import {
  dataDirectoryFinding,
  diskFinding,
  filesFinding,
} from '../server/src/platform/checks/storage.ts';
import { openDb } from '../server/src/platform/db.ts';
import { createDiskStore } from '../server/src/platform/files.ts';
import { createLogger } from '../server/src/platform/log.ts';
import { checkSecret } from '../server/src/platform/secret-check.ts';
import { readSettings } from '../server/src/settings.ts';
import { InvalidSettingsError, type Settings } from '../server/src/platform/settings.ts';
import {
  carriersWithAccounts,
  checkAccountsBySettings,
} from '../server/src/adapters/check-accounts.ts';
import { createBlobs } from '../server/src/adapters/create-gateways.ts';
import { adapters } from '../server/src/adapters/registry.ts';
import { isPortFree } from '../server/src/start/free-port.ts';
import { hasBundleSources, isBuilt } from '../server/src/start/bundle-build.ts';

function settingsOrFindings(): Settings | Finding[] {
  try {
    return readSettings();
  } catch (error) {
    if (error instanceof InvalidSettingsError)
      return error.problems.map((problem) => ({ found: problem, fix: 'change it as described' }));
    return [
      {
        found: error instanceof Error ? error.message : String(error),
        fix: 'choose a directory of your own: DATA_DIR=/path/of/yours',
      },
    ];
  }
}

function node(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major > 20 || (major === 20 && minor >= 19)
    ? ok(`Node ${process.versions.node}`)
    : {
        found: `Node ${process.versions.node} is too old`,
        fix: 'install Node 20.19 or later from https://nodejs.org',
      };
}

async function ports({ port, host, mediaPort, dataDir }: Settings): Promise<Finding[]> {
  if (ownerOf(dataDir)) return [];
  const wanted = [
    ['PORT', port, host],
    ['MEDIA_PORT', mediaPort, '127.0.0.1'],
  ] as const;
  return Promise.all(
    wanted.map(async ([name, number, where]) =>
      (await isPortFree(number, where))
        ? ok(`${name} ${number} is free`)
        : {
            found: `${name} ${number} is busy`,
            fix: `npm start uses the next free one; to keep ${number}, stop the program that uses it (ss -ltnp 'sport = :${number}')`,
          },
    ),
  );
}

function locks({ dataDir }: Settings): Finding[] {
  const owner = ownerOf(dataDir);
  if (owner)
    return [
      ok(
        `Trunkline is running from here (process ${owner.pid}${owner.address ? `, ${owner.address}` : ''})`,
      ),
    ];
  if (existsSync(dataDir) && isFolderLocked(dataDir))
    return [
      {
        found: `Trunkline is running from ${dataDir} in another container, or where its process can’t be seen from here`,
        fix: 'run commands inside that container: docker compose exec trunkline npm run …',
      },
    ];
  const findings: Finding[] = [];
  if (existsSync(join(dataDir, 'owner.lock')))
    findings.push(ok('a lock of a start that was killed; the next npm start takes it over'));
  const left = runningServer(join(dataDir, 'postgres'));
  if (left)
    findings.push(
      ok(
        `PostgreSQL (process ${left.pid}) was left running by a start that was killed; the next npm start adopts it`,
      ),
    );
  return findings;
}

function binaries({ dataDir, databaseUrl }: Settings): Finding {
  if (databaseUrl) return ok('PostgreSQL: yours, at DATABASE_URL');
  try {
    const { binaries: found, identity, home } = locateCluster(dataDir);
    const who =
      identity === null
        ? 'as you'
        : identity.kind === 'user'
          ? `as user ${identity.uid}`
          : 'in a user namespace';
    return ok(
      `PostgreSQL ${found.version} (${found.source === 'npm' ? 'from npm' : found.bin}), run ${who} in ${home}`,
    );
  } catch (error) {
    return { found: error instanceof Error ? error.message : String(error), fix: 'see above' };
  }
}

async function database({ databaseUrl, dataDir, appSecrets }: Settings): Promise<Finding[]> {
  if (!databaseUrl) return [];
  try {
    const { url, description: about } = await openDatabase({ dataDir, url: databaseUrl });
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      const missing = await missingRoles(client);
      if (missing)
        return [
          {
            found: `The database role ${missing.owner} can’t create the roles Trunkline uses`,
            fix: `have a database administrator run this once: ${missing.statements}`,
          },
        ];
      // Only the product writes these rows: a database that isn’t migrated yet has nothing to compare.
      const migrated = (
        await client.query<{ there: boolean }>(
          `select to_regclass('public.secret_check') is not null as there`,
        )
      ).rows[0]?.there;
      if (migrated) await checkSecret(url, appSecrets);
      return [ok(about)];
    } finally {
      await client.end();
    }
  } catch (error) {
    return [{ found: error instanceof Error ? error.message : String(error), fix: 'see above' }];
  }
}

async function externalServices(settings: Settings): Promise<Finding[]> {
  const redis = settings.redisUrl
    ? [{ variable: 'REDIS_URL', url: settings.redisUrl, defaultPort: 6379 }]
    : [];
  const servers = [...redis, ...adapters.flatMap((one) => one.servers?.(settings) ?? [])];
  return Promise.all(
    servers.map(async ({ variable, url, defaultPort }) => {
      const { hostname, port, protocol } = new URL(url);
      const number = Number(port) || (protocol === 'http:' ? 80 : defaultPort);
      return (await isReachable(hostname, number))
        ? ok(`${variable} answers at ${hostname}:${number}`)
        : {
            found: `${variable}: no answer at ${hostname}:${number}`,
            fix: `start it, correct the address, or leave out ${variable}`,
          };
    }),
  );
}

const ownFolders = (settings: Settings): Finding[] =>
  adapters
    .flatMap((one) => one.folders?.(settings) ?? [])
    .map(({ variable, path, problem }) =>
      problem === null
        ? ok(`${variable} ${path} is complete`)
        : {
            found: `${variable} ${path}: ${problem}`,
            fix: `download the model again, name its folder, or leave out ${variable} (docs/transcription.md)`,
          },
    );

/** Whether calls of real carriers can ring in browsers: the carrier must reach our exchange. */
async function browserCalls(settings: Settings): Promise<Finding[]> {
  const { sipPublic, sipPort, rtpPorts, dataDir } = settings;
  const others = carriersWithAccounts(settings).map(({ name }) => name);
  if (!sipPublic)
    return others.length
      ? [
          ok(
            `calls on numbers at ${others.join(' and ')} ring phones only; to answer and place them in the browser set SIP_PORT and SIP_PUBLIC (docs/telephony.md)`,
          ),
        ]
      : [];
  const address = await lookup(sipPublic.host, { family: 4 }).then(
    (found) => found.address,
    () => null,
  );
  if (address === null)
    return [
      {
        found: `SIP_PUBLIC: ${sipPublic.host} can’t be resolved`,
        fix: 'correct the name, or enter the address carriers reach you at',
      },
    ];
  if (/^(10|127|192\.168|172\.(1[6-9]|2\d|3[01])|169\.254)\./.test(address))
    return [
      {
        found: `SIP_PUBLIC resolves to ${address}, which carriers can’t reach`,
        fix: 'use the public address your router or provider shows, and forward the port to this machine',
      },
    ];
  const findings = [
    ok(
      `carriers dial ${sipPublic.host}:${sipPublic.port} (${address}) by UDP; open that port${rtpPorts ? ` and ${rtpPorts.join('-')}` : ', and set RTP_PORTS to open a range for sound'}`,
    ),
  ];
  if (!ownerOf(dataDir) && !(await isFreeByUdp(sipPort)))
    findings.push({
      found: `SIP_PORT ${sipPort} is busy by UDP, so carriers would reach another program`,
      fix: `stop the program that uses it (ss -lunp 'sport = :${sipPort}')`,
    });
  return findings;
}
const isFreeByUdp = (port: number) =>
  new Promise<boolean>((resolve) => {
    const probe = createSocket('udp4').once('error', () => resolve(false));
    probe.bind(port, () => probe.close(() => resolve(true)));
  });

/** Requests our account from each real carrier, which must also be able to reach this server. */
async function carrierAccounts(settings: Settings): Promise<Finding[]> {
  const accounts = await checkAccountsBySettings(settings, createLogger('silent', 'doctor'));
  return carrierFindings(settings, accounts);
}

/** What is only there while the product runs, or where the database runs without it. */
async function installation(settings: Settings): Promise<Finding[]> {
  const isRunning = ownerOf(settings.dataDir) !== null;
  if (!isRunning && !settings.databaseUrl) return [];
  const at = { dataDir: settings.dataDir, url: settings.databaseUrl, share: true };
  const opened = await openDatabase(at).catch(() => null);
  // What is wrong with it, `database` says.
  if (!opened) return [];
  const db = openDb(opened.url, createLogger('silent', 'doctor'), {
    size: 1,
    process: 'doctor',
    replicaUrl: settings.databaseReplicaUrl,
  });
  try {
    const [tables, clock, backups] = await Promise.allSettled([
      databaseFindings(db),
      clockFindings(db),
      backupFindings(db, settings, new Date()),
    ]);
    return [tables, clock, backups].flatMap((one) =>
      // A database that isn't migrated yet has no list of backups.
      one.status === 'fulfilled' ? one.value : [],
    );
  } finally {
    await db.close();
    await opened.stop();
  }
}

const blobsOf = async (settings: Settings) =>
  (await createBlobs(settings)) ?? createDiskStore(join(settings.dataDir, 'files'));

const isReachable = (host: string, port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ host, port, timeout: 3_000 });
    for (const [event, answer] of [
      ['connect', true],
      ['error', false],
      ['timeout', false],
    ] as const) {
      socket.once(event, () => {
        socket.destroy();
        resolve(answer);
      });
    }
  });

/** Only tests need one, so a release has none and is not asked for it. */
async function browser(): Promise<Finding[]> {
  if (!hasBundleSources('web')) return [];
  return [await chromium()];
}

async function chromium(): Promise<Finding> {
  try {
    const { findChromium, fontProblem } = await import('./chromium.ts');
    const { path, source } = await findChromium();
    const name = `Chromium for the browser tests: ${source === 'npm' ? 'the one inside npm' : path}`;
    const trouble = await fontProblem();
    if (trouble === null) return ok(`${name}; it opens a page with text`);
    return {
      found: `${name}, but it can’t open a page with text: ${trouble}`,
      fix:
        source === 'npm'
          ? 'delete node_modules/.cache and try again'
          : 'use the one inside npm: CHROMIUM_PATH=npm',
    };
  } catch (error) {
    return {
      found: `no Chromium for the browser tests: ${error instanceof Error ? error.message : String(error)}`,
      fix: 'run npm ci again, or install the system’s chromium; npm start works without it',
    };
  }
}

function installed(): Finding {
  const lock = JSON.parse(
    readFileSync(join(import.meta.dirname, '../package-lock.json'), 'utf8'),
  ) as { packages: object };
  return ok(`packages as in package-lock.json (${Object.keys(lock.packages).length})`);
}

const settings = settingsOrFindings();
const findings = Array.isArray(settings)
  ? [node(), installed(), ...settings]
  : [
      node(),
      installed(),
      dataDirectoryFinding(settings),
      diskFinding(settings),
      ...(await ports(settings)),
      ...locks(settings),
      binaries(settings),
      ...(await database(settings)),
      ...(await installation(settings)),
      await filesFinding(settings, await blobsOf(settings)),
      ...(await externalServices(settings)),
      ...ownFolders(settings),
      ...mailSettingsFindings(settings),
      ...(ownerOf(settings.dataDir) ? await addressFindings(settings) : []),
      ...(await browserCalls(settings)),
      ...phoneCertificateFindings(settings, new Date()),
      ...(await carrierAccounts(settings)),
      ok(
        !hasBundleSources('web') || isBuilt('web')
          ? 'screens are built'
          : 'screens are built at the next start',
      ),
      ...(await browser()),
    ];

for (const { found, fix: cure } of findings)
  console.log(cure ? `✗ ${found}\n    fix: ${cure}` : `✓ ${found}`);
const problems = findings.filter(({ fix: cure }) => cure).length;
console.log(
  problems === 0
    ? 'Everything is ready.'
    : `${problems} ${problems === 1 ? 'problem' : 'problems'}.`,
);
process.exitCode = problems === 0 ? 0 : 1;
