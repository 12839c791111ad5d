import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { unpackChromium } from './chromium.ts';

let scratch: string;
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'trunkline-chromium-test-'));
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

/** A process with an empty environment except an empty home and temporary directory. */
async function bare(program: string): Promise<unknown> {
  const [home, temporary] = ['home', 'tmp'].map((name) => join(scratch, name)) as [string, string];
  for (const folder of [home, temporary]) mkdirSync(folder, { recursive: true });
  const code = `const tools = await import(${JSON.stringify(join(import.meta.dirname, 'chromium.ts'))}); console.log(JSON.stringify(await tools.${program}));`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), '--input-type=module', '-e', code],
    {
      env: { PATH: process.env.PATH, HOME: home, TMPDIR: temporary, CHROMIUM_PATH: 'npm' },
    },
  );
  return JSON.parse(stdout);
}

test('the packaged Chromium shows a page with text, with an empty home and no fonts of the system named', async () => {
  expect(await bare('fontProblem()')).toBeNull();
});

test('two processes unpack at once over a broken copy, and a lost or old fonts.conf is written again', async () => {
  const folder = join(scratch, 'unpacked');
  mkdirSync(join(folder, 'fonts'), { recursive: true });
  const unpack = () =>
    bare(`unpackChromium(${JSON.stringify(folder)})`) as ReturnType<typeof unpackChromium>;
  const [one, other] = await Promise.all([unpack(), unpack()]);
  expect(one).toEqual(other);
  const { stdout } = await promisify(execFile)(one.path, ['--version'], {
    env: { ...process.env, ...one.env },
  });
  expect(stdout).toMatch(/^Chromium|^HeadlessChrome|\d+\.\d+/);
  // Neither the losing copy nor anything half-written remains.
  expect(readdirSync(scratch).sort()).toEqual(['home', 'tmp', 'unpacked']);
  expect(readdirSync(folder).filter((name) => /fonts\.conf/.test(name))).toEqual([
    'trunkline-fonts.conf',
  ]);

  const conf = one.env.FONTCONFIG_FILE!;
  const written = readFileSync(conf, 'utf8');
  expect(/<dir>([^<]+)<\/dir>/.exec(written)![1]).toBe(join(folder, 'fonts/fonts'));
  expect(existsSync(join(folder, 'fonts/fonts/Open_Sans'))).toBe(true);
  for (const damage of [() => rmSync(conf), () => writeFileSync(conf, '<fontconfig/>')]) {
    damage();
    await unpackChromium(folder);
    expect(readFileSync(conf, 'utf8')).toBe(written);
  }
});
