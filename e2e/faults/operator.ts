import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { findUnprivilegedUser } from '../../server/src/platform/postgres/os-user.ts';
import { printMetric, type FaultOptions, type Metric } from '../metric.ts';

const root = join(import.meta.dirname, '../..');
/** The longest a start of a release may take on an idle machine, in seconds. */
const startLimit = 10;

/**
 * What an operator goes through, with the files of a release and as a user who can't write to them:
 * the first start, the first owner, a call, a backup, a machine that is lost, the restore on another
 * one, where the call is found again.
 */
export async function run(_: FaultOptions): Promise<Metric[]> {
  const folder = mkdtempSync(join(tmpdir(), 'trunkline-operator-'));
  chmodSync(folder, 0o755);
  const app = join(folder, 'app');
  const running = new Set<ChildProcess>();
  const user = process.getuid?.() === 0 ? findUnprivilegedUser() : null;
  try {
    const built = timed(() => command(root, {}, 'release', app));
    const folders = ['backups', 'first', 'second'].map((name) => join(folder, name));
    for (const path of folders) {
      mkdirSync(path);
      if (user) chownSync(path, user.uid, user.gid);
    }
    if (spawnSync('chmod', ['-R', 'a-w,a+rX', app]).status !== 0) throw new Error('chmod failed');
    const [backups = '', first = '', second = ''] = folders;
    const secret = randomBytes(32).toString('hex');
    const env = {
      ...{ HOME: folder, NODE_ENV: 'production', CARRIER: 'sandbox', APP_SECRET: secret },
      ...{ BACKUP_PASSPHRASE: 'only the operator knows', MEDIA_PORT: '0' },
    };
    const begin = async (dataDir: string) => {
      const one = await start(app, { ...env, DATA_DIR: dataDir }, user);
      running.add(one.child);
      return one;
    };

    const before = await begin(first);
    const key = /signup#key=(\S+?)"/.exec(before.output())?.[1];
    if (!key) throw new Error(`no link for the first owner:\n${before.output()}`);
    const owner = await signUp(before.url, key);
    const call = await makeCall(before.url, owner);
    const backedUp = timed(() =>
      command(app, { ...env, DATA_DIR: first }, 'backup', backups, '--check'),
    );
    // The machine is gone: nothing is stopped in order.
    killTree(before.child);
    running.delete(before.child);
    await pause(500);
    rmSync(first, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });

    const name = readdirSync(backups)[0] ?? '';
    const restored = timed(() =>
      command(app, { ...env, DATA_DIR: second }, 'restore', name, '--from', backups),
    );
    const after = await begin(second);
    const found = await findCall(after.url, owner.email, call);
    await after.stop();
    running.delete(after.child);
    return [
      metric('operator: release laid out', `${built.toFixed(0)} s`),
      metric('operator: first start', `${before.seconds.toFixed(1)} s`),
      metric('operator: backup with its check', `${backedUp.toFixed(1)} s`),
      metric('operator: restore', `${restored.toFixed(1)} s`),
      printMetric(
        'operator: start of the copy',
        `${after.seconds.toFixed(1)} s`,
        `≤ ${startLimit} s`,
        after.seconds <= startLimit,
      ),
      printMetric('operator: the call is there', found ? 'yes' : 'no', 'yes', found),
    ];
  } finally {
    for (const child of running) killTree(child);
    spawnSync('chmod', ['-R', 'u+w', folder]);
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
  }

  /** As the operator types it, in the folder of the release. */
  function command(cwd: string, env: Record<string, string>, name: string, ...args: string[]) {
    const { status, stdout, stderr } = spawnSync('npm', ['run', '-s', name, '--', ...args], {
      ...(cwd === app && user),
      cwd,
      // A release is made where one develops; the rest is a server's, which knows nothing else.
      env: cwd === root ? process.env : { PATH: process.env.PATH ?? '', HOME: folder, ...env },
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`npm run ${name} ended with ${status}:\n${stdout}${stderr}`);
    process.stdout.write(stdout);
  }
}

