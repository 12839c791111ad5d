import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { z } from 'zod';

/**
 * Everything that can be set from outside, in one table: the environment is read here and nowhere
 * else, and the README's table of settings is made from the same entries.
 */

const text = z.string();
const port = z.coerce.number('must be a number').int('must be a whole number').min(0).max(65535, 'must be at most 65535');
const atLeastOne = z.coerce.number('must be a number').int('must be a whole number').min(1, 'must be at least 1');
const url = (...schemes: string[]) =>
  text.refine((value) => URL.canParse(value) && schemes.includes(new URL(value).protocol), {
    message: `must be an address that begins with ${schemes.map((scheme) => `${scheme}//`).join(' or ')}`,
  });
const yesOrNo = z
  .enum(['1', '0', 'true', 'false', 'on', 'off', 'yes', 'no'], 'must be 1 or 0')
  .transform((value) => ['1', 'true', 'on', 'yes'].includes(value));

export const roleNames = ['web', 'worker', 'media'] as const;
export type Role = (typeof roleNames)[number];
const roles = text
  .transform((value) => value.split(',').map((name) => name.trim()).filter(Boolean))
  .pipe(z.array(z.enum(roleNames, `may name only ${roleNames.join(', ')}`)).min(1, `must name at least one of ${roleNames.join(', ')}`));

/** A key of 32 bytes, written as 64 hexadecimal digits or as base64. */
const key = text
  .transform((value) => Buffer.from(value, /^[0-9a-f]{64}$/i.test(value) ? 'hex' : 'base64'))
  .refine((bytes) => bytes.length === 32, 'must hold 32 bytes as 64 hexadecimal digits or base64');

type Variable<S extends z.ZodType> = { schema: S; default: string; meaning: string; try: string; internal: boolean };
const variable = <S extends z.ZodType>(
  schema: S,
  fallback: string,
  meaning: string,
  more: { try?: string; internal?: boolean } = {},
): Variable<S> => ({ schema, default: fallback, meaning, try: more.try ?? fallback, internal: more.internal ?? false });

const variables = {
  NODE_ENV: variable(text.optional(), '', '`production` turns the demo off and makes `APP_SECRET` a must'),
  PORT: variable(port, '3000', 'Where the web process listens; the next free port is taken when it is busy'),
  HOST: variable(text, '127.0.0.1', 'The address it listens on; `0.0.0.0` to be reached from other machines'),
  PUBLIC_URL: variable(url('http:', 'https:').optional(), '', 'The address people use; without it `http://HOST:PORT`', { try: 'https://phones.example.com' }),
  DATA_DIR: variable(text, '.data', 'Where the database, files and secrets of this installation live'),
  DATABASE_URL: variable(url('postgres:', 'postgresql:').optional(), '', 'A PostgreSQL 15 or later of your own; without it one is started in `DATA_DIR`', { try: 'postgres://user:password@127.0.0.1:5432/trunkline' }),
  REDIS_URL: variable(url('redis:', 'rediss:').optional(), '', 'Redis between several web processes; without it PostgreSQL carries live events', { try: 'redis://127.0.0.1:6379' }),
  S3_ENDPOINT: variable(url('http:', 'https:').optional(), '', 'Address of an S3 service; without `S3_BUCKET` files are kept in `DATA_DIR`', { try: 'https://s3.eu-central-1.amazonaws.com' }),
  S3_BUCKET: variable(text.optional(), '', 'Bucket for recordings, pictures and imports; set it to keep files in S3', { try: 'trunkline' }),
  S3_REGION: variable(text, 'us-east-1', 'Region of the bucket'),
  S3_ACCESS_KEY_ID: variable(text.optional(), '', 'Key that may read and write the bucket', { try: 'AKIA…' }),
  S3_SECRET_ACCESS_KEY: variable(text.optional(), '', 'Secret of that key', { try: '…' }),
  SMTP_URL: variable(url('smtp:', 'smtps:').optional(), '', 'Mail server; without it mail only appears at `/dev/outbox`', { try: 'smtp://user:password@mail.example.com:587' }),
  MAIL_FROM: variable(text, 'Trunkline <no-reply@trunkline.test>', 'Sender of the mail we write'),
  DEMO: variable(yesOrNo.optional(), '', 'Demo world and one-click sign-in: on, unless `NODE_ENV=production`; `0` starts blank and the first sign-up owns the first company', { try: '1' }),
  CARRIER: variable(text, 'sandbox', 'Which carrier rings and texts; `sandbox` simulates one on this machine'),
  ROLES: variable(roles, 'web,worker,media', 'Which processes run here'),
  LOG_LEVEL: variable(z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'must be trace, debug, info, warn, error, fatal or silent'), 'info', 'How much is logged'),
  APP_SECRET: variable(key.optional(), '', '32 bytes that sign links and encrypt stored secrets; required in production, otherwise kept in `DATA_DIR`', { try: '$(openssl rand -hex 32)' }),
  MEDIA_PORT: variable(port, '3001', 'Where the media process listens for the other processes; a free one is chosen when it is busy', { internal: true }),
  MEDIA_SECRET: variable(text.min(16, 'must have at least 16 characters').optional(), '', 'Shared by our own processes to trust each other; kept in `DATA_DIR`', { internal: true, try: '$(openssl rand -hex 32)' }),
  RATE_USER_PER_MINUTE: variable(atLeastOne, '600', 'Requests one user may make in a minute'),
  RATE_COMPANY_PER_MINUTE: variable(atLeastOne, '3000', 'Requests all users of one company may make in a minute'),
  CODES_PER_HOUR: variable(atLeastOne, '5', 'Codes sent to one address or phone in an hour'),
  EXPORTS_PER_HOUR: variable(atLeastOne, '10', 'Exports one user may start in an hour'),
};

