import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readSettings } from '../settings.ts';
import { openLogFile } from './log-file.ts';
import { forwardOutput, logLine, startLogFile } from './supervisor-log.ts';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'trunkline-log-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
const linesOf = (path: string) => readFileSync(path, 'utf8').split('\n').filter(Boolean);
/** Files in the order in which they were written. */
const filesIn = (path: string) =>
  readdirSync(path).sort((a, b) => Number(/\d+/.exec(a)?.[0]) - Number(/\d+/.exec(b)?.[0]));

test('what processes and the supervisor say is in the file, one JSON object a line, without what is somebody’s', async () => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => void vi.restoreAllMocks());
  const path = join(folder(), 'logs/trunkline.log');
  const stop = await startLogFile({ path, bytes: 2 ** 20, keep: 3 });
  const output = new PassThrough();
  forwardOutput('web', output);
  output.write(
    '{"level":40,"role":"web","msg":"a text was late"}\nNode crashed for ann@first.test\n',
  );
  logLine('Set up: https://phones.test/setup#code=aBc123', 'warn');
  await vi.waitFor(() => expect(process.stdout.write).toHaveBeenCalledTimes(3));
  await stop();
  expect(filesIn(join(path, '..'))).toEqual(['trunkline.1.log']);
  const lines = linesOf(join(path, '../trunkline.1.log')).map((line) => JSON.parse(line) as object);
  expect(lines).toHaveLength(3);
  expect(lines).toContainEqual({ level: 40, role: 'web', msg: 'a text was late' });
  expect(lines).toContainEqual(expect.objectContaining({ msg: 'Node crashed for [email]' }));
  expect(lines).toContainEqual(
    expect.objectContaining({ level: 40, msg: 'Set up: https://phones.test/setup?[redacted]' }),
  );
});

test('a full file is followed by the next, no line is torn or lost, and the oldest are deleted', async () => {
  const at = folder();
  const settings = { path: join(at, 'trunkline.log'), bytes: 4_096, keep: 2 };
  const file = await openLogFile(settings, () => {});
  for (let n = 0; n < 300; n++) {
    file.write('web', JSON.stringify({ level: 30, n, msg: 'x'.repeat(60) }));
    // As lines come in, not all at once.
    if (n % 10 === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await file.end();
  const files = filesIn(at);
  expect(files).toHaveLength(3);
  expect(files[0]).not.toBe('trunkline.1.log');
  for (const name of files) expect(statSync(join(at, name)).size).toBeLessThan(8_192);
  const numbers = files.flatMap((name) =>
    linesOf(join(at, name)).map((line) => (JSON.parse(line) as { n: number }).n),
  );
  expect(numbers).toEqual(numbers.map((_, index) => 300 - numbers.length + index));
  // The next start goes on in the newest one.
  const next = await openLogFile(settings, () => {});
  next.write('web', '{"level":30,"n":300}');
  await next.end();
  expect(linesOf(join(at, filesIn(at).at(-1) ?? '')).at(-1)).toBe('{"level":30,"n":300}');
});

test('a path that can’t be written keeps the product from starting, and says which', async () => {
  await expect(
    startLogFile({ path: '/dev/null/trunkline.log', bytes: 2 ** 20, keep: 3 }),
  ).rejects.toThrow(/^LOG_FILE=\/dev\/null\/trunkline\.log can’t be written: E/);
});

test('it is off unless LOG_FILE is set, to a full path', () => {
  expect(readSettings({}).logFile).toBeNull();
  expect(readSettings({ LOG_FILE: '/var/log/trunkline.log', LOG_FILE_MB: '5' }).logFile).toEqual({
    path: '/var/log/trunkline.log',
    ...{ bytes: 5 * 2 ** 20, keep: 14 },
  });
  expect(() => readSettings({ LOG_FILE: 'trunkline.log' })).toThrow('must be a full path');
});
