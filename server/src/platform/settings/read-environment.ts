import { isAbsolute, resolve } from 'node:path';
import type { z } from 'zod';
import { InvalidSettingsError, type Settings } from '../settings.ts';
import { firstOf } from '../must-be.ts';
import type { AdapterDeclaration, ReadContext } from './adapter-settings.ts';
import { sandboxNumber } from './caddy-variables.ts';
import { platformVariables } from './platform-variables.ts';
import { loadOrCreateSecret } from './secret-file.ts';
import type { Variable, Variables } from './variable.ts';

type Environment = Readonly<Record<string, string | undefined>>;
type PlatformVariables = ReturnType<typeof platformVariables>;
type ReadPlatform = <Name extends keyof PlatformVariables>(
  name: Name,
) => z.output<PlatformVariables[Name]['schema']>;

/** The platform's variables, followed by those of each adapter, in the order of the list. */
export function declaredVariables(adapters: readonly AdapterDeclaration[]): Variables {
  const namesWith = (gateway: string) =>
    adapters
      .filter(({ gateways }) => gateway in gateways)
      .map(({ name }) => name)
      .sort();
  return Object.assign(
    platformVariables(namesWith('carrier'), namesWith('fax')),
    ...adapters.map(({ settings }) => settings?.variables ?? {}),
  ) as Variables;
}

/**
 * Reads and checks the environment. Throws InvalidSettingsError naming every variable that is wrong.
 * @param adapters whose settings are read as well
 */
export function readEnvironment(
  env: Environment,
  adapters: readonly AdapterDeclaration[],
): Settings {
  const problems: string[] = [];
  const problem = (sentence: string) => void problems.push(sentence);
  const variables = declaredVariables(adapters);
  const readAny = (name: string): unknown => {
    const declared = variables[name];
    if (!declared) throw new Error(`No settings declare ${name}.`);
    return readVariable(env, name, declared, problem);
  };
  // Each value is parsed by the schema of the same entry.
  const read = readAny as ReadPlatform;

  const general = readGeneral(read);
  const carriers = readCarriers(env, read, problem, general);
  const sip = readSip(read, problem);
  const ownSettings = readAdapters(adapters, readAny, {
    ...carriers,
    billing: general.billing,
    problem,
  });
  const isSet = (gateway: string) =>
    adapters.some(({ name, gateways }) => gateway in gateways && ownSettings[name] != null);
  const sendsMail = isSet('mail');
  const settings = {
    ...general,
    ...carriers,
    ...sip,
    ...readWatching(read),
    ...readScale(read),
    carrier: firstOf(carriers.carriers), // at least one is named
    exchange: carriers.simulated || sip.sipPublic !== null,
    adapters: ownSettings,
    sharesFiles: isSet('blobs'),
    sendsMail,
    canMail: sendsMail || !general.production,
    limits: readLimits(read),
  };
  if (general.backup.to && !general.backup.passphrase)
    problem(
      'BACKUP_TO needs BACKUP_PASSPHRASE, which encrypts the backups. Try BACKUP_PASSPHRASE="$(openssl rand -base64 24)" and keep a copy elsewhere',
    );
  const secrets = readSecrets(env, read, problem, general);
  if (problems.length > 0) throw new InvalidSettingsError(problems);
  return { ...settings, ...secrets() };
}

function readVariable(
  env: Environment,
  name: string,
  { schema, default: fallback, example, secret }: Variable,
  problem: ReadContext['problem'],
): unknown {
  // An empty variable means "not set": compose files and CI pass them that way.
  const provided = env[name]?.trim() || fallback || undefined;
  const parsed = schema.safeParse(provided);
  if (!parsed.success) {
    const shown = secret ? name : `${name}=${provided}`;
    problem(`${shown} ${parsed.error.issues[0]?.message ?? 'is wrong'}. Try ${name}=${example}`);
  }
  return parsed.data;
}

