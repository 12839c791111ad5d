import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { isAbsolute, join, resolve } from 'node:path';
import { z } from 'zod';
import type { KeyRing } from './secrets.ts';

/**
 * Everything that can be set from outside, in one table: the environment is read here and nowhere
 * else, and the README's table of settings is made from the same entries.
 */

const text = z.string();
const port = z.coerce
  .number('must be a number')
  .int('must be a whole number')
  .min(0)
  .max(65535, 'must be at most 65535');
const atLeastOne = z.coerce
  .number('must be a number')
  .int('must be a whole number')
  .min(1, 'must be at least 1');
const url = (...schemes: string[]) =>
  text.refine((value) => URL.canParse(value) && schemes.includes(new URL(value).protocol), {
    message: `must be an address that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
  });
export const carrierNames = ['sandbox', 'twilio', 'bandwidth', 'somos'] as const;
export type CarrierName = (typeof carrierNames)[number];
const carriers = text
  .transform((value) => [
    ...new Set(
      value
        .split(',')
        .map((name) => name.trim())
        .filter(Boolean),
    ),
  ])
  .pipe(
    z
      .array(z.enum(carrierNames, `may name only ${carrierNames.join(', ')}`))
      .min(1, `must name at least one of ${carrierNames.join(', ')}`),
  );
const addresses = text
  .optional()
  .transform((value) =>
    (value ?? '')
      .split(',')
      .map((each) => each.trim())
      .filter(Boolean),
  )
  .refine(
    (each) =>
      each.every((one) => /^[0-9a-f.:]+(\/\d{1,3})?$/i.test(one) && isIP(one.split('/')[0]!) !== 0),
    'must hold addresses or networks such as 192.0.2.0/24',
  );
/** Addresses, networks, or the words that @fastify/proxy-addr knows. */
const proxies = text
  .optional()
  .transform((value) =>
    (value ?? '')
      .split(',')
      .map((each) => each.trim())
      .filter(Boolean),
  )
  .refine(
    (each) => each.every((one) => /^(loopback|linklocal|uniquelocal)$/.test(one) || isNetwork(one)),
    'must hold addresses or networks such as 10.0.0.0/8, or loopback, linklocal, uniquelocal',
  );
function isNetwork(value: string): boolean {
  const [address = '', bits, ...more] = value.split('/');
  const version = isIP(address);
  return (
    version !== 0 &&
    more.length === 0 &&
    (bits === undefined ||
      (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128)))
  );
}
/** `host:port`, as others reach it. */
const sipHostPort = text
  .regex(
    /^(\d{1,3}(\.\d{1,3}){3}|[a-z0-9]([a-z0-9.-]*[a-z0-9])?):\d{1,5}$/i,
    'must be a host and a port',
  )
  .transform((value) => ({
    host: value.slice(0, value.lastIndexOf(':')),
    port: Number(value.slice(value.lastIndexOf(':') + 1)),
  }))
  .refine(
    (place) => place.port >= 1 && place.port <= 65_535,
    'must name a port between 1 and 65535',
  )
  .optional();
const portRange = text
  .regex(/^\d{1,5}-\d{1,5}$/, 'must be two ports separated by a dash')
  .transform((value): [number, number] => [
    Number(value.split('-')[0]),
    Number(value.split('-')[1]),
  ])
  .refine(
    ([from, to]) => from >= 1024 && to <= 65_535 && to - from >= 9,
    'must be ten ports or more between 1024 and 65535',
  )
  .optional();
const centsOf = z.coerce
  .number('must be a number')
  .int('must be a whole number')
  .min(0)
  .max(1_000_000);
const booleanFlag = z
  .enum(['1', '0', 'true', 'false', 'on', 'off', 'yes', 'no'], 'must be 1 or 0')
  .transform((value) => ['1', 'true', 'on', 'yes'].includes(value));

export const roleNames = ['web', 'worker', 'media'] as const;
export type Role = (typeof roleNames)[number];
const roles = text
  .transform((value) =>
    value
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
  )
  .pipe(
    z
      .array(z.enum(roleNames, `may name only ${roleNames.join(', ')}`))
      .min(1, `must name at least one of ${roleNames.join(', ')}`),
  );

/** A key of 32 bytes, written as 64 hexadecimal digits or as base64. */
const key = text
  .transform((value) => Buffer.from(value, /^[0-9a-f]{64}$/i.test(value) ? 'hex' : 'base64'))
  .refine((bytes) => bytes.length === 32, 'must hold 32 bytes as 64 hexadecimal digits or base64');

const previousKeys = text
  .optional()
  .transform((value) =>
    (value ?? '')
      .split(',')
      .map((each) => each.trim())
      .filter(Boolean),
  )
  .pipe(z.array(key));

/** `table=days` with commas. Which tables there are is told by the list itself. */
const daysByTable = text
  .optional()
  .transform((value) => (value ?? '').split(',').filter((each) => each.trim()))
  .pipe(
    z.array(
      text
        .trim()
        .regex(/^[a-z_.]+=\d{1,5}$/, 'must hold a table and days, such as login_attempt=90'),
    ),
  )
  .transform((list) =>
    Object.fromEntries(
      list.map((each): [string, number] => {
        const [table = '', days] = each.split('=');
        return [table, Number(days)];
      }),
    ),
  );

type Variable<S extends z.ZodType> = {
  schema: S;
  default: string;
  description: string;
  try: string;
  internal: boolean;
};
const variable = <S extends z.ZodType>(
  schema: S,
  fallback: string,
  meaning: string,
  more: { try?: string; internal?: boolean } = {},
): Variable<S> => ({
  schema,
  default: fallback,
  description: meaning,
  try: more.try ?? fallback,
  internal: more.internal ?? false,
});

const variables = {
  NODE_ENV: variable(
    text.optional(),
    '',
    '`production` turns off the demo, closes development-only pages, and requires `APP_SECRET` and `CARRIER`',
  ),
  PORT: variable(
    port,
    '3000',
    'Port of the web process; the next free port is used when it’s busy',
  ),
  HOST: variable(
    text,
    '127.0.0.1',
    'Address it listens on; `0.0.0.0` to be reachable from other machines',
  ),
  PUBLIC_URL: variable(
    url('http:', 'https:').optional(),
    '',
    'URL people open; by default `http://HOST:PORT`',
    { try: 'https://phones.example.com' },
  ),
  TRUST_PROXY: variable(
    proxies,
    '',
    'Proxies whose `X-Forwarded-For` is trusted: addresses or networks separated by commas, or `loopback`, `linklocal`, `uniquelocal`. Empty: none, and everyone behind a proxy shares its address',
    { try: 'loopback' },
  ),
  DATA_DIR: variable(
    text,
    '.data',
    'Directory for the database, files and secrets of this installation',
  ),
  DATABASE_URL: variable(
    url('postgres:', 'postgresql:').optional(),
    '',
    'Your own PostgreSQL 15 or later (docs/database.md); without it one is started in `DATA_DIR`',
    { try: 'postgres://user:password@127.0.0.1:5432/trunkline' },
  ),
  REDIS_URL: variable(
    url('redis:', 'rediss:').optional(),
    '',
    'Redis shared by several web processes; without it PostgreSQL carries live events',
    { try: 'redis://127.0.0.1:6379' },
  ),
  S3_ENDPOINT: variable(
    url('http:', 'https:').optional(),
    '',
    'URL of an S3 service; without `S3_BUCKET` files are stored in `DATA_DIR`',
    { try: 'https://s3.eu-central-1.amazonaws.com' },
  ),
  S3_BUCKET: variable(
    text.optional(),
    '',
    'Bucket for recordings, pictures and imports; set it to store files in S3',
    { try: 'trunkline' },
  ),
  S3_REGION: variable(text, 'us-east-1', 'Region of the bucket'),
  S3_ACCESS_KEY_ID: variable(text.optional(), '', 'Key with read and write access to the bucket', {
    try: 'AKIA…',
  }),
  S3_SECRET_ACCESS_KEY: variable(text.optional(), '', 'Secret of that key', { try: '…' }),
  SMTP_URL: variable(
    url('smtp:', 'smtps:').optional(),
    '',
    'Mail server; without it email only appears at `/dev/outbox`, and in production none is sent',
    { try: 'smtp://user:password@mail.example.com:587' },
  ),
  MAIL_FROM: variable(text, 'Trunkline <no-reply@trunkline.test>', 'Sender of our email'),
  DEMO: variable(
    booleanFlag.optional(),
    '',
    'Demo data and one-click sign-in: on, unless `NODE_ENV=production`; `0` starts empty, and the first sign-up owns the first company',
    { try: '1' },
  ),
  CARRIER: variable(
    carriers,
    'sandbox',
    'Carriers for calls and texts, the default one first: `sandbox` (simulated on this machine), `twilio`, `bandwidth`; separate several with commas; required in production. With `sandbox`, `/sandbox` and `/handset` are open to anyone. `somos` after another one reserves toll-free numbers',
  ),
  TWILIO_ACCOUNT_SID: variable(
    text
      .regex(/^AC[0-9a-f]{32}$/, 'must begin with AC and hold 32 more hexadecimal digits')
      .optional(),
    '',
    'Twilio: the account',
    { try: 'AC…' },
  ),
  TWILIO_AUTH_TOKEN: variable(
    text.optional(),
    '',
    'Twilio: the account’s token; also verifies its webhooks',
    { try: '…' },
  ),
  TWILIO_API_KEY: variable(
    text
      .regex(/^SK[0-9a-f]{32}$/, 'must begin with SK and hold 32 more hexadecimal digits')
      .optional(),
    '',
    'Twilio: a key for requests and for Twilio browser tokens; without it the account’s token is used',
    { try: 'SK…' },
  ),
  TWILIO_API_SECRET: variable(text.optional(), '', 'Twilio: that key’s secret', { try: '…' }),
  TWILIO_APP_SID: variable(
    text
      .regex(/^AP[0-9a-f]{32}$/, 'must begin with AP and hold 32 more hexadecimal digits')
      .optional(),
    '',
    'Twilio: the TwiML application for calls placed in Twilio browsers',
    { try: 'AP…' },
  ),
  TWILIO_MESSAGING_SERVICE_SID: variable(
    text
      .regex(/^MG[0-9a-f]{32}$/, 'must begin with MG and hold 32 more hexadecimal digits')
      .optional(),
    '',
    'Twilio: send texts through this messaging service, keeping the sending number',
    { try: 'MG…' },
  ),
  TWILIO_CUSTOMER_PROFILE_SID: variable(
    text
      .regex(/^BU[0-9a-f]{32}$/, 'must begin with BU and hold 32 more hexadecimal digits')
      .optional(),
    '',
    'Twilio: the account’s own approved customer profile, which vouches for the businesses registered here',
    { try: 'BU…' },
  ),
  TWILIO_DELETE_RECORDINGS: variable(
    booleanFlag,
    '1',
    'Twilio: `1` deletes recordings there once they are copied here',
  ),
  TWILIO_API_URL: variable(
    url('http:', 'https:').optional(),
    '',
    'Twilio: URL of its API; only for tests and proxies',
    { internal: true, try: 'https://api.twilio.com' },
  ),
  FAX_CARRIER: variable(
    z.enum(['sandbox', 'telnyx', 'none'], 'must be sandbox, telnyx or none').optional(),
    '',
    'Fax carrier: `sandbox` (simulated on this machine), `telnyx` or `none`. By default the sandbox; in production only where `CARRIER` is `sandbox` alone, else none',
    { try: 'telnyx' },
  ),
  TELNYX_API_KEY: variable(text.optional(), '', 'Telnyx: API key for sending faxes', {
    try: 'KEY…',
  }),
  TELNYX_PUBLIC_KEY: variable(
    text.optional(),
    '',
    'Telnyx: the account’s public key; verifies its webhooks',
    { try: 'the key shown under Keys & Credentials' },
  ),
  TELNYX_FAX_APP_ID: variable(
    text.optional(),
    '',
    'Telnyx: the programmable fax application for faxes',
    { try: '1293384261075731499' },
  ),
  TRESTLE_API_KEY: variable(
    text.optional(),
    '',
    'Trestle: key for caller ID lookup; without it only the demo and companies in test mode get (simulated) results',
    { try: '…' },
  ),
  PUSH: variable(
    z.enum(['sandbox', 'real'], 'must be sandbox or real').optional(),
    '',
    'Push notifications to phones and browsers: `real` in production, otherwise `sandbox`, which shows them at `/dev/pushes`',
    { try: 'real' },
  ),
  APNS_KEY: variable(text.optional(), '', 'Apple push: the .p8 key, as text or base64', {
    try: '-----BEGIN PRIVATE KEY-----…',
  }),
  APNS_KEY_ID: variable(text.optional(), '', 'Apple push: ID of that key', { try: 'ABC123DEFG' }),
  APNS_TEAM_ID: variable(text.optional(), '', 'Apple push: the team ID', { try: 'DEF123GHIJ' }),
  BANDWIDTH_ACCOUNT_ID: variable(
    text.regex(/^\d{4,10}$/, 'must be the account’s number').optional(),
    '',
    'Bandwidth: account number',
    { try: '9900000' },
  ),
  BANDWIDTH_USERNAME: variable(text.optional(), '', 'Bandwidth: an API user of the account', {
    try: '…',
  }),
  BANDWIDTH_PASSWORD: variable(text.optional(), '', 'Bandwidth: that user’s password', {
    try: '…',
  }),
  BANDWIDTH_MESSAGING_APPLICATION_ID: variable(
    text.optional(),
    '',
    'Bandwidth: the messaging application of our numbers’ location',
    { try: '…' },
  ),
  BANDWIDTH_VOICE_APPLICATION_ID: variable(
    text.optional(),
    '',
    'Bandwidth: the voice application of that location; without it numbers can only text',
    { try: '…' },
  ),
  BANDWIDTH_DELETE_RECORDINGS: variable(
    booleanFlag,
    '1',
    'Bandwidth: `1` deletes recordings there once they are copied here; otherwise Bandwidth deletes them after 30 days',
  ),
  BANDWIDTH_SITE_ID: variable(
    text.optional(),
    '',
    'Bandwidth: the sub-account (site) numbers are ordered into',
    { try: '…' },
  ),
  BANDWIDTH_PEER_ID: variable(text.optional(), '', 'Bandwidth: the location (SIP peer) in it', {
    try: '…',
  }),
  BANDWIDTH_WEBHOOK_USERNAME: variable(
    text.optional(),
    '',
    'Bandwidth: the user name its webhooks send',
    { try: '…' },
  ),
  BANDWIDTH_WEBHOOK_PASSWORD: variable(
    text.optional(),
    '',
    'Bandwidth: the password its webhooks send',
    { try: '…' },
  ),
  BANDWIDTH_ADDRESSES: variable(
    addresses,
    '',
    'Bandwidth: only webhooks from these addresses or networks are accepted, separated by commas. Empty: from anywhere',
  ),
  BANDWIDTH_LOCAL_CENTS: variable(
    centsOf,
    '35',
    'Bandwidth: monthly cost of a local number by your contract, in cents',
  ),
  BANDWIDTH_TOLL_FREE_CENTS: variable(
    centsOf,
    '75',
    'Bandwidth: monthly cost of a toll-free number by your contract, in cents',
  ),
  BANDWIDTH_API_URL: variable(
    url('http:', 'https:').optional(),
    '',
    'Bandwidth: URL of its APIs; only for tests and proxies',
    { internal: true, try: 'https://bandwidth.example.com' },
  ),
  SOMOS_URL: variable(
    url('http:', 'https:').optional(),
    '',
    'Somos: URL of its TFNRegistry API, from Somos',
    { try: 'https://…' },
  ),
  SOMOS_USERNAME: variable(
    text.optional(),
    '',
    'Somos: an API user of your responsible organization',
    { try: '…' },
  ),
  SOMOS_PASSWORD: variable(text.optional(), '', 'Somos: that user’s password', { try: '…' }),
  SOMOS_RESP_ORG: variable(
    text
      .regex(
        /^[A-Z0-9]{5}$/,
        'must be the five letters and digits of your responsible organization',
      )
      .optional(),
    '',
    'Somos: the responsible organization that numbers are reserved for',
    { try: 'TRK01' },
  ),
  SOMOS_CONTACT_NAME: variable(text.optional(), '', 'Somos: contact person for reservations', {
    try: 'Ann Rivers',
  }),
  SOMOS_CONTACT_PHONE: variable(
    text.regex(/^\d{10}$/, 'must be ten digits').optional(),
    '',
    'Somos: that person’s phone number, ten digits',
    { try: '2125550147' },
  ),
  SOMOS_CENTS: variable(
    centsOf,
    '75',
    'Somos: monthly cost of a toll-free number by your contracts, in cents',
  ),
  ROLES: variable(roles, 'web,worker,media', 'Processes that run here'),
  LOG_LEVEL: variable(
    z.enum(
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
      'must be trace, debug, info, warn, error, fatal or silent',
    ),
    'info',
    'Log level',
  ),
  APP_SECRET: variable(
    key.optional(),
    '',
    '32 bytes that sign links and encrypt stored secrets; required in production, otherwise stored in `DATA_DIR`',
    { try: '$(openssl rand -hex 32)' },
  ),
  APP_SECRET_PREVIOUS: variable(
    previousKeys,
    '',
    'Earlier values of `APP_SECRET`, separated by commas: values they sealed or signed still work and are sealed again within the hour (docs/secrets.md)',
    { try: '<the APP_SECRET before>' },
  ),
  RETENTION_DAYS: variable(
    daysByTable,
    '',
    'Days to keep rows of the tables that docs/retention.md allows: `table=days`, separated by commas',
    { try: 'login_attempt=90,call_event=14' },
  ),
  MEDIA_PORT: variable(
    port,
    '3001',
    'Port of the media process for the other processes; by default the next free one after the web process',
    { internal: true },
  ),
  SIP_PORT: variable(
    port,
    '0',
    'Port of our exchange for SIP phones: UDP, TCP, WebSocket, and TLS with a certificate; the next free one when it’s busy; 0 for none. It listens on `HOST`',
    { try: '5060' },
  ),
  SIP_TLS_CERT: variable(
    text.optional(),
    '',
    'Certificate file (PEM, with its chain) for `SIP_PORT` over TLS; with `SIP_TLS_KEY`. Read at start',
    { try: '/etc/ssl/phones.pem' },
  ),
  SIP_TLS_KEY: variable(text.optional(), '', 'Key file of that certificate (PEM)', {
    try: '/etc/ssl/phones.key',
  }),
  SIP_PUBLIC: variable(
    sipHostPort,
    '',
    'Where carriers reach `SIP_PORT` from outside, by UDP: with it, calls on Twilio and Bandwidth numbers can be answered and placed in the browser; empty: only calls on sandbox numbers ring in browsers',
    { try: 'phones.example.com:5060' },
  ),
  RTP_PORTS: variable(
    portRange,
    '',
    'UDP ports for audio of browsers, SIP phones and carriers, for firewalls; empty: any free ones',
    { try: '40000-40199' },
  ),
  MOVE_PORTS: variable(
    booleanFlag,
    '0',
    'A process whose port is busy uses the next free one and reports it to the supervisor, which sets this',
    { internal: true },
  ),
  MEDIA_SECRET: variable(
    text.min(16, 'must have at least 16 characters').optional(),
    '',
    'Shared by our processes to trust each other; stored in `DATA_DIR`',
    { internal: true, try: '$(openssl rand -hex 32)' },
  ),
  METRICS_TOKEN: variable(
    text.min(16, 'must have at least 16 characters').optional(),
    '',
    'Token that may read `/metrics` as `Authorization: Bearer …`; without it `/metrics` is closed in production and otherwise open to this machine',
    { try: '$(openssl rand -hex 32)' },
  ),
  RATE_USER_PER_MINUTE: variable(atLeastOne, '600', 'Requests per user per minute'),
  RATE_COMPANY_PER_MINUTE: variable(atLeastOne, '3000', 'Requests per company per minute'),
  CODES_PER_HOUR: variable(atLeastOne, '5', 'Codes sent to one address or phone per hour'),
  EXPORTS_PER_HOUR: variable(atLeastOne, '10', 'Exports per user per hour'),
  BODY_SECONDS: variable(
    atLeastOne,
    '30',
    'Seconds the body of a request may take to arrive; uploads may take ten times as long',
  ),
  UPLOAD_MB: variable(atLeastOne, '64', 'Total megabytes of all files in one upload'),
  UPLOADS_MB: variable(
    atLeastOne,
    '256',
    'Megabytes of request bodies one web process accepts at the same time; beyond that it answers 503',
  ),
  STATEMENT_SECONDS: variable(
    atLeastOne,
    '8',
    'Time limit of a database statement in a request; jobs have none',
  ),
  SOCKET_SIGN_IN_SECONDS: variable(
    atLeastOne,
    '20',
    'Live connections that haven’t signed in by then are closed',
    { internal: true },
  ),
  SOCKETS_UNKNOWN: variable(
    atLeastOne,
    '2000',
    'Live connections that haven’t signed in, at the same time per process; at most a tenth of them from one address',
    { internal: true },
  ),
};

