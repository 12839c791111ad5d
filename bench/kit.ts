import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createServices, createWebServer, type WebServer } from '../server/src/app.ts';
import type { Services } from '../server/src/platform/context.ts';
import { openDb } from '../server/src/platform/db.ts';
import { createLogger } from '../server/src/platform/log.ts';
import { migrate } from '../server/src/platform/migrate.ts';
import { openDatabase } from '../server/src/platform/postgres/index.ts';
import { readSettings } from '../server/src/settings.ts';
import { hashToken, randomToken } from '../server/src/platform/secrets.ts';
import { insertCompany, insertMembership } from '../server/src/modules/companies/index.ts';

/**
 * A whole server on a real PostgreSQL with durability on. Nothing here gates anything: ratios are
 * printed.
 */
export interface Bench {
  services: Services;
  server: WebServer;
  url: string;
  database: string;
  companyId: number;
  token: string;
  /** The settings, for other processes. */
  env: Record<string, string>;
  close(): Promise<void>;
}

/**
 * Fills the database before anything is measured. With BENCH_KEEP, runs once and is kept for all
 * runs until it or the schema changes. BENCH_FILLED names the folder of one that was kept before the
 * schema changed: its copy is migrated.
 */
export interface Dataset {
  name: string;
  source: string;
  fill(owner: pg.Pool, companyId: number, personId: number): Promise<void>;
}

export async function createBench(
  env: Record<string, string> = {},
  filling: Dataset | null = null,
  options: { /** Statements are counted (pg_stat_statements). */ counted?: boolean } = {},
): Promise<Bench> {
  const dataDir = mkdtempSync(join(tmpdir(), 'trunkline-bench-'));
  chmodSync(dataDir, 0o711); // As root, the database runs as another user, which must have access.
  removeOnExit(dataDir);
  const kept =
    filling && process.env['BENCH_KEEP']
      ? join(process.env['BENCH_KEEP'], `${filling.name}-${hashSchemaAndSource(filling.source)}`)
      : null;
  const older = filling && process.env['BENCH_FILLED'];
  const from = older || (kept && existsSync(kept) ? kept : null);
  if (from) execFileSync('cp', ['-a', `${from}/.`, dataDir]);
  let server = await openDatabase({ dataDir });
  const again = async () => {
    await server.stop();
    server = await openDatabase({ dataDir });
  };
  if (older) await migrate(server.url);
  if (!from) {
    await migrate(server.url);
    const { companyId, personId } = await createBenchCompany(server.url);
    if (filling) {
      const owner = new pg.Pool({ connectionString: server.url, max: 4 });
      await filling.fill(owner, companyId, personId);
      await owner.end();
    }
    if (kept) {
      await server.stop();
      mkdirSync(process.env['BENCH_KEEP']!, { recursive: true });
      const unfinished = `${kept}.${process.pid}`;
      execFileSync('cp', ['-a', dataDir, unfinished]);
      renameSync(unfinished, kept);
      server = await openDatabase({ dataDir });
    }
  }
  if (options.counted) {
    const owner = new pg.Client({ connectionString: server.url });
    await owner.connect();
    await owner.query('alter system set shared_preload_libraries = pg_stat_statements');
    await owner.query('create extension if not exists pg_stat_statements');
    await owner.end();
    await again();
  }
  const database = server.url;
  const given = {
    DATABASE_URL: database,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    DEMO: '0',
    NODE_ENV: 'production',
    CARRIER: 'sandbox',
    APP_SECRET: 'ab'.repeat(32),
    RATE_USER_PER_MINUTE: '100000000',
    RATE_COMPANY_PER_MINUTE: '100000000',
    ...env,
  };
  const settings = readSettings(given);
  const services = await createServices(settings, 'bench');
  const web = await createWebServer(services);
  const url = await web.listen({ port: 0, host: '127.0.0.1' });
  const token = randomToken('tla');
  const companyId = await services.db.systemTransaction(async (tx) => {
    const { person_id, company_id } = await tx
      .selectFrom('membership')
      .innerJoin('person', 'person.id', 'membership.user_id')
      .where('email', '=', email)
      .select(['person.id as person_id', 'membership.company_id'])
      .executeTakeFirstOrThrow();
    await tx
      .insertInto('session')
      .values({
        person_id,
        kind: 'browser',
        access_hash: hashToken(token),
        access_expires_at: new Date(Date.now() + 86_400_000),
      })
      .execute();
    return company_id;
  });
  return {
    services,
    server: web,
    url,
    database,
    companyId,
    token,
    env: given,
    close: async () => {
      await web.close();
      await (services as Services & { close(): Promise<void> }).close();
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
const email = 'bench@bench.test';
/** The measured company and its owner. */
async function createBenchCompany(database: string) {
  const db = openDb(database, createLogger('error', 'bench'), { size: 1 });
  const made = await db.systemTransaction(async (tx) => {
    const person = await tx
      .insertInto('person')
      .values({ email, password_hash: 'x' })
      .returning('id')
      .executeTakeFirstOrThrow();
    const company = await insertCompany(tx, {
      name: 'Bench',
      timezone: 'UTC',
      created_at: new Date(),
    });
    await insertMembership(tx, { company_id: company.id, user_id: person.id, role: 'owner' });
    return { companyId: company.id, personId: person.id };
  });
  await db.close();
  return made;
}
function hashSchemaAndSource(source: string): string {
  const folder = new URL('../server/migrations/', import.meta.url).pathname;
  const hash = createHash('sha256').update(source);
  for (const file of readdirSync(folder).sort()) hash.update(readFileSync(join(folder, file)));
  return hash.digest('hex').slice(0, 12);
}

/**
 * However this process ends (an error, Ctrl-C), its database ends with it and its folder is
 * deleted.
 */
function removeOnExit(dataDir: string) {
  process.once('exit', () => {
    try {
      process.kill(
        Number(readFileSync(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0]),
        'SIGQUIT',
      );
    } catch {
      /* it ended as it should */
    }
    try {
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    } catch {
      /* the system's own clearing of its temporary folder finds it */
    }
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
}

export const median = (values: number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
export const percentile = (values: number[], p: number) =>
  [...values].sort((a, b) => a - b)[
    Math.min(values.length - 1, Math.floor((values.length * p) / 100))
  ]!;

/**
 * Ours against the bare limit, interleaved: a warm-up of each, then bare, ours, bare, ours … three
 * times. Repeated once if the bare runs differ by more than 25%, because then the machine was busy
 * with something else.
 */
export async function compare(
  name: string,
  unit: string,
  baseline: () => Promise<number>,
  ours: () => Promise<number>,
  rounds = 3,
): Promise<{ ours: number; bare: number; ratio: number }> {
  await baseline();
  await ours();
  for (let attempt = 0; ; attempt++) {
    const b: number[] = [],
      o: number[] = [];
    for (let i = 0; i < rounds; i++) {
      b.push(await baseline());
      o.push(await ours());
    }
    const spread = Math.max(...b) / Math.min(...b);
    if (spread > 1.25 && attempt === 0) continue;
    const result = { ours: median(o), bare: median(b), ratio: median(o) / median(b) };
    console.log(
      `${name}: ours ${fmt(result.ours)} ${unit}, bare ${fmt(result.bare)} ${unit}, ratio ${result.ratio.toFixed(2)}${spread > 1.25 ? ` (noisy: bare runs differ ${((spread - 1) * 100).toFixed(0)} %)` : ''}`,
    );
    return result;
  }
}
export const fmt = (n: number) =>
  n >= 100 ? Math.round(n).toLocaleString('en-US') : n.toPrecision(3);
