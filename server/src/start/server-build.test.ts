import { execFile, execFileSync, spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { uncompiledServer, compiledServer, type ServerCode } from './server-build.ts';

/** A minimal checkout. */
let root: string;
const said: string[] = [];
const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
};
const compiled = () => compiledServer((line) => said.push(line), root);
const run = (code: ServerCode) =>
  execFileSync(process.execPath, [...code.nodeArgs, code.file('main')], {
    cwd: tmpdir(),
    encoding: 'utf8',
  }).trim();

beforeEach(() => {
  said.length = 0;
  root = realpathSync(mkdtempSync(join(tmpdir(), 'trunkline-compiled-')));
  write(
    'package.json',
    '{ "type": "module", "imports": { "#contract": "./contract/src/index.ts" } }',
  );
  write('contract/src/index.ts', `export const word: string = 'first';`);
  write('server/src/start/exit-with-parent.ts', '');
  write('server/src/thread.ts', '');
  write('server/seeds/seed.ts', `import { word } from '#contract'; console.log(word);`);
  write(
    'server/src/deep/place.ts',
    `export const place = [import.meta.dirname, import.meta.filename, new URL('./beside.sql', import.meta.url).pathname];`,
  );
  write(
    'server/src/main.ts',
    `import { word } from '#contract'; const { place } = await import('./deep/place.ts'); console.log([word, ...place].join(' '));`,
  );
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('compiled code finds the files beside its source', async () => {
  const code = (await compiled())();
  expect(code.file('main')).toContain(join(root, 'server/dist/'));
  const deep = join(root, 'server/src/deep');
  expect(run(code)).toBe(`first ${deep} ${deep}/place.ts ${deep}/beside.sql`);
  expect(said).toEqual([]);
});

test('a build belongs to one state of the sources: a change makes another build, and the earlier one still runs', async () => {
  const first = (await compiled())();
  expect((await compiled())().file('main')).toBe(first.file('main'));
  write('server/src/deep/place.test.ts', 'tests do not count');
  expect((await compiled())().file('main')).toBe(first.file('main'));
  write('contract/src/index.ts', `export const word: string = 'second';`);
  const second = (await compiled())();
  expect(run(second)).toMatch(/^second /);
  expect(run(first)).toMatch(/^first /);
});

test('concurrent starts make one build, and old builds are deleted', async () => {
  const build = pathToFileURL(join(import.meta.dirname, 'server-build.ts')).href;
  const start = `const { compiledServer } = await import('${build}'); console.log((await compiledServer(console.log, '${root}'))().file('main'));`;
  const other = () =>
    promisify(execFile)(
      process.execPath,
      ['--import', import.meta.resolve('tsx'), '--input-type=module', '-e', start],
      { cwd: tmpdir(), encoding: 'utf8' },
    );
  const both = await Promise.all([other(), other()]);
  const first = await compiled();
  expect(both.map(({ stdout }) => stdout.trim())).toEqual([
    first().file('main'),
    first().file('main'),
  ]);
  expect(readdirSync(join(root, 'server/dist'))).toHaveLength(1);
  expect(run(first())).toMatch(/^first /);
  for (const word of ['a', 'b', 'c', 'd', 'e']) {
    write('contract/src/index.ts', `export const word = '${word}';`);
    expect(run((await compiled())())).toMatch(new RegExp(`^${word} `));
  }
  expect(readdirSync(join(root, 'server/dist'))).toHaveLength(4);
  // A process whose build was deleted restarts from the sources.
  expect(first()).toBe(uncompiledServer);
});

test('an error names the line of the source', async () => {
  write(
    'server/src/main.ts',
    `interface Gone { away: boolean }\n\nexport const gone: Gone = { away: true };\nthrow new Error('at line four');`,
  );
  const code = (await compiled())();
  expect(
    spawnSync(process.execPath, [...code.nodeArgs, code.file('main')], { encoding: 'utf8' }).stderr,
  ).toContain(`${root}/server/src/main.ts:4:`);
});

test('when the sources cannot be compiled or the build not be stored, processes run from the sources, and the log explains why', async () => {
  write('server/src/main.ts', 'const = 1;');
  expect((await compiled())()).toBe(uncompiledServer);
  expect(said.splice(0)).toEqual([
    expect.stringMatching(/runs from its sources.*server\/src\/main\.ts:1:6/s),
  ]);
  expect(readdirSync(join(root, 'server/dist'))).toEqual([]);
  rmSync(join(root, 'server/dist'), { recursive: true });
  write('server/dist', 'nobody may write here');
  write('server/src/main.ts', `console.log('fine')`);
  expect((await compiled())()).toBe(uncompiledServer);
  expect(said).toHaveLength(1);
});

test('a thread of the compiled server runs compiled code', async () => {
  symlinkSync(join(import.meta.dirname, '../../../node_modules'), join(root, 'node_modules'));
  write(
    'package.json',
    '{ "type": "module", "imports": { "#contract": "./contract/src/index.ts" }, "dependencies": { "piscina": "*" } }',
  );
  write(
    'server/src/platform/worker-thread.ts',
    readFileSync(join(import.meta.dirname, '../platform/worker-thread.ts'), 'utf8'),
  );
  write(
    'server/src/thread.ts',
    `export default async ({ task, input }: { task: string; input: string }) => (await import('./deep/task.ts')).answer(task, input);`,
  );
  write(
    'server/src/deep/task.ts',
    `import { word } from '#contract'; export const answer = (task: string, input: string) => [task, input, word, process.env['HOME'] ?? 'no settings'].join(' ');`,
  );
  write(
    'server/src/main.ts',
    `import { runInThread } from './platform/worker-thread.ts'; console.log(await runInThread('greet', 'you', 20));`,
  );
  const code = (await compiled())();
  rmSync(join(root, 'server/src'), { recursive: true });
  expect(run(code)).toBe('greet you first no settings');
});