/** What the README's table is made from and tested against. */
export const settingsCatalogue: ReadonlyArray<{ name: string; default: string; meaning: string }> =
  Object.entries(variables)
    .filter(([, { internal }]) => !internal)
    .map(([name, { default: fallback, description: meaning }]) => ({
      name,
      default: fallback,
      meaning,
    }));

export interface S3Settings {
  endpoint: string | null;
  bucket: string;
  region: string;
  accessKeyId: string | null;
  secretAccessKey: string | null;
}

export interface TwilioSettings {
  accountSid: string;
  authToken: string;
  apiKey: { sid: string; secret: string } | null;
  appSid: string | null;
  messagingServiceSid: string | null;
  /** The account’s own customer profile; null: businesses register without it. */
  customerProfileSid: string | null;
  deleteRecordings: boolean;
  /** Origin every request goes to instead of Twilio's own hosts. */
  apiUrl: string | null;
  /** Milliseconds one request may take in all; left out: 15 seconds. */
  patienceMs?: number;
}

/** The toll-free registry. */
export interface SomosSettings {
  url: string;
  username: string;
  password: string;
  respOrg: string;
  contact: { name: string; phone: string };
  cents: number;
}

export interface BandwidthSettings {
  accountId: string;
  username: string;
  password: string;
  messagingApplicationId: string;
  /** Null: no calls. */
  voiceApplicationId: string | null;
  deleteRecordings: boolean;
  siteId: string;
  peerId: string;
  /** Null: reports bring no credentials. */
  webhook: { username: string; password: string } | null;
  /** Addresses and networks reports may come from; empty: anywhere. */
  addresses: string[];
  localCents: number;
  tollFreeCents: number;
  /** Origin every request goes to instead of Bandwidth's own hosts, with the API's name as first part of the path. */
  apiUrl: string | null;
  /** Milliseconds one request may take in all; left out: 15 seconds. */
  patienceMs?: number;
}

