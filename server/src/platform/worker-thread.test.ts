import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Piscina } from 'piscina';
import { afterAll, expect, test, vi } from 'vitest';
import { ThreadLimitError, runInThread, setThreadLogger } from './worker-thread.ts';

const folder = mkdtempSync(join(tmpdir(), 'trunkline-threads-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const card = 'BEGIN:VCARD\nVERSION:3.0\nFN:Dana Reed\nTEL:+12125550147\nEND:VCARD\n';
const cards = (file: string, seconds = 60) =>
  runInThread('readVcards', { file, most: 1000 }, seconds);
const dana = { name: 'Dana Reed', number: '+12125550147' };
const csv = (rows: number) =>
  Buffer.from(
    `name,number\n${Array.from({ length: rows }, (_, i) => `Person ${i},+1212555${1000 + i}\n`).join('')}`,
  );

test('work continues while the event loop is blocked', async () => {
  const into = join(folder, 'rows');
  const bytes = csv(5000);
  await runInThread('readContactFile', { bytes, into: join(folder, 'first') }, 60);
  const whole = statSync(join(folder, 'first')).size;
  const reading = runInThread('readContactFile', { bytes, into }, 60);
  // Nothing of this thread runs until the other one has written every row, or for a minute.
  const still = new Int32Array(new SharedArrayBuffer(4));
  const size = () => statSync(into, { throwIfNoEntry: false })?.size ?? 0;
  for (let waits = 0; size() < whole && waits < 6000; waits++) Atomics.wait(still, 0, 0, 10);
  expect(size()).toBe(whole);
  expect(await reading).toMatchObject({ format: 'csv', headers: ['name', 'number'], count: 5000 });
});

// Memory limits are tested in modules/contacts/hostile-files.test.ts.
test('a task that takes too long is terminated, and the next one runs all the same', async () => {
  const endless = `BEGIN:VCARD\nVERSION:3.0\n${'TEL:1\n'.repeat(2_500_000)}END:VCARD`;
  await expect(cards(endless, 0.3)).rejects.toMatchObject({
    resource: 'time',
    constructor: ThreadLimitError,
  });
  expect(await cards(card)).toEqual([dana]);
});

test('a thread that fails after its task timed out does not end the process', async () => {
  const run = vi.spyOn(Piscina.prototype, 'run');
  await cards(card);
  const pool = run.mock.contexts[0] as Piscina;
  run.mockRestore();
  // The pool's error for a thread without a task, for example one that runs out of memory while it
  // is terminated.
  const late = Object.assign(new Error('out of memory'), { code: 'ERR_WORKER_OUT_OF_MEMORY' });
  const warn = vi.fn();
  setThreadLogger({ warn });
  expect(() => pool.emit('error', late)).not.toThrow();
  expect(warn).toHaveBeenCalledWith({ err: late }, expect.stringContaining('failed while idle'));
  expect(await cards(card)).toEqual([dana]);
});

test('tasks beyond the number of threads wait', async () => {
  expect(await Promise.all(Array.from({ length: 9 }, () => cards(card)))).toEqual(
    Array.from({ length: 9 }, () => [dana]),
  );
});

test('an error thrown by a task reaches the caller', async () => {
  await expect(
    runInThread('readContactFile', { bytes: csv(1), into: join(folder, 'no/such/folder') }, 60),
  ).rejects.toThrow(/ENOENT/);
});