function readGeneral(read: ReadPlatform) {
  const production = read('NODE_ENV') === 'production';
  const [host, port, dataDir] = [read('HOST'), read('PORT'), read('DATA_DIR')];
  const ownUrl = `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`;
  const demo = read('DEMO') ?? !production;
  return {
    production,
    demo,
    billing: read('BILLING') ?? (demo ? ('sandbox' as const) : ('off' as const)),
    oauthDynamicRegistration: read('OAUTH_DYNAMIC_REGISTRATION') ?? false,
    port,
    movePorts: read('MOVE_PORTS'),
    host,
    publicUrl: (read('PUBLIC_URL') ?? ownUrl).replace(/\/+$/, ''),
    trustProxy: read('TRUST_PROXY'),
    regionHeader: read('REGION_HEADER')?.toLowerCase() ?? null,
    dataDir: isAbsolute(dataDir) ? dataDir : resolve(import.meta.dirname, '../../../..', dataDir),
    databaseUrl: read('DATABASE_URL') ?? null,
    databaseReplicaUrl: read('DATABASE_REPLICA_URL') ?? null,
    redisUrl: read('REDIS_URL') ?? null,
    mailFrom: read('MAIL_FROM'),
    supportEmail: read('SUPPORT_EMAIL') ?? null,
    pushEnabled: (read('PUSH') ?? (production ? 'real' : 'sandbox')) === 'real',
    roles: read('ROLES'),
    jobQueues: read('JOB_QUEUES'),
    logLevel: read('LOG_LEVEL'),
    metricsToken: read('METRICS_TOKEN') ?? null,
    retentionDays: read('RETENTION_DAYS') ?? {},
    auditKeepDays: read('AUDIT_KEEP_DAYS'),
    backup: {
      to: read('BACKUP_TO') ?? null,
      passphrase: read('BACKUP_PASSPHRASE') ?? null,
      at: read('BACKUP_AT'),
      keep: read('BACKUP_KEEP'),
    },
  };
}

function readWatching(read: ReadPlatform): Pick<Settings, 'logFile' | 'tracing'> {
  const path = read('LOG_FILE');
  // What is turned off is checked, too.
  const file = { bytes: read('LOG_FILE_MB') * 2 ** 20, keep: read('LOG_FILE_KEEP') };
  const collector = {
    endpoint: read('OTEL_EXPORTER_OTLP_ENDPOINT'),
    headers: read('OTEL_EXPORTER_OTLP_HEADERS'),
    share: read('TRACING_SHARE'),
  };
  return { logFile: path ? { path, ...file } : null, tracing: read('TRACING') ? collector : null };
}

const readScale = (read: ReadPlatform): Pick<Settings, 'webUrl' | 'drainMs' | 'callDrainMs'> => ({
  webUrl: read('WEB_URL')?.replace(/\/+$/, '') ?? null,
  drainMs: read('DRAIN_SECONDS') * 1000,
  callDrainMs: read('CALL_DRAIN_SECONDS') * 1000,
});

function readCarriers(
  env: Environment,
  read: ReadPlatform,
  problem: ReadContext['problem'],
  { production, demo }: Pick<Settings, 'production' | 'demo'>,
) {
  if (production && !env.CARRIER?.trim())
    problem(
      'CARRIER is missing. Production must name the carrier for calls and texts. Try CARRIER=twilio or CARRIER=bandwidth; CARRIER=sandbox simulates one and is open to anyone who reaches this server',
    );
  // Wrong names were reported above; the rest is read as if the sandbox had been named.
  const carriers = read('CARRIER') ?? ['sandbox'];
  const isReal = carriers.some((name) => name !== 'sandbox');
  // Everyone knows the passwords of the demo's people, one of whom administers the platform.
  if (production && demo && isReal)
    problem(
      'DEMO=1 lets anyone sign in, so in production it requires CARRIER=sandbox alone. Leave out DEMO, or name no real carrier',
    );
  // Simulated faxes are shown as delivered: beside a real carrier only where that was asked for.
  const faxCarrier = read('FAX_CARRIER') ?? (production && isReal ? 'none' : 'sandbox');
  const caddyNumber = read('CADDY_NUMBER') ?? (carriers[0] === 'sandbox' ? sandboxNumber : null);
  return { carriers, faxCarrier, caddyNumber, simulated: carriers.includes('sandbox') };
}