export interface TelnyxSettings {
  apiKey: string;
  publicKey: string;
  faxAppId: string;
}
export interface ApnsSettings {
  key: string;
  keyId: string;
  teamId: string;
}

export interface Settings {
  faxCarrier: 'sandbox' | 'telnyx' | 'none';
  /** Null: `faxCarrier` is another one. */
  telnyx: TelnyxSettings | null;
  trestleApiKey: string | null;
  /** False: pushes are kept, not sent. */
  pushEnabled: boolean;
  apns: ApnsSettings | null;
  production: boolean;
  /** Ports and `publicUrl` follow what the processes have bound: read them when they are needed. 0: not bound yet. */
  port: number;
  /** A busy port may be left for the next free one. */
  movePorts: boolean;
  host: string;
  publicUrl: string;
  /** Proxies whose `X-Forwarded-For` is believed; empty: nobody's. */
  trustProxy: string[];
  /** Absolute. */
  dataDir: string;
  databaseUrl: string | null;
  redisUrl: string | null;
  /** Null: files live on the local disk under `dataDir`. */
  s3: S3Settings | null;
  /** Null: mail goes to the outbox page only, in production nowhere. */
  smtpUrl: string | null;
  /** Somebody can read the mail we write: it leaves, or this is development and it stands at /dev/outbox. */
  canMail: boolean;
  mailFrom: string;
  demo: boolean;
  /** The first of `carriers`. */
  carrier: CarrierName;
  carriers: CarrierName[];
  /** Null: not set. Never null when CARRIER names it. */
  twilio: TwilioSettings | null;
  /** Null: not set. Never null when CARRIER names it. */
  bandwidth: BandwidthSettings | null;
  /** Null: not set. Never null when CARRIER names it. */
  somos: SomosSettings | null;
  roles: Role[];
  logLevel: string;
  mediaPort: number;
  /** 0: no SIP front door. */
  sipPort: number;
  /** Files of the certificate and key SIP phones are shown; null: no TLS. */
  sipTls: { cert: string; key: string } | null;
  /** Where carriers reach the SIP front door; null: they do not, and browsers join the sandbox's calls only. */
  sipPublic: { host: string; port: number } | null;
  /** Our own exchange runs: for the sandbox, or to join browsers to calls at other carriers. */
  exchange: boolean;
  /** By table; what is not named is kept as the list of retention says. */
  retentionDays: Readonly<Record<string, number>>;
  /** Opens `/metrics`; null: only development does, to this machine. */
  metricsToken: string | null;
  /** Null: any free ports. */
  rtpPorts: [number, number] | null;
  mediaSecret: string;
  /** The newest of `appSecrets`: what is derived or signed uses it. 32 bytes. */
  appSecret: Buffer;
  /** Seals with the first, opens with any. */
  appSecrets: KeyRing;
  limits: {
    userPerMinute: number;
    companyPerMinute: number;
    codesPerHour: number;
    exportsPerHour: number;
    /** Milliseconds a body may take to arrive. */
    bodyMs: number;
    /** Bytes of one upload. */
    uploadBytes: number;
    /** Bytes of all bodies in one process at the same time. */
    inFlightBytes: number;
    /** Milliseconds one database statement of a request may take. */
    statementMs: number;
    /** Milliseconds until a live connection must have signed in. */
    signInMs: number;
    /** Live connections that have not signed in, at the same time. */
    unknownSockets: number;
  };
}

