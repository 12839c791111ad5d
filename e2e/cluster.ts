import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import S3rver from 's3rver';
import { migrate } from '../server/src/platform/migrate.ts';
import { compiledServer } from '../server/src/start/server-build.ts';
import { freePort } from '../server/test/support/free-port.ts';
import { startBalancer } from './balancer.ts';
import { removeDataDir, temporaryDataDir, type Role } from './product.ts';
import { startServices } from './services.ts';

const root = join(import.meta.dirname, '..');
type Env = Record<string, string>;

/** One process, as if alone on its machine: it shares no folder with the others. */
export class ClusterProcess {
  private child: ChildProcess | null = null;
  private ended: Promise<void> = Promise.resolve();
  constructor(
    readonly role: Role,
    readonly port: number,
    private readonly command: { args: string[]; env: Env },
    /** Whether others send to it by now. */
    private readonly isTaken: () => boolean,
    private readonly say: (line: string) => void,
  ) {}

  async start(): Promise<void> {
    const child = spawn(process.execPath, this.command.args, {
      cwd: root,
      env: { PATH: process.env.PATH ?? '', ...this.command.env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.child = child;
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => this.say(`${this.role} ${chunk.toString()}`));
    this.ended = new Promise((resolve) => child.once('close', () => resolve()));
    await new Promise<void>((resolve, reject) => {
      child.on('message', (told) => {
        if (typeof told === 'object' && 'ready' in told) resolve();
      });
      child.once('close', (code) => reject(new Error(`${this.role} ended with ${code}`)));
    });
    while (!this.isTaken()) await new Promise((resolve) => setTimeout(resolve, 50));
  }

  /** As an operator stops it. Returns how long it took, in ms. */
  async stop(): Promise<number> {
    const from = performance.now();
    this.child?.kill('SIGTERM');
    await this.ended;
    return performance.now() - from;
  }

  /** As a machine that fails. */
  async kill(): Promise<void> {
    this.child?.kill('SIGKILL');
    await this.ended;
  }
}

/** Two of each process behind a balancer, on a database, a Redis and a bucket that they share. */
export interface Cluster {
  url: string;
  databaseUrl: string;
  processes: readonly ClusterProcess[];
  /** What they said so far. */
  output(): string;
}

/** Null: PostgreSQL 15 or Redis isn't installed. Leaves nothing behind. */
export async function withCluster<T>(
  { roles, env }: { roles: readonly Role[]; env: Env },
  work: (cluster: Cluster) => Promise<T>,
): Promise<T | null> {
  // Its own 100 are too few for two of everything (docs/scale.md).
  const services = await startServices('max_connections=300');
  if (!services) return null;
  const folders: string[] = [];
  const folder = (): string => {
    const made = temporaryDataDir();
    folders.push(made);
    return made;
  };
  const stops: (() => unknown)[] = [() => services.stop()];
  try {
    services.createDatabase('trunkline');
    const bucket = new S3rver({
      ...{ port: 0, address: '127.0.0.1', silent: true, directory: folder() },
      configureBuckets: [{ name: 'trunkline', configs: [] }],
    });
    const { port: s3 } = (await bucket.run()) as { port: number };
    stops.push(() => bucket.close());
    const front = await freePort();
    const databaseUrl = `postgres://trunkline@127.0.0.1:${services.port}/trunkline`;
    const shared = {
      ...{ DATABASE_URL: databaseUrl, REDIS_URL: `redis://127.0.0.1:${services.redisPort}` },
      ...{ S3_ENDPOINT: `http://127.0.0.1:${s3}`, S3_BUCKET: 'trunkline' },
      ...{ S3_ACCESS_KEY_ID: 'S3RVER', S3_SECRET_ACCESS_KEY: 'S3RVER' },
      ...{ APP_SECRET: '42'.repeat(32), MEDIA_SECRET: 'shared-by-all-of-them' },
      ...{ DEMO: '1', LOG_LEVEL: 'warn' },
      ...{ PUBLIC_URL: `http://127.0.0.1:${front}`, WEB_URL: `http://127.0.0.1:${front}` },
      ...{ RATE_USER_PER_MINUTE: '1000000', RATE_COMPANY_PER_MINUTE: '1000000' },
      ...{ STATEMENT_SECONDS: '60', DRAIN_SECONDS: '2', CALL_DRAIN_SECONDS: '60', ...env },
    };
    const code = await compiledServer(console.error);
    await migrate(databaseUrl);
    await runSeed([...code().nodeArgs, code().file('seed')], { ...shared, DATA_DIR: folder() });

    let output = '';
    const ports = new Map<Role, number[]>();
    for (const role of roles) {
      ports.set(role, [...(ports.get(role) ?? []), await freePort()]);
    }
    const balancer = await startBalancer(front, ports.get('web') ?? []);
    stops.push(() => balancer.close());
    const taken = new Map<Role, number>();
    const processes = roles.map((role) => {
      const n = taken.get(role) ?? 0;
      taken.set(role, n + 1);
      const port = ports.get(role)?.[n] ?? 0;
      const own = {
        ...{ ROLES: role, DATA_DIR: folder(), PORT: String(role === 'web' ? port : front) },
        ...(role === 'media' && { MEDIA_PORT: String(port) }),
      };
      return new ClusterProcess(
        role,
        port,
        { args: [...code().nodeArgs, code().file('main')], env: { ...shared, ...own } },
        () => role !== 'web' || balancer.isReady(port),
        (line) => {
          output += line;
          if (process.env.LOG_LEVEL === 'warn') process.stdout.write(line);
        },
      );
    });
    stops.push(() => Promise.all(processes.map((one) => one.kill())));
    await Promise.all(processes.map((one) => one.start()));
    return await work({ url: balancer.url, databaseUrl, processes, output: () => output });
  } finally {
    for (const stop of stops.reverse()) await stop();
    for (const one of folders) removeDataDir(one);
  }
}

function runSeed(args: string[], env: Env): Promise<void> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`The demo’s seed ended with ${code}`)),
    );
  });
}
