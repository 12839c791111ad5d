import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { nextFreePort } from './free-port.ts';
import { forwardOutput, logLine } from './supervisor-log.ts';

const root = join(import.meta.dirname, '../../..');

/**
 * Vite's dev server in front of ours: it serves the screens from their sources and proxies the
 * rest.
 */
export async function startDevServer(
  server: string,
): Promise<{ url: string; stop(): Promise<void> }> {
  const port = (await nextFreePort(5173, '127.0.0.1')) ?? 5173;
  const program = join(
    dirname(createRequire(import.meta.url).resolve('vite/package.json')),
    'bin/vite.js',
  );
  const args = [
    '--config',
    join(root, 'web/vite.config.ts'),
    '--port',
    String(port),
    '--strictPort',
    '--clearScreen',
    'false',
    '--logLevel',
    'warn',
  ];
  const vite = spawn(process.execPath, [program, ...args], {
    cwd: join(root, 'web'),
    env: { ...process.env, TRUNKLINE_SERVER: server },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  forwardOutput('vite', vite.stdout);
  forwardOutput('vite', vite.stderr);
  let stopping = false;
  vite.once(
    'exit',
    (code) =>
      stopping ||
      logLine(
        `vite exited with code ${code}; no screens are served until the next npm run dev`,
        'warn',
      ),
  );
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      stopping = true;
      if (vite.exitCode !== null || vite.signalCode !== null) return;
      const gone = new Promise<void>((resolve) => vite.once('exit', () => resolve()));
      vite.kill('SIGTERM');
      await gone;
    },
  };
}

/** Calls back once for each burst of changes in the server's sources. */
export function watchSources(changed: () => void): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const watchers = ['server/src', 'contract/src'].map((folder) =>
    watch(join(root, folder), { recursive: true }, (_, name) => {
      if (!name || !/\.(ts|json)$/.test(name) || name.endsWith('.test.ts')) return;
      clearTimeout(timer);
      timer = setTimeout(() => {
        logLine(`${folder}/${name} changed`);
        changed();
      }, 150);
    }),
  );
  return async () => {
    clearTimeout(timer);
    for (const one of watchers) one.close();
  };
}