/** One line per wrong variable: its name, what is wrong, what to write instead. */
export class InvalidSettingsError extends Error {
  override name = 'WrongSettings';
  constructor(readonly problems: string[]) {
    super(problems.join('\n'));
  }
}

/** Reads and checks the environment. Throws WrongSettings naming every variable that is wrong. */
export function readSettings(env: Record<string, string | undefined> = process.env): Settings {
  const problems: string[] = [];
  const read = <Name extends keyof typeof variables>(
    name: Name,
  ): z.output<(typeof variables)[Name]['schema']> => {
    const { schema, default: fallback, try: example } = variables[name];
    // An empty variable means "not set": compose files and CI pass them that way.
    const provided = env[name]?.trim() || fallback || undefined;
    const parsed = schema.safeParse(provided);
    if (!parsed.success) {
      // Addresses and keys may hold passwords; they are not repeated on a screen or in a log.
      const shownValue = /URL|SECRET|KEY|TOKEN/.test(name) ? name : `${name}=${provided}`;
      problems.push(
        `${shownValue} ${parsed.error.issues[0]?.message ?? 'is wrong'}. Try ${name}=${example}`,
      );
    }
    return parsed.data as z.output<(typeof variables)[Name]['schema']>;
  };

  const production = read('NODE_ENV') === 'production';
  const host = read('HOST');
  const listenPort = read('PORT');
  const dataDir = isAbsolute(read('DATA_DIR'))
    ? read('DATA_DIR')
    : resolve(import.meta.dirname, '../../..', read('DATA_DIR'));
  const bucket = read('S3_BUCKET');
  const accessKeyId = read('S3_ACCESS_KEY_ID') ?? null;
  const secretAccessKey = read('S3_SECRET_ACCESS_KEY') ?? null;
  if ((accessKeyId === null) !== (secretAccessKey === null))
    problems.push(
      'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY belong together. Set both, or neither to use the machine’s own role',
    );
  const givenSecret = read('APP_SECRET');
  const previousSecrets = read('APP_SECRET_PREVIOUS');
  if (production && !env.APP_SECRET?.trim())
    problems.push(
      'APP_SECRET is missing. Production needs one that outlives the machine. Try APP_SECRET=$(openssl rand -hex 32) and keep it',
    );
  const givenMediaSecret = read('MEDIA_SECRET');

  // Wrong names were told above; the rest is read as if the sandbox had been named.
  const named: CarrierName[] = read('CARRIER') ?? ['sandbox'];
  if (production && !env.CARRIER?.trim())
    problems.push(
      'CARRIER is missing. Production must name the carrier for calls and texts. Try CARRIER=twilio or CARRIER=bandwidth; CARRIER=sandbox simulates one and is open to anyone who reaches this server',
    );
  const demo = read('DEMO') ?? !production;
  // Everybody knows the password of the demo's people, one of whom administers the platform.
  if (production && demo && named.some((name) => name !== 'sandbox'))
    problems.push(
      'DEMO=1 lets anyone sign in, so in production it requires CARRIER=sandbox alone. Leave out DEMO, or name no real carrier',
    );
  const twilio = readTwilio(read, problems, named.includes('twilio'));
  const bandwidth = readBandwidth(read, problems, named.includes('bandwidth'));

  const somos = readSomos(read, problems, named);

  const sipPublic = read('SIP_PUBLIC') ?? null;
  if (sipPublic && !read('SIP_PORT'))
    problems.push(
      `SIP_PUBLIC says where SIP_PORT is reached, so SIP_PORT must be set. Try SIP_PORT=${sipPublic.port}`,
    );

  const [sipCert, sipKey] = [read('SIP_TLS_CERT') ?? null, read('SIP_TLS_KEY') ?? null];
  if ((sipCert === null) !== (sipKey === null))
    problems.push('SIP_TLS_CERT and SIP_TLS_KEY belong together');

  // Simulated faxes are told as delivered: beside a real carrier only where somebody has asked for them.
  const faxCarrier =
    read('FAX_CARRIER') ??
    (!production || named.every((name) => name === 'sandbox') ? 'sandbox' : 'none');
  const telnyx =
    faxCarrier === 'telnyx'
      ? {
          apiKey: read('TELNYX_API_KEY') ?? '',
          publicKey: read('TELNYX_PUBLIC_KEY') ?? '',
          faxAppId: read('TELNYX_FAX_APP_ID') ?? '',
        }
      : null;
  if (telnyx && !(telnyx.apiKey && telnyx.publicKey && telnyx.faxAppId))
    problems.push(
      'FAX_CARRIER=telnyx needs TELNYX_API_KEY, TELNYX_PUBLIC_KEY and TELNYX_FAX_APP_ID',
    );
  const apns = {
    key: read('APNS_KEY') ?? '',
    keyId: read('APNS_KEY_ID') ?? '',
    teamId: read('APNS_TEAM_ID') ?? '',
  };
  const anyApns = Boolean(apns.key || apns.keyId || apns.teamId);
  if (anyApns && !(apns.key && apns.keyId && apns.teamId))
    problems.push('APNS_KEY, APNS_KEY_ID and APNS_TEAM_ID belong together');

  const settings = {
    faxCarrier,
    telnyx,
    trestleApiKey: read('TRESTLE_API_KEY') ?? null,
    pushEnabled: (read('PUSH') ?? (production ? 'real' : 'sandbox')) === 'real',
    apns: anyApns ? apns : null,
    production,
    port: listenPort,
    movePorts: read('MOVE_PORTS'),
    host,
    publicUrl: (
      read('PUBLIC_URL') ?? `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${listenPort}`
    ).replace(/\/+$/, ''),
    trustProxy: read('TRUST_PROXY'),
    dataDir,
    databaseUrl: read('DATABASE_URL') ?? null,
    redisUrl: read('REDIS_URL') ?? null,
    s3: bucket
      ? {
          endpoint: read('S3_ENDPOINT') ?? null,
          bucket,
          region: read('S3_REGION'),
          accessKeyId,
          secretAccessKey,
        }
      : null,
    smtpUrl: read('SMTP_URL') ?? null,
    canMail: read('SMTP_URL') !== undefined || !production,
    mailFrom: read('MAIL_FROM'),
    demo,
    carrier: named[0]!,
    carriers: named,
    twilio,
    bandwidth,
    somos,
    roles: read('ROLES'),
    logLevel: read('LOG_LEVEL'),
    mediaPort: read('MEDIA_PORT'),
    sipPort: read('SIP_PORT'),
    sipTls: sipCert !== null && sipKey !== null ? { cert: sipCert, key: sipKey } : null,
    sipPublic,
    exchange: named.includes('sandbox') || sipPublic !== null,
    metricsToken: read('METRICS_TOKEN') ?? null,
    retentionDays: read('RETENTION_DAYS') ?? {},
    rtpPorts: read('RTP_PORTS') ?? null,
    limits: {
      userPerMinute: read('RATE_USER_PER_MINUTE'),
      companyPerMinute: read('RATE_COMPANY_PER_MINUTE'),
      codesPerHour: read('CODES_PER_HOUR'),
      exportsPerHour: read('EXPORTS_PER_HOUR'),
      bodyMs: read('BODY_SECONDS') * 1000,
      uploadBytes: read('UPLOAD_MB') * 1024 * 1024,
      inFlightBytes: read('UPLOADS_MB') * 1024 * 1024,
      statementMs: read('STATEMENT_SECONDS') * 1000,
      signInMs: read('SOCKET_SIGN_IN_SECONDS') * 1000,
      unknownSockets: read('SOCKETS_UNKNOWN'),
    },
  };
  if (problems.length > 0) throw new InvalidSettingsError(problems);
  const appSecret = givenSecret ?? Buffer.from(loadOrCreateSecret(dataDir, 'app-secret'), 'hex');
  return {
    ...settings,
    mediaSecret: givenMediaSecret ?? loadOrCreateSecret(dataDir, 'media-secret'),
    appSecret,
    appSecrets: [appSecret, ...previousSecrets.filter((secret) => !secret.equals(appSecret))],
  };
}

