import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { calls } from '#contract';
import { afterAll, expect, test } from 'vitest';
import { announceIn } from '../../src/app/media.ts';
import { mintMediaToken } from '../../src/exchange/media-token.ts';
import { startExchange } from '../../src/exchange/start-exchange.ts';
import { endLostCalls } from '../../src/modules/calls/runtime/call-clock.ts';
import { openTestBrowser } from '../support/browser-phone.ts';
import { createTestNumber } from '../support/call-harness.ts';
import { toySpeech } from '../support/exchange-harness.ts';
import { freePort } from '../support/free-port.ts';
import { createTestApp } from '../support/test-app.ts';

/** Two media processes: one in this process, and one that is killed. */
const [port, otherPort] = [await freePort(), await freePort()];
const secret = 'a secret of at least sixteen';
const app = await createTestApp({ env: { PORT: String(port), MEDIA_SECRET: secret } });
const url = `http://127.0.0.1:${port}`;
await app.server.listen({ port, host: '127.0.0.1' });
const near = await startExchange({
  port: 0,
  secret,
  announce: announceIn(app.services),
  publicWebUrl: () => url,
  filesDir: join(app.services.settings.dataDir, 'media'),
  speech: toySpeech,
});
const nearId = near.exchange.id()!;
const { settings, db } = app.services;

function startFar(): ChildProcess {
  const root = join(import.meta.dirname, '../..');
  return spawn(process.execPath, ['--import', 'tsx', join(root, 'src/main.ts')], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: settings.databaseUrl!,
      APP_SECRET: settings.appSecret.toString('hex'),
      MEDIA_SECRET: secret,
      ROLES: 'media',
      PORT: String(port),
      MEDIA_PORT: String(otherPort),
      DATA_DIR: mkdtempSync(join(tmpdir(), 'trunkline-far-')),
      LOG_LEVEL: 'warn',
    },
  });
}
const far = startFar();
afterAll(async () => {
  far.kill('SIGKILL');
  await near.close();
});

const exchanges = () => db.unscoped.selectFrom('exchange').selectAll().execute();
await new Promise<void>((resolve, reject) => {
  far.on('message', (told) => {
    if (typeof told === 'object' && 'ready' in told) resolve();
  });
  far.once('close', (code) => reject(new Error(`The media process ended with ${code}`)));
});
const farId = (await exchanges()).find(({ id }) => id !== nearId)!.id;

