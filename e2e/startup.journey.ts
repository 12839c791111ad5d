import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const folders: string[] = [];
const started: ChildProcess[] = [];
const blockers: Server[] = [];
afterAll(async () => {
  await Promise.all(
    started
      .filter((one) => one.exitCode === null && one.signalCode === null)
      .map(
        (one) =>
          new Promise((resolve) => {
            one.once('close', resolve);
            one.kill('SIGTERM');
          }),
      ),
  );
  for (const one of blockers) one.close();
  for (const folder of folders)
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
});

interface Ready {
  url: string;
}

/** `npm start` on an empty data directory. Returns its output when it was ready or had ended. */
function start(env: Record<string, string>): { ready: Promise<Ready | null>; said: () => string } {
  const dataDir = mkdtempSync(join(tmpdir(), 'trunkline-starts-'));
  chmodSync(dataDir, 0o711); // As root, the database runs as another user, which must have access.
  folders.push(dataDir);
  const {
    NODE_ENV: _test,
    APP_SECRET: _key,
    DATABASE_URL: _theirs,
    PUBLIC_URL: _address,
    ...inherited
  } = process.env;
  const supervisor = spawn(
    process.execPath,
    ['--import', 'tsx', join(root, 'server/src/start.ts')],
    {
      cwd: root,
      env: { ...inherited, DATA_DIR: dataDir, DEMO: '0', LOG_LEVEL: 'warn', ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    },
  );
  started.push(supervisor);
  let said = '';
  for (const stream of [supervisor.stdout, supervisor.stderr])
    stream?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ready = new Promise<Ready | null>((resolve) => {
    supervisor.once('message', (message) => resolve(message as Ready));
    supervisor.once('close', () => resolve(null));
  });
  return { ready, said: () => said };
}

/** A taken port, so that every process that wants it has to move. */
async function occupyPort(): Promise<number> {
  const server = createServer();
  blockers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return address && typeof address === 'object' ? address.port : 0;
}

test('two starts at once on one machine both come up, each on ports of its own', async () => {
  const port = String(await occupyPort());
  // The same ports wanted by both, which collide with each other as well.
  const two = [1, 2].map(() => start({ PORT: port, MEDIA_PORT: port }));
  const ready = await Promise.all(two.map((one) => one.ready));
  ready.forEach((one, i) => expect(one, two[i]!.said()).not.toBeNull());
  expect(new Set(ready.map((one) => one!.url)).size).toBe(2);
  for (const { url } of ready as Ready[]) {
    // The next free ones, not just any.
    expect(Number(new URL(url).port) - Number(port)).toBeGreaterThan(0);
    expect(Number(new URL(url).port) - Number(port)).toBeLessThanOrEqual(50);
    expect(await (await fetch(`${url}/readyz`)).json()).toEqual({
      ok: true,
      database: true,
      media: true,
      storage: true,
      draining: false,
      carriers: {},
    });
    // Answered by the media process of this installation: another one doesn't know its secret.
    expect((await fetch(`${url}/sandbox/calls/unknown`)).status).toBe(404);
  }
}, 600_000);

test('in production a busy PORT is refused with a sentence', async () => {
  const port = await occupyPort();
  const one = start({
    NODE_ENV: 'production',
    APP_SECRET: 'ab'.repeat(32),
    CARRIER: 'sandbox',
    PORT: String(port),
  });
  expect(await one.ready).toBeNull();
  expect(one.said()).toContain(
    `Port ${port} is busy. Stop the program that uses it, or choose another: PORT=`,
  );
}, 120_000);