type Read = <Name extends keyof typeof variables>(
  name: Name,
) => z.output<(typeof variables)[Name]['schema']>;
function readTwilio(read: Read, problems: string[], wanted: boolean): TwilioSettings | null {
  const [accountSid, authToken, key, secret] = [
    read('TWILIO_ACCOUNT_SID'),
    read('TWILIO_AUTH_TOKEN'),
    read('TWILIO_API_KEY'),
    read('TWILIO_API_SECRET'),
  ];
  if ((key === undefined) !== (secret === undefined))
    problems.push('TWILIO_API_KEY and TWILIO_API_SECRET belong together. Set both, or neither');
  const more = {
    appSid: read('TWILIO_APP_SID') ?? null,
    messagingServiceSid: read('TWILIO_MESSAGING_SERVICE_SID') ?? null,
    customerProfileSid: read('TWILIO_CUSTOMER_PROFILE_SID') ?? null,
    deleteRecordings: read('TWILIO_DELETE_RECORDINGS'),
    apiUrl: read('TWILIO_API_URL')?.replace(/\/+$/, '') ?? null,
  };
  if (accountSid && authToken)
    return { accountSid, authToken, apiKey: key && secret ? { sid: key, secret } : null, ...more };
  if (wanted)
    problems.push(
      'CARRIER names twilio, so TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN must be set. Both are on the first page of the Twilio console',
    );
  return null;
}

