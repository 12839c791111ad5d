import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { lockDataDir } from './data-dir-lock.ts';
import { isFolderLocked, openDatabase } from './index.ts';
import { runningServer } from './pid-file.ts';
import { sweepLeftovers } from './temporary.ts';

const root = mkdtempSync(join(tmpdir(), 'trunkline-folder-lock-'));
chmodSync(root, 0o711); // As root, the database runs as another user, which must be able to enter.
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));

/** A container without the rest: processes here don't see those in it, nor the reverse. */
const container = [
  ...['bwrap', '--dev-bind', '/', '/', '--unshare-pid', '--proc', '/proc'],
  ...['--die-with-parent', ...(process.getuid?.() === 0 ? ['--cap-add', 'ALL'] : [])],
];
const hasContainers = spawnSync('bwrap', [...container.slice(1), 'true']).status === 0;

const script = join(root, 'opener.mts');
writeFileSync(
  script,
  `import { openDatabase } from ${JSON.stringify(join(import.meta.dirname, 'index.ts'))};
  const [dataDir, share] = process.argv.slice(2);
  const say = (line) => console.log(line);
  const database = await openDatabase({ dataDir, share: share === 'share', say })
    .catch((error) => (console.log('refused: ' + error.message), process.exit(1)));
  console.log(database.url);
  process.on('SIGTERM', () => database.stop().then(() => process.exit(0)));
  setInterval(() => {}, 1000);`,
);
const opener = (...args: string[]) => [process.execPath, '--import', 'tsx', script, ...args];

const children: ChildProcess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) await end(child, 'SIGKILL');
});

async function end(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'close');
}

/** Runs a command, and says the first line that it prints and `isFirst` accepts. */
async function firstLine(
  command: string[],
  { env = process.env, isFirst = (_line: string): boolean => true } = {},
) {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'], env });
  children.push(child);
  const line = await new Promise<string>((resolve) => {
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const whole = said.split('\n').slice(0, -1).find(isFirst);
      if (whole !== undefined) resolve(whole);
    });
    child.once('close', () => resolve(`ended: ${said}`));
  });
  return { child, line };
}

const ask = async (url: string, sql: string): Promise<unknown[]> => {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  return (await client.query(sql).finally(() => client.end())).rows;
};
const folder = (name: string) => {
  const path = join(root, name);
  mkdirSync(path, { mode: 0o711 });
  return path;
};
const isUrl = (line: string) => line.startsWith('postgres:');
const elsewhere = (dataDir: string) =>
  `Trunkline is already running from ${dataDir}, in another container or where its process can’t be seen from here. Run commands inside that container (docker compose exec trunkline npm run …), stop it first, or give this one its own directory: DATA_DIR=${dataDir}-2 npm start`;

describe.skipIf(!hasContainers)('a data directory of two containers', () => {
  test('has one PostgreSQL: a start and a command in the second are refused', async () => {
    const dataDir = folder('two');
    const first = await firstLine([...container, ...opener(dataDir)]);
    await ask(first.line, 'create table promise (kept int); insert into promise values (1)');
    // What tells processes of one container apart says nothing here.
    expect(runningServer(join(dataDir, 'postgres'))).toBe(null);

    for (const share of [[], ['share']]) {
      const { line } = await firstLine([...container, ...opener(dataDir, ...share)]);
      expect(line).toBe(`refused: ${elsewhere(dataDir)}`);
    }
    await expect(openDatabase({ dataDir, share: true })).rejects.toThrow(elsewhere(dataDir));
    expect(isFolderLocked(dataDir)).toBe(true);
    // Its file was left alone, so a command beside the first still finds it.
    expect(readdirSync(dataDir).filter((name) => name.startsWith('owner.lock'))).toEqual([
      'owner.lock',
    ]);
    expect(await ask(first.line, 'select * from promise')).toEqual([{ kept: 1 }]);
  });

  test('starts again at once after a container was killed, on what it had promised', async () => {
    const dataDir = folder('killed');
    const first = await firstLine([...container, ...opener(dataDir)]);
    await ask(first.line, 'create table promise (kept int); insert into promise values (1)');
    await end(first.child, 'SIGKILL');

    const second = await firstLine([...container, ...opener(dataDir)]);
    expect(await ask(second.line, 'select * from promise')).toEqual([{ kept: 1 }]);
    await end(second.child, 'SIGKILL');
    const here = await openDatabase({ dataDir });
    expect(await ask(here.url, 'select * from promise')).toEqual([{ kept: 1 }]);
    await here.stop();
    expect(isFolderLocked(dataDir)).toBe(false);
  });

  test('waits for a PostgreSQL that outlived what started it, and is refused while it stays', async () => {
    const dataDir = folder('orphan');
    const killed = `${opener(dataDir).join(' ')} & read line; kill -9 $!; wait; echo killed; sleep 60`;
    const first = await firstLine([...container, 'sh', '-c', killed], { isFirst: isUrl });
    await ask(first.line, 'create table promise (kept int); insert into promise values (1)');
    const dead = once(first.child.stdout!, 'data');
    first.child.stdin?.write('\n');
    await dead;
    expect(await ask(first.line, 'select * from promise')).toEqual([{ kept: 1 }]);

    await expect(openDatabase({ dataDir })).rejects.toThrow(
      `Processes of an earlier PostgreSQL are still running in ${dataDir}/postgres, in another container or where they can’t be seen from here. End them, or restart the machine`,
    );
    const waiting = openDatabase({ dataDir });
    await end(first.child, 'SIGKILL');
    const after = await waiting;
    expect(await ask(after.url, 'select * from promise')).toEqual([{ kept: 1 }]);
    await after.stop();
  });

  test('keeps what a check in the other one is working on', async () => {
    const scratch = folder('scratch');
    // As that of another container, its number is no process here.
    const name = `backup-check-${2 ** 22 + 1}-a`;
    const owned = await lockDataDir(join(scratch, name));
    await sweepLeftovers(scratch, 'backup-check-');
    expect(readdirSync(scratch)).toEqual([name]);
    owned.release();
    await sweepLeftovers(scratch, 'backup-check-');
    expect(readdirSync(scratch)).toEqual([]);
  });
});

describe.skipIf(process.platform !== 'linux')('a data directory that can’t be locked', () => {
  const bin = folder('bin');
  const withFlock = (program: string) => {
    writeFileSync(join(bin, 'flock'), `#!/bin/sh\n${program}\n`, { mode: 0o755 });
    return { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  };

  test('is used with a warning, and by one start of this container', async () => {
    const dataDir = folder('network');
    const env = withFlock('echo "flock: 3: No locks available" >&2; exit 71');
    const first = await firstLine(opener(dataDir), { env });
    expect(first.line).toBe(
      `${dataDir} can’t be locked: flock: 3: No locks available. Make sure that no other container uses it: one would start a second PostgreSQL on the same files`,
    );
    const second = await firstLine(opener(dataDir), { env, isFirst: (s) => /^refused/.test(s) });
    expect(second.line).toMatch(/^refused: Trunkline is already running from \S+ \(process \d+\)/);
    await end(first.child, 'SIGTERM');
  });
});