/** What the README's table is made from and tested against. */
export const settingsCatalogue: ReadonlyArray<{ name: string; default: string; meaning: string }> = Object.entries(variables)
  .filter(([, { internal }]) => !internal)
  .map(([name, { default: fallback, meaning }]) => ({ name, default: fallback, meaning }));

export interface S3Settings {
  endpoint: string | null;
  bucket: string;
  region: string;
  accessKeyId: string | null;
  secretAccessKey: string | null;
}

export interface Settings {
  production: boolean;
  port: number;
  host: string;
  publicUrl: string;
  /** Absolute. */
  dataDir: string;
  databaseUrl: string | null;
  redisUrl: string | null;
  /** Null: files live on the local disk under `dataDir`. */
  s3: S3Settings | null;
  /** Null: mail goes to the outbox page only. */
  smtpUrl: string | null;
  mailFrom: string;
  demo: boolean;
  carrier: string;
  roles: Role[];
  logLevel: string;
  mediaPort: number;
  mediaSecret: string;
  /** 32 bytes. */
  appSecret: Buffer;
  limits: { userPerMinute: number; companyPerMinute: number; codesPerHour: number; exportsPerHour: number };
}

/** One line per wrong variable: its name, what is wrong, what to write instead. */
export class WrongSettings extends Error {
  override name = 'WrongSettings';
  constructor(readonly problems: string[]) {
    super(problems.join('\n'));
  }
}

/** Reads and checks the environment. Throws WrongSettings naming every variable that is wrong. */
export function readSettings(env: Record<string, string | undefined> = process.env): Settings {
  const problems: string[] = [];
  const read = <Name extends keyof typeof variables>(name: Name): z.output<(typeof variables)[Name]['schema']> => {
    const { schema, default: fallback, try: example } = variables[name];
    // An empty variable means "not set": compose files and CI pass them that way.
    const given = env[name]?.trim() || fallback || undefined;
    const parsed = schema.safeParse(given);
    if (!parsed.success) {
      // Addresses and keys may hold passwords; they are not repeated on a screen or in a log.
      const shown = /URL|SECRET|KEY/.test(name) ? name : `${name}=${given}`;
      problems.push(`${shown} ${parsed.error.issues[0]?.message ?? 'is wrong'}. Try ${name}=${example}`);
    }
    return parsed.data as z.output<(typeof variables)[Name]['schema']>;
  };

  const production = read('NODE_ENV') === 'production';
  const host = read('HOST');
  const listenPort = read('PORT');
  const dataDir = isAbsolute(read('DATA_DIR')) ? read('DATA_DIR') : resolve(import.meta.dirname, '../../..', read('DATA_DIR'));
  const bucket = read('S3_BUCKET');
  const accessKeyId = read('S3_ACCESS_KEY_ID') ?? null;
  const secretAccessKey = read('S3_SECRET_ACCESS_KEY') ?? null;
  if ((accessKeyId === null) !== (secretAccessKey === null))
    problems.push('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY belong together. Set both, or neither to use the machine’s own role');
  const givenSecret = read('APP_SECRET');
  if (production && !env.APP_SECRET?.trim())
    problems.push('APP_SECRET is missing: production needs one that outlives the machine. Try APP_SECRET=$(openssl rand -hex 32) and keep it');
  const givenMediaSecret = read('MEDIA_SECRET');

  const settings = {
    production,
    port: listenPort,
    host,
    publicUrl: (read('PUBLIC_URL') ?? `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${listenPort}`).replace(/\/+$/, ''),
    dataDir,
    databaseUrl: read('DATABASE_URL') ?? null,
    redisUrl: read('REDIS_URL') ?? null,
    s3: bucket ? { endpoint: read('S3_ENDPOINT') ?? null, bucket, region: read('S3_REGION'), accessKeyId, secretAccessKey } : null,
    smtpUrl: read('SMTP_URL') ?? null,
    mailFrom: read('MAIL_FROM'),
    demo: read('DEMO') ?? !production,
    carrier: read('CARRIER'),
    roles: read('ROLES'),
    logLevel: read('LOG_LEVEL'),
    mediaPort: read('MEDIA_PORT'),
    limits: {
      userPerMinute: read('RATE_USER_PER_MINUTE'),
      companyPerMinute: read('RATE_COMPANY_PER_MINUTE'),
      codesPerHour: read('CODES_PER_HOUR'),
      exportsPerHour: read('EXPORTS_PER_HOUR'),
    },
  };
  if (problems.length > 0) throw new WrongSettings(problems);
  return {
    ...settings,
    mediaSecret: givenMediaSecret ?? keptSecret(dataDir, 'media-secret'),
    appSecret: givenSecret ?? Buffer.from(keptSecret(dataDir, 'app-secret'), 'hex'),
  };
}

/** A random 32-byte secret in hexadecimal, made once per data directory and readable by its owner only. */
export function keptSecret(dataDir: string, name: string): string {
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