function readBandwidth(read: Read, problems: string[], wanted: boolean): BandwidthSettings | null {
  const needed = {
    accountId: read('BANDWIDTH_ACCOUNT_ID'),
    username: read('BANDWIDTH_USERNAME'),
    password: read('BANDWIDTH_PASSWORD'),
    messagingApplicationId: read('BANDWIDTH_MESSAGING_APPLICATION_ID'),
    siteId: read('BANDWIDTH_SITE_ID'),
    peerId: read('BANDWIDTH_PEER_ID'),
  };
  const [username, password] = [
    read('BANDWIDTH_WEBHOOK_USERNAME'),
    read('BANDWIDTH_WEBHOOK_PASSWORD'),
  ];
  if ((username === undefined) !== (password === undefined))
    problems.push(
      'BANDWIDTH_WEBHOOK_USERNAME and BANDWIDTH_WEBHOOK_PASSWORD belong together. Set both, or neither',
    );
  const missing = Object.entries(needed)
    .filter(([, value]) => !value)
    .map(([name]) => `BANDWIDTH_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`);
  if (missing.length) {
    if (wanted)
      problems.push(
        `CARRIER names bandwidth, so ${missing.join(', ')} must be set. You find them in the Bandwidth Dashboard`,
      );
    return null;
  }
  return {
    ...(needed as { [K in keyof typeof needed]: string }),
    webhook: username && password ? { username, password } : null,
    addresses: read('BANDWIDTH_ADDRESSES'),
    voiceApplicationId: read('BANDWIDTH_VOICE_APPLICATION_ID') ?? null,
    deleteRecordings: read('BANDWIDTH_DELETE_RECORDINGS'),
    localCents: read('BANDWIDTH_LOCAL_CENTS'),
    tollFreeCents: read('BANDWIDTH_TOLL_FREE_CENTS'),
    apiUrl: read('BANDWIDTH_API_URL')?.replace(/\/+$/, '') ?? null,
  };
}

