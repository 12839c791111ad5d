import { randomBytes } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { printMetric, type FaultOptions, type Metric } from '../metric.ts';
import {
  ask,
  password,
  signIn,
  timed,
  withRelease,
  type Env,
  type Release,
  type Started,
} from '../release.ts';

/** The longest a start of a release may take on an idle machine, in seconds. */
const startLimit = 10;

/**
 * What an operator goes through, with the files of a release and as a user who can't write to them:
 * the first start, the first owner, a call, a backup, a machine that is lost, the restore on another
 * one, where the call is found again.
 */
export const run = (_: FaultOptions): Promise<Metric[]> =>
  withRelease((release) => operatorJourney(release));

/** The way of `run` for any form of a release, and with the database that a machine is given. */
export async function operatorJourney(
  release: Release,
  databaseOf: (machine: 'first' | 'second') => Env = () => ({}),
): Promise<Metric[]> {
  const [backups, first, second] = ['backups', 'first', 'second'].map((name) =>
    release.folder(`${name}-${randomBytes(3).toString('hex')}`),
  ) as [string, string, string];
  const secret = randomBytes(32).toString('hex');
  const settings = { APP_SECRET: secret, BACKUP_PASSPHRASE: 'only the operator knows' };
  const env = { ...settings, ...databaseOf('first') };

  const before = await release.start({ ...env, DATA_DIR: first });
  const owner = await signUp(before);
  const call = await makeCall(before.url, owner);
  const backedUp = timed(() =>
    release.command({ ...env, DATA_DIR: first }, 'backup', backups, '--check'),
  );
  // The machine is gone: nothing is stopped in order.
  before.kill();
  await pause(500);
  rmSync(first, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });

  const there = { ...settings, ...databaseOf('second'), DATA_DIR: second };
  const name = readdirSync(backups)[0] ?? '';
  const restored = timed(() => release.command(there, 'restore', name, '--from', backups));
  const after = await release.start(there);
  const found = await findCall(after.url, owner.email, call);
  await after.stop();
  return [
    metric('operator: release laid out', `${release.seconds.toFixed(0)} s`),
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
}

const metric = (id: string, value: string): Metric => printMetric(id, value, 'shown', true);

/** Who signed up first, and their company. */
export interface Owner {
  email: string;
  token: string;
  companyId: number;
}

/** The first owner, by the link that a first start shows. */
export async function signUp({ url, output }: Pick<Started, 'url' | 'output'>): Promise<Owner> {
  const key = /signup#key=(\S+?)"/.exec(output())?.[1];
  if (!key) throw new Error(`no link for the first owner:\n${output()}`);
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
async function makeCall(url: string, owner: Owner): Promise<number> {
  return callNumber(url, owner, '+19175550123', await buyNumber(url, owner));
}

/** Buys a number of the simulated carrier. */
export async function buyNumber(url: string, { token, companyId }: Owner): Promise<string> {
  const { data: offers } = await ask<{ data: { number: string }[] }>(
    url,
    '/api/numbers/locate',
    { company_id: companyId, category: 2, areaCode: '207', limit: 1 },
    token,
  );
  const number = offers[0]?.number ?? '';
  await ask(url, '/api/numbers', { company_id: companyId, numbers: [number] }, token);
  return number;
}

/** An outside phone calls a number for two seconds. Returns the ID of the call's record. */
export async function callNumber(
  url: string,
  owner: Owner,
  from: string,
  to: string,
): Promise<number> {
  const { data: dialed } = await ask<{ data: { id: string } }>(url, '/sandbox/calls', {
    ...{ from, to, speech: 'Is the office open today?' },
  });
  await pause(2_000);
  await ask(url, `/sandbox/calls/${dialed.id}/hangup`, {});
  for (let waited = 0; waited < 30_000; waited += 500) {
    const [call] = await callsOf(url, owner, from);
    if (call) return call.call.id;
    await pause(500);
  }
  throw new Error('the call is nowhere to be found');
}

/** The calls of an outside phone. */
export async function callsOf(
  url: string,
  { companyId, token }: Omit<Owner, 'email'>,
  from: string,
) {
  const query = `company_id=${companyId}&q=${from.slice(2)}`;
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
  const companyId = data.companies[0]?.id ?? 0;
  const calls = await callsOf(url, { companyId, token }, '+19175550123');
  return calls.some(({ call }) => call.id === id);
}
