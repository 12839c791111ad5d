import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

const root = join(import.meta.dirname, '..');

/** A running `npm start`, as on a fresh machine. */
interface Product {
  process: ChildProcess;
  /** Its origin, without a trailing slash; empty if it ended before it was ready. */
  url: string;
  databaseUrl: string;
  sipPort: number;
  /** Its output so far. */
  output(): string;
  /** Its exit code; null if a signal ended it. */
  ended: Promise<number | null>;
  /** Stops it and waits. */
  stop(): Promise<void>;
}

/** A data directory for one installation. */
export function temporaryDataDir(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'trunkline-e2e-'));
  chmodSync(dataDir, 0o711); // As root, the database runs as another user, which must have access.
  return dataDir;
}

export function removeDataDir(dataDir: string): void {
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}

/**
 * Starts the whole product on this data directory. Resolves when it is ready or has ended; `env` is
 * added to its environment.
 */
export async function startProduct(
  dataDir: string,
  env: Record<string, string> = {},
): Promise<Product> {
  const inherited = { ...process.env };
  for (const name of ['NODE_ENV', 'DATABASE_URL', 'PUBLIC_URL', 'APP_SECRET'])
    delete inherited[name];
  // Tests are silent by default; a requested log level is shown.
  const level = process.env.LOG_LEVEL === 'silent' ? undefined : process.env.LOG_LEVEL;
  // It moves on from a busy port; far apart, so that two starts at once seldom collide.
  const port = 10_000 + 10 * Math.floor(Math.random() * 2000);
  const child = spawn(process.execPath, ['--import', 'tsx', join(root, 'server/src/start.ts')], {
    cwd: root,
    env: {
      ...inherited,
      DATA_DIR: dataDir,
      PORT: String(port),
      MEDIA_PORT: String(port + 3),
      DEMO: '1',
      LOG_LEVEL: level ?? 'warn',
      RATE_USER_PER_MINUTE: '1000000',
      RATE_COMPANY_PER_MINUTE: '1000000',
      // A machine with a stalling disk responds late, which isn't tested here.
      STATEMENT_SECONDS: '60',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (level) process.stdout.write(chunk);
    });
  }
  interface Ready {
    url: string;
    databaseUrl: string;
    sipPort: number;
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const ready = await Promise.race([
    new Promise<Ready>((resolve) => child.once('message', (told) => resolve(told as Ready))),
    ended.then(() => null),
  ]);
  return {
    process: child,
    url: ready?.url ?? '',
    databaseUrl: ready?.databaseUrl ?? '',
    sipPort: ready?.sipPort ?? 0,
    output: () => output,
    ended,
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Like `launch`, but throws with its output if it doesn't become ready. */
export async function startReadyProduct(
  dataDir: string,
  env: Record<string, string> = {},
): Promise<Product> {
  const product = await startProduct(dataDir, env);
  if (!product.url) throw new Error(`The product did not start:\n${product.output()}`);
  return product;
}

/** Runs `work` against an installation of its own, which leaves nothing behind. */
export async function withProduct<T>(
  env: Record<string, string>,
  work: (product: Product, dataDir: string) => Promise<T>,
): Promise<T> {
  const dataDir = temporaryDataDir();
  let product: Product | null = null;
  try {
    product = await startReadyProduct(dataDir, env);
    return await work(product, dataDir);
  } finally {
    await product?.stop();
    removeDataDir(dataDir);
  }
}

/** `bulk`: the worker process that runs what takes long. */
export type Role = 'web' | 'worker' | 'bulk' | 'media';

/**
 * Living processes of one installation, from /proc (Linux only). `word` is part of their command
 * line: by default that of web, workers and media.
 */
export function processesOf(
  dataDir: string,
  word = '/main.',
): { pid: number; role: Role | null }[] {
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  return pids
    .filter((pid) => pid !== process.pid)
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
        const env = readFileSync(`/proc/${pid}/environ`, 'utf8');
        if (!(env + command).includes(dataDir) || !command.includes(word)) return [];
        const role = /(?:^|\0)ROLES=(web|worker|media)(?:\0|$)/.exec(env)?.[1] as Role | undefined;
        const isBulk = /(?:^|\0)JOB_QUEUES=(?![^\0]*default)/.test(env);
        return [{ pid, role: isBulk ? 'bulk' : (role ?? null) }];
      } catch {
        return []; // It has ended meanwhile.
      }
    });
}

/** Kills it with SIGKILL. */
export function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    /* it had ended already */
  }
}

/** Whether the web process reports that it is ready. */
export const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1000) }).then(
    ({ ok }) => ok,
    () => false,
  );

/** The product's database while its connections are being cut: retries until it responds. */
export class RetryingDatabase {
  private readonly pool: pg.Pool;
  private readonly owner: pg.Pool;
  constructor(databaseUrl: string) {
    this.pool = new pg.Pool({
      connectionString: databaseUrl,
      max: 3,
      options: '-c role=trunkline_system',
    });
    this.owner = new pg.Pool({ connectionString: databaseUrl, max: 1 });
    for (const pool of [this.pool, this.owner]) pool.on('error', () => {});
  }
  /** As the system role, for up to a minute. */
  async rows<T>(text: string, values: unknown[] = []): Promise<T[]> {
    for (let attempt = 0; ; attempt++) {
      try {
        return (await this.pool.query(text, values)).rows as T[];
      } catch (error) {
        if (attempt > 240) throw error;
        await pause(250);
      }
    }
  }
  /** The first row. */
  async queryOne<T>(text: string, values: unknown[] = []): Promise<T> {
    return (await this.rows<T>(text, values))[0]!;
  }
  /** Ends backends of the application: this many, the oldest first; null for all. */
  async dropConnections(count: number | null): Promise<void> {
    await this.owner
      .query(
        `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name like 'trunkline%' and pid <> pg_backend_pid()
      order by backend_start limit $1`,
        [count],
      )
      .catch(() => {});
  }
  async close(): Promise<void> {
    await Promise.all([this.pool.end(), this.owner.end()]);
  }
}

/** Numbers from 0 to 1, the same for the same seed. */
export function createRandom(seed: number): () => number {
  let state = seed % 2_147_483_648;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}