const metric = (id: string, value: string): Metric => printMetric(id, value, 'shown', true);

function timed(work: () => void): number {
  const began = performance.now();
  work();
  return (performance.now() - began) / 1000;
}

/** The supervisor and all below it, at once. */
function killTree({ pid }: ChildProcess): void {
  if (!pid) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
  spawnSync('pkill', ['-KILL', '-f', 'trunkline-operator-']);
}

/** Starts a release and waits until it is ready. */
async function start(
  app: string,
  env: Record<string, string>,
  user: { uid: number; gid: number } | null,
) {
  const began = performance.now();
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, ['--import', 'tsx', 'server/src/start.ts'], {
    cwd: app,
    detached: true,
    env: { PATH: process.env.PATH ?? '', ...env, PORT: String(port), PUBLIC_URL: url },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise((resolve) => child.once('close', resolve));
  for (let waited = 0; !output.includes('Ready at'); waited += 50) {
    if (child.exitCode !== null || waited > 180_000)
      throw new Error(`The release did not start:\n${output}`);
    await pause(50);
  }
  return {
    ...{ child, url },
    seconds: (performance.now() - began) / 1000,
    output: () => output,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

interface Owner {
  email: string;
  token: string;
  companyId: number;
}

async function ask<T>(url: string, path: string, body?: object, token?: string): Promise<T> {
  const response = await fetch(`${url}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      accept: 'application/json',
      ...(body && { 'content-type': 'application/json' }),
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
  return JSON.parse(text) as T;
}

const password = 'a long enough sentence';

const signIn = async (url: string, email: string): Promise<string> =>
  (await ask<{ token: { access_token: string } }>(url, '/api/sanctum/login', { email, password }))
    .token.access_token;

async function signUp(url: string, key: string): Promise<Owner> {
  const email = 'ann@first.test';
  await ask(url, '/api/client/signup', {
    ...{ email, password, owner_key: key, company_name: 'First Street Dental' },
  });
  const token = await signIn(url, email);
  const { data } = await ask<{ data: { companies: { id: number }[] } }>(
    url,
    '/api/user',
    undefined,
    token,
  );
  return { email, token, companyId: data.companies[0]?.id ?? 0 };
}

/** Buys a number and has an outside phone call it. Returns the ID of the call's record. */
async function makeCall(url: string, { token, companyId }: Owner): Promise<number> {
  const { data: offers } = await ask<{ data: { number: string }[] }>(
    url,
    '/api/numbers/locate',
    { company_id: companyId, category: 2, areaCode: '207', limit: 1 },
    token,
  );
  const number = offers[0]?.number;
  await ask(url, '/api/numbers', { company_id: companyId, numbers: [number] }, token);
  const { data: dialed } = await ask<{ data: { id: string } }>(url, '/sandbox/calls', {
    ...{ from: '+19175550123', to: number, speech: 'Is the office open today?' },
  });
  await pause(2_000);
  await ask(url, `/sandbox/calls/${dialed.id}/hangup`, {});
  for (let waited = 0; waited < 30_000; waited += 500) {
    const [call] = await callsOf(url, companyId, token);
    if (call) return call.call.id;
    await pause(500);
  }
  throw new Error('the call is nowhere to be found');
}

async function callsOf(url: string, companyId: number, token: string) {
  const query = `company_id=${companyId}&q=9175550123`;
  type Found = { data: { call: { id: number } }[] };
  return (await ask<Found>(url, `/api/calls/search?${query}`, undefined, token)).data;
}

async function findCall(url: string, email: string, id: number): Promise<boolean> {
  const token = await signIn(url, email);
  const { data } = await ask<{ data: { companies: { id: number }[] } }>(
    url,
    '/api/user',
    undefined,
    token,
  );
  const calls = await callsOf(url, data.companies[0]?.id ?? 0, token);
  return calls.some(({ call }) => call.id === id);
}
