import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';

const leash = join(import.meta.dirname, 'exit-with-parent.ts');
/** Loaded first, so that the channel to the parent is known to be closed. */
const tooLate = `data:text/javascript,${encodeURIComponent('while (process.connected) await new Promise((resolve) => setTimeout(resolve, 5));')}`;
const forever = `data:text/javascript,${encodeURIComponent('process.send?.("ready", () => {}); setInterval(() => {}, 1000);')}`;

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

/** A process that would run forever without exit-with-parent; resolves when it has ended. */
function leashed(before: string[]) {
  const imports = ['tsx', ...before, leash, forever].flatMap((one) => ['--import', one]);
  const child = spawn(process.execPath, [...imports, '-e', ''], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  children.push(child);
  return { child, ended: new Promise<void>((resolve) => child.once('exit', () => resolve())) };
}

test('a process ends when its supervisor ends', async () => {
  const { child, ended } = leashed([]);
  await new Promise((resolve) => child.once('message', resolve));
  child.disconnect();
  await ended;
});

test('and when the supervisor ended before the process began to listen', async () => {
  const { child, ended } = leashed([tooLate]);
  child.disconnect();
  await ended;
  expect(child.connected).toBe(false);
});
