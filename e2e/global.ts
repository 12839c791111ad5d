import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { nextFreePort } from '../server/src/start/ports.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the product under test answers, without a slash at the end. */
    productUrl: string;
    /** Its database, for what no screen shows. */
    productDatabase: string;
    /** Where SIP phones find it. */
    productSip: number;
  }
}

/** What people get from `npm start` on a fresh machine, in a place of its own. */
export default async function start(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'trunkline-journeys-'));
  chmodSync(dataDir, 0o711); // as root the database runs as somebody else and must get in
  const port = (await nextFreePort(3700 + Math.floor(Math.random() * 200), '127.0.0.1')) ?? 0;
  const root = join(import.meta.dirname, '..');
  const { NODE_ENV: _test, DATABASE_URL: _theirs, PUBLIC_URL: _address, APP_SECRET: _key, ...env } = process.env;
  const supervisor = spawn(process.execPath, ['--import', 'tsx', join(root, 'server/src/start.ts')], {
    cwd: root,
    env: { ...env, DATA_DIR: dataDir, PORT: String(port), MEDIA_PORT: String(port + 300), DEMO: '1', SIP_PORT: process.env.SIP_PORT ?? String(port + 600), RATE_USER_PER_MINUTE: '100000', RATE_COMPANY_PER_MINUTE: '100000', LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn' },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const said: string[] = [];
  for (const stream of [supervisor.stdout, supervisor.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      said.push(chunk.toString());
      if (process.env.LOG_LEVEL) process.stdout.write(chunk);
    });
  }
  const ended = new Promise<void>((resolve) => supervisor.once('exit', () => resolve()));

  const stop = async () => {
    if (supervisor.exitCode === null && supervisor.signalCode === null) supervisor.kill('SIGTERM');
    await ended;
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  };
  const ready = await new Promise<{ url: string; databaseUrl: string; sipPort: number } | null>((resolve) => {
    supervisor.on('message', (message) => resolve(message as { url: string; databaseUrl: string; sipPort: number }));
    void ended.then(() => resolve(null));
  });
  if (!ready) {
    await stop();
    throw new Error(`The product did not start:\n${said.join('')}`);
  }
  project.provide('productUrl', ready.url);
  project.provide('productDatabase', ready.databaseUrl);
  project.provide('productSip', ready.sipPort);
  return stop;
}