function readSomos(
  read: Read,
  problems: string[],
  named: readonly CarrierName[],
): SomosSettings | null {
  if (!named.includes('somos')) return null;
  if (named[0] === 'somos')
    problems.push(
      'CARRIER must name another carrier before somos: the registry reserves toll-free numbers and carries neither calls nor texts. Try CARRIER=twilio,somos',
    );
  const needed = {
    SOMOS_URL: read('SOMOS_URL'),
    SOMOS_USERNAME: read('SOMOS_USERNAME'),
    SOMOS_PASSWORD: read('SOMOS_PASSWORD'),
    SOMOS_RESP_ORG: read('SOMOS_RESP_ORG'),
    SOMOS_CONTACT_NAME: read('SOMOS_CONTACT_NAME'),
    SOMOS_CONTACT_PHONE: read('SOMOS_CONTACT_PHONE'),
  };
  const missing = Object.entries(needed)
    .filter(([, value]) => !value)
    .map(([name]) => name);
  if (missing.length) {
    problems.push(`CARRIER names somos, so ${missing.join(', ')} must be set`);
    return null;
  }
  return {
    url: needed.SOMOS_URL!.replace(/\/+$/, ''),
    username: needed.SOMOS_USERNAME!,
    password: needed.SOMOS_PASSWORD!,
    respOrg: needed.SOMOS_RESP_ORG!,
    contact: { name: needed.SOMOS_CONTACT_NAME!, phone: needed.SOMOS_CONTACT_PHONE! },
    cents: read('SOMOS_CENTS'),
  };
}

/** A random 32-byte secret in hexadecimal, made once per data directory and readable by its owner only. */
export function loadOrCreateSecret(dataDir: string, name: string): string {
  const path = join(dataDir, 'secrets', name);
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  // In two steps, because a mode given to a recursive mkdir closes the parents as well, and PostgreSQL
  // runs as another user further down when we are root.
  mkdirSync(dataDir, { recursive: true });
  mkdirSync(join(dataDir, 'secrets'), { recursive: true, mode: 0o700 });
  try {
    // wx: of two processes that start at once, the second reads what the first wrote.
    writeFileSync(path, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' });
    chmodSync(path, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(path, 'utf8').trim();
}
