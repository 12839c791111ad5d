import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { announceIn, sipOptions } from '../../src/app/media.ts';
import { loudnessAt } from '../../src/platform/audio/loudness.ts';
import { seal } from '../../src/platform/secrets.ts';
import { startExchange, type RunningExchange } from '../../src/exchange/start-exchange.ts';
import { createTestNumber } from '../support/call-harness.ts';
import { openTestPhone } from '../support/desk-phone.ts';
import { toyPitchHz, toySpeech } from '../support/exchange-harness.ts';
import { freePort } from '../support/free-port.ts';
import { createTestApp } from '../support/test-app.ts';

/** A SIP phone is registered at one exchange, and its calls are at either. */
const port = await freePort();
const secret = 'a secret of at least sixteen';
const app = await createTestApp({ env: { PORT: String(port), MEDIA_SECRET: secret } });
const { services } = app;
const realm = new URL(services.settings.publicUrl).hostname;
await app.server.listen({ port, host: '127.0.0.1' });
const start = (name: string, mediaCalls: number): Promise<RunningExchange> =>
  startExchange({
    port: 0,
    secret,
    announce: announceIn({ ...services, settings: { ...services.settings, mediaCalls } }),
    publicWebUrl: () => `http://127.0.0.1:${port}`,
    filesDir: join(services.settings.dataDir, name),
    speech: toySpeech,
    sip: { ...sipOptions(services, '127.0.0.1'), port: 0, host: '127.0.0.1', bind: '127.0.0.1' },
  });
// New calls go to the one with more room.
const [near, far] = [await start('near', 30), await start('far', 60)];
let stopsNear: Promise<void> | null = null;
const stopNear = () => (stopsNear ??= near.close());
afterAll(() => Promise.all([stopNear(), far.close()]));
const patience = { timeout: 30_000, interval: 50 };

const { company } = await app.createCompany();
const password = 'correct horse';
/** A number that rings one person's desk phone, which is registered at `near`. */
async function aDesk(transport: 'UDP' | 'TCP') {
  const person = await app.createPerson(company.id, 'user');
  await services.db.systemTransaction((tx) =>
    tx
      .updateTable('person')
      .set({
        sip_user: `sip${person.id}`,
        sip_address: `sip:sip${person.id}@${realm}`,
        sip_password_secret: seal(services.settings.appSecrets, password),
      })
      .where('id', '=', person.id)
      .execute(),
  );
  const { number } = await createTestNumber(app, company.id, {
    voicemail: false,
    routes: [{ type: 'in-app-calling', to: [person], timeout: 60, voicemail: false }],
  });
  const phone = await openTestPhone(
    { port: near.sipPort! },
    { user: `sip${person.id}`, password, realm, hz: 700, transport },
  );
  afterAll(() => phone.leave());
  return { phone, number };
}
const { phone: desk, number } = await aDesk('UDP');
const overTcp = await aDesk('TCP');

