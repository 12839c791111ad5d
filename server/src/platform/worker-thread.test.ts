import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Piscina } from 'piscina';
import { afterAll, expect, test, vi } from 'vitest';
import { ThreadLimitError, runInThread, setThreadLogger } from './worker-thread.ts';

const folder = mkdtempSync(join(tmpdir(), 'trunkline-threads-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const card = 'BEGIN:VCARD\nVERSION:3.0\nFN:Dana Reed\nTEL:+12125550147\nEND:VCARD\n';
const cards = async (file: string) => {
  const read = await runInThread('readVcards', { files: [Buffer.from(file)], most: 1000 }, 60);
  return (read as { rows: unknown[] }).rows;
};
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
  // 90,000 rows are read to the end; more than 100,000 would be refused early. No machine reads them
  // in a twentieth of a second.
  const endless = runInThread(
    'readContactFile',
    { bytes: csv(90_000), into: join(folder, 'endless') },
    0.05,
  );
  await expect(endless).rejects.toMatchObject({ resource: 'time', constructor: ThreadLimitError });
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