async function sandbox<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
  const answer = await fetch(`${url}/sandbox${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
  });
  return (await answer.json()) as T;
}
const dial = async (from: string, to: string) =>
  (await sandbox<{ data: { id: string; state: string } }>('POST', '/calls', { from, to })).data;
const stateOf = async (id: string) =>
  (await sandbox<{ state: string; doing: string }>('GET', `/calls/${id}`)).doing;
const ringingAt = (phone: string) => sandbox<{ id: string }[]>('GET', `/phones/${phone}/ringing`);
const patience = { timeout: 30_000, interval: 50 };

/** Our call that began with this leg of an outside phone. */
async function liveOf(leg: string) {
  const read = () =>
    db.unscoped
      .selectFrom('live_call')
      .select(['call_id', 'exchange', 'ended'])
      .where('carrier_call', '=', leg)
      .executeTakeFirst();
  await expect.poll(read, patience).toBeTruthy();
  return (await read())!;
}

/** A number that rings an outside phone. */
async function aCompany(outside: string) {
  const { company, owner } = await app.createCompany();
  const number = await createTestNumber(app, company.id, {
    voicemail: false,
    routes: [{ type: 'standard', to: [outside], timeout: 60 }],
  });
  return { owner, number };
}

/**
 * Calls until one is at this exchange. Calls that the other one got stay meanwhile, since they make
 * it the one with less room.
 */
async function callAt(exchange: string, from: string, to: string): Promise<string> {
  const elsewhere: string[] = [];
  try {
    while (elsewhere.length < 10) {
      const { id } = await dial(from, to);
      if ((await liveOf(id)).exchange === exchange) return id;
      elsewhere.push(id);
      // Longer than an exchange takes to say that it has one more, and a web process to read it.
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  } finally {
    for (const id of elsewhere) await sandbox('POST', `/calls/${id}/hangup`);
  }
  throw new Error(`No call came to the exchange ${exchange}`);
}

test('calls go to the exchange with more room, and everything about a call goes to its exchange', async () => {
  const phones = ['+12125550181', '+12125550182', '+12125550183', '+12125550184'];
  const begun: string[] = [];
  for (const [n, phone] of phones.entries()) {
    const { number } = await aCompany(phone);
    begun.push((await dial(`+1212555019${n}`, number.number)).id);
    // Longer than an exchange takes to say that it has one more, and a web process to read it.
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
  const at = await Promise.all(begun.map(async (leg) => (await liveOf(leg)).exchange));
  expect(at.toSorted()).toEqual([farId, farId, nearId, nearId].toSorted());
  for (const [n, phone] of phones.entries()) {
    await expect.poll(() => ringingAt(phone), patience).toHaveLength(1);
    const [leg] = await ringingAt(phone);
    await sandbox('POST', `/legs/${leg!.id}/answer`, {});
    await expect.poll(() => stateOf(begun[n]!), patience).toBe('talking');
  }
  for (const leg of begun) await sandbox('POST', `/calls/${leg}/hangup`);
  for (const leg of begun)
    await expect.poll(async () => (await liveOf(leg)).ended, patience).toBe(true);
}, 120_000);

test('one page is rung by both exchanges, and answers at each', async () => {
  const outside = '+12125550186';
  const identity = { kind: 'handset', number: outside, device: 'page' } as const;
  const page = await openTestBrowser(url, mintMediaToken(identity, secret, Date.now() + 600_000));
  const { number } = await aCompany(outside);
  for (const exchange of [farId, nearId]) {
    const from = exchange === farId ? '+12125550141' : '+12125550142';
    const call = await callAt(exchange, from, number.number);
    await expect.poll(() => ringingAt(outside), patience).toHaveLength(1);
    const [leg] = await ringingAt(outside);
    await page.told('ring', leg!.id);
    const talk = await page.answer(leg!.id);
    await expect.poll(() => stateOf(call), patience).toBe('talking');
    talk.disconnect();
    await sandbox('POST', `/calls/${call}/hangup`);
    await page.told('ended', leg!.id);
  }
  page.leave();
}, 120_000);

test('a killed exchange ends its calls and no others; new calls, and pages, are at the one that is left', async () => {
  const outside = '+12125550187';
  const { owner, number } = await aCompany(outside);
  const [lost, kept] = [
    await callAt(farId, '+12125550143', number.number),
    await callAt(nearId, '+12125550144', number.number),
  ];
  await expect.poll(() => ringingAt(outside), patience).toHaveLength(2);
  for (const leg of await ringingAt(outside)) await sandbox('POST', `/legs/${leg.id}/answer`, {});
  for (const call of [lost, kept]) await expect.poll(() => stateOf(call), patience).toBe('talking');
  far.kill('SIGKILL');
  await expect
    .poll(
      async () => {
        await endLostCalls(app.services, app.notifier);
        return (await liveOf(lost)).ended;
      },
      { timeout: 30_000, interval: 500 },
    )
    .toBe(true);
  expect((await exchanges()).find(({ id }) => id === farId)?.ended_at).toBeInstanceOf(Date);
  const { call_id: id } = await liveOf(lost);
  const { data } = (await app.as(owner).request(calls.getCall, { params: { id } })).body;
  expect(data.history).toEqual(
    expect.arrayContaining([expect.objectContaining({ label: 'Connection lost' })]),
  );
  expect((await liveOf(kept)).ended).toBe(false);
  expect(await stateOf(kept)).toBe('talking');
  const next = await dial('+12125550145', number.number);
  expect((await liveOf(next.id)).exchange).toBe(nearId);
  for (const call of [kept, next.id]) await sandbox('POST', `/calls/${call}/hangup`);
}, 120_000);

test('an exchange that is about to stop takes no call: callers hear busy, and our people are told', async () => {
  const { owner, number } = await aCompany('+12125550188');
  near.exchange.draining = true;
  await expect
    .poll(async () => (await exchanges()).find(({ id }) => id === nearId)?.draining, patience)
    .toBe(true);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const refused = await app.as(owner).request(calls.placeCall, {
    body: { number_id: number.id, destination: '2125550189' },
  });
  expect([refused.status, refused.body]).toMatchObject([409, { code: 'calling.full' }]);
  const { state } = await dial('+12125550146', number.number);
  expect(state).toBe('ended');
});