async function sandbox<T>(method: 'GET' | 'POST', path: string, body: object = {}): Promise<T> {
  const answer = await fetch(`http://127.0.0.1:${port}/sandbox${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(method === 'POST' && { body: JSON.stringify(body) }),
  });
  return (await answer.json()) as T;
}
const dial = async (from: string, to = number) =>
  (await sandbox<{ data: { id: string } }>('POST', '/calls', { from, to })).data.id;
const doing = async (id: string) => (await sandbox<{ doing: string }>('GET', `/calls/${id}`)).doing;
const exchangeOf = async (leg: string) => {
  const read = () =>
    services.db.unscoped
      .selectFrom('live_call')
      .select('exchange')
      .where('carrier_call', '=', leg)
      .executeTakeFirst();
  await expect.poll(read, patience).toBeTruthy();
  return (await read())!.exchange;
};
test('a phone at one exchange is rung by a call at the other, answers it, and hears the caller', async () => {
  expect((await desk.register()).status).toBe(200);
  const known = () => [...far.exchange.devices.all()].length;
  await expect.poll(known, patience).toBe(1);
  const caller = await dial('+12125550141');
  const { invite, bye } = await desk.answer(30_000, '12125550141');
  expect(await exchangeOf(caller)).toBe(far.exchange.id());
  // It answers to the exchange that it knows.
  expect(invite.headers.get('contact')).toContain(`:${near.sipPort}`);
  await expect.poll(() => doing(caller), patience).toBe('talking');
  await sandbox('POST', `/calls/${caller}/speak`, {
    speech: 'Zebras speak for quite a while here',
  });
  await expect
    .poll(() => loudnessAt(desk.heard(300), toyPitchHz('Z'), 8000), patience)
    .toBeGreaterThan(0.05);
  // The phone hangs up.
  bye();
  await expect.poll(() => doing(caller), patience).toBe('ended');
  expect(far.exchange.calls).toBe(0);
}, 120_000);

test('a caller who gives up stops the ringing; one who hangs up ends the call at the phone', async () => {
  const first = await dial('+12125550142');
  const invite = await desk.next(({ method }) => method === 'INVITE');
  desk.reply(invite, '180 Ringing');
  await sandbox('POST', `/calls/${first}/hangup`);
  const cancel = await desk.next(({ method }) => method === 'CANCEL');
  desk.ok(cancel);
  desk.reply(invite, '487 Request Terminated');
  const second = await dial('+12125550143');
  await desk.answer(30_000, '12125550143');
  await expect.poll(() => doing(second), patience).toBe('talking');
  await sandbox('POST', `/calls/${second}/hangup`);
  desk.ok(await desk.next(({ method }) => method === 'BYE'));
}, 120_000);

test('a phone on a connection is rung, hears and hangs up, and is hung up on', async () => {
  const { phone, number: to } = overTcp;
  const known = () => [...far.exchange.devices.all()].length;
  const before = known();
  expect((await phone.register()).status).toBe(200);
  await expect.poll(known, patience).toBe(before + 1);
  const first = await dial('+12125550145', to);
  const { invite, bye } = await phone.answer(30_000, '12125550145');
  expect(await exchangeOf(first)).toBe(far.exchange.id());
  expect(invite.headers.get('contact')).toContain(`:${near.sipPort};transport=tcp`);
  await expect.poll(() => doing(first), patience).toBe('talking');
  await sandbox('POST', `/calls/${first}/speak`, { speech: 'Zebras speak for quite a while here' });
  await expect
    .poll(() => loudnessAt(phone.heard(300), toyPitchHz('Z'), 8000), patience)
    .toBeGreaterThan(0.05);
  bye();
  await expect.poll(() => doing(first), patience).toBe('ended');
  const second = await dial('+12125550146', to);
  await phone.answer(30_000, '12125550146');
  await expect.poll(() => doing(second), patience).toBe('talking');
  await sandbox('POST', `/calls/${second}/hangup`);
  phone.ok(await phone.next(({ method }) => method === 'BYE'));
  expect((await phone.register(undefined, 0)).status).toBe(200);
  await expect.poll(known, patience).toBe(before);
}, 120_000);

test('what the phone dials is at its own exchange, wherever there is more room', async () => {
  const dialing = desk.dial('+12125550144');
  const ringing = () => sandbox<{ id: string }[]>('GET', '/phones/+12125550144/ringing');
  await expect.poll(ringing, patience).toHaveLength(1);
  const [leg] = await ringing();
  await sandbox('POST', `/legs/${leg!.id}/answer`);
  const call = await dialing;
  expect(call.final.status).toBe(200);
  expect([near.exchange.calls, far.exchange.calls]).toEqual([1, 0]);
  call.bye();
  await expect.poll(() => near.exchange.calls, patience).toBe(0);
}, 120_000);

test('a phone that leaves, or whose exchange ends, is a device nowhere', async () => {
  const known = () =>
    [...far.exchange.devices.all()].filter(({ identity }) => identity.device.startsWith('sip-'));
  await expect.poll(() => known().length, patience).toBe(1);
  expect((await desk.register(undefined, 0)).status).toBe(200);
  await expect.poll(() => known().length, patience).toBe(0);
  expect((await desk.register()).status).toBe(200);
  await expect.poll(() => known().length, patience).toBe(1);
  await stopNear();
  await expect.poll(() => known().length, patience).toBe(0);
}, 120_000);

test('only exchanges may speak for phones', async () => {
  for (const path of ['to-phone', 'from-phone']) {
    const answer = await fetch(`${far.url}/sip/${path}`, { method: 'POST' });
    expect([path, answer.status]).toEqual([path, 403]);
  }
});