function readSip(read: ReadPlatform, problem: ReadContext['problem']) {
  const [sipPublic, sipPort] = [read('SIP_PUBLIC') ?? null, read('SIP_PORT')];
  if (sipPublic && !sipPort)
    problem(
      `SIP_PUBLIC says where SIP_PORT is reached, so SIP_PORT must be set. Try SIP_PORT=${sipPublic.port}`,
    );
  const [cert, key] = [read('SIP_TLS_CERT'), read('SIP_TLS_KEY')];
  if ((cert === undefined) !== (key === undefined))
    problem('SIP_TLS_CERT and SIP_TLS_KEY belong together');
  return {
    mediaPort: read('MEDIA_PORT'),
    mediaUrl: read('MEDIA_URL')?.replace(/\/+$/, '') ?? null,
    sipPort,
    sipTls: cert !== undefined && key !== undefined ? { cert, key } : null,
    sipPublic,
    rtpPorts: read('RTP_PORTS') ?? null,
    mediaCalls: read('MEDIA_CALLS'),
  };
}

/** What each adapter reads, by its name. Adapters without settings are left out. */
function readAdapters(
  adapters: readonly AdapterDeclaration[],
  read: (name: string) => unknown,
  context: ReadContext,
): Record<string, unknown> {
  return Object.fromEntries(
    adapters.flatMap(({ name, settings }) =>
      settings ? [[name, settings.parse(read, context)]] : [],
    ),
  );
}

const readLimits = (read: ReadPlatform): Settings['limits'] => ({
  userPerMinute: read('RATE_USER_PER_MINUTE'),
  companyPerMinute: read('RATE_COMPANY_PER_MINUTE'),
  codesPerHour: read('CODES_PER_HOUR'),
  caddyCodesPerHour: read('CADDY_CODES_PER_HOUR'),
  signInsPerMinute: read('SIGN_INS_PER_MINUTE'),
  exportsPerHour: read('EXPORTS_PER_HOUR'),
  bodyMs: read('BODY_SECONDS') * 1000,
  uploadBytes: read('UPLOAD_MB') * 1024 * 1024,
  archiveBytes: read('ARCHIVE_MB') * 1024 * 1024,
  inFlightBytes: read('UPLOADS_MB') * 1024 * 1024,
  statementMs: read('STATEMENT_SECONDS') * 1000,
  signInMs: read('SOCKET_SIGN_IN_SECONDS') * 1000,
  unknownSockets: read('SOCKETS_UNKNOWN'),
});

/** Returns a function, because secrets are only created on disk when nothing else is wrong. */
function readSecrets(
  env: Environment,
  read: ReadPlatform,
  problem: ReadContext['problem'],
  { production, dataDir }: Pick<Settings, 'production' | 'dataDir'>,
): () => Pick<Settings, 'mediaSecret' | 'appSecret' | 'appSecrets'> {
  const [given, previous] = [read('APP_SECRET'), read('APP_SECRET_PREVIOUS')];
  const givenMediaSecret = read('MEDIA_SECRET');
  if (production && !env.APP_SECRET?.trim())
    problem(
      'APP_SECRET is missing. Production needs one that outlives the machine. Try APP_SECRET=$(openssl rand -hex 32) and keep it',
    );
  return () => {
    const appSecret = given ?? Buffer.from(loadOrCreateSecret(dataDir, 'app-secret'), 'hex');
    return {
      mediaSecret: givenMediaSecret ?? loadOrCreateSecret(dataDir, 'media-secret'),
      appSecret,
      appSecrets: [appSecret, ...previous.filter((secret) => !secret.equals(appSecret))],
    };
  };
}
