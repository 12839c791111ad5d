import { spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { nextFreePort } from '../server/src/start/ports.ts';

const root = join(import.meta.dirname, '..');
const dataDir = mkdtempSync(join(tmpdir(), 'trunkline-supervisor-'));
chmodSync(dataDir, 0o711); // as root the database runs as somebody else and must get in
const started: ChildProcess[] = [];
afterAll(() => {
  for (const one of started) one.kill('SIGTERM');
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
});

interface Started {
  process: ChildProcess;
  said: () => string;
  url: string;
  ended: Promise<number | null>;
}

/** `npm start` in a place of its own; answers when it is ready or has ended. */
async function start(port: number): Promise<Started> {
  const { NODE_ENV: _test, APP_SECRET: _key, ...env } = process.env;
  const supervisor = spawn(process.execPath, ['--import', 'tsx', join(root, 'server/src/start.ts')], {
    cwd: root,
    env: { ...env, DATA_DIR: dataDir, PORT: String(port), MEDIA_PORT: String(port + 50), DEMO: '0', LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  started.push(supervisor);
  let said = '';
  supervisor.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  supervisor.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => supervisor.once('close', resolve));
  const ready = await Promise.race([new Promise<{ url: string }>((resolve) => supervisor.once('message', (message) => resolve(message as { url: string }))), ended]);
  return { process: supervisor, said: () => said, url: typeof ready === 'object' ? ready?.url ?? '' : '', ended };
}

/** Processes of this installation that still live, by what they were told at their start. Linux only. */
function alive(word: string): number[] {
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid)).map(Number).filter((pid) => {
    try {
      const told = readFileSync(`/proc/${pid}/environ`, 'utf8') + readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      return pid !== process.pid && told.includes(dataDir) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word);
    } catch {
      return false;
    }
  });
}

test.runIf(process.platform === 'linux')('npm start survives what happens to its processes, picks up after a kill -9, and leaves nothing behind', async () => {
  const port = (await nextFreePort(4100 + Math.floor(Math.random() * 200), '127.0.0.1')) as number;
  const first = await start(port);
  expect(first.url, first.said()).toBe(`http://127.0.0.1:${port}`);

  const second = await start(port);
  expect(await second.ended).toBe(1);
  expect(second.said()).toContain(`already runs from ${dataDir} (process ${first.process.pid}, ${first.url})`);

  const before = alive('/main.');
  expect(before).toHaveLength(3);
  expect(alive('/server/dist/')).toEqual(before); // compiled, all of them
  process.kill(before[0] as number, 'SIGKILL');
  await expect.poll(() => first.said(), { timeout: 60_000 }).toMatch(/(web|worker|media) is back/);
  await expect.poll(() => alive('/main.').length, { timeout: 60_000 }).toBe(3);

  first.process.kill('SIGKILL');
  await first.ended;
  await expect.poll(() => alive('/main.'), { timeout: 60_000 }).toEqual([]);
  const next = await start(port);
  expect(next.said()).toContain('already running is ready');
  expect((await fetch(`${next.url}/readyz`)).status).toBe(200);

  next.process.kill('SIGTERM');
  expect(await next.ended).toBe(0);
  await expect.poll(() => alive(''), { timeout: 60_000 }).toEqual([]);
}, 600_000);
