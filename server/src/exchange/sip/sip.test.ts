import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loudnessAt } from '../../platform/audio/loudness.ts';
import { mintMediaToken } from '../media-token.ts';
import { openTestBrowser } from '../../../test/support/browser-phone.ts';
import { startTestExchange } from '../../../test/support/exchange-harness.ts';
import { freePort } from '../../../test/support/free-port.ts';
import { openTestPhone } from '../../../test/support/desk-phone.ts';
import { DigestVerifier, ha1Of, md5 } from './digest.ts';
import { decode, encode } from '../../platform/audio/g711.ts';

const realm = 'phones.test';
const passwords: Record<string, { userId: number; password: string }> = {
  u7: { userId: 7, password: 'correct horse' },
  u8: { userId: 8, password: 'batterystaple' },
};
const placed: { to: string; device: string }[] = [];
const seen: string[] = [];
let port = 0;
let world: Awaited<ReturnType<typeof startTestExchange>>;
let calls = 0;
/** What storing a phone's presence waits for. */
let presence: (userId: number) => Promise<void> = () => Promise.resolve();

const startWithSip = (port: number) =>
  startTestExchange({
    sip: {
      port,
      host: '127.0.0.1',
      realm,
      findUser: (user) =>
        Promise.resolve(
          passwords[user]
            ? {
                userId: passwords[user].userId,
                companies: [1],
                ha1: ha1Of(user, realm, passwords[user].password),
              }
            : null,
        ),
      placeCall: async ({ to, device, userId }) => {
        placed.push({ to, device });
        if (to === '911') return { status: 403, reason: 'Emergency calls cannot be placed here.' };
        // As the product does: the person's own leg first, on that device.
        const leg = `placed-${++calls}`;
        await world.perform({
          do: 'createLeg',
          leg,
          to: { kind: 'app', userId, companyId: 1, device },
          callerId: '+14155552368',
          timeoutSeconds: 20,
          onBehalfOf: null,
        });
        return { leg };
      },
      onPresence: async ({ userId, device }, there) => {
        await presence(userId);
        seen.push(`${userId} ${device.split('-')[0]} ${there ? 'there' : 'gone'}`);
      },
    },
  });
beforeAll(async () => {
  port = await freePort();
  world = await startWithSip(port);
});
afterAll(() => world.close());

const phone = (user: string, hz: number, law: 'PCMU' | 'PCMA' = 'PCMU') =>
  openTestPhone({ port }, { user, password: passwords[user]?.password ?? '', realm, hz, law });
const handset = (number: string, hz: number) =>
  openTestBrowser(
    world.url,
    mintMediaToken(
      { kind: 'handset', number, device: `h${number}` },
      world.secret,
      Date.now() + 60_000,
    ),
    hz,
  );
const hears = (pcm: () => Int16Array, hz: number, rate: number) =>
  expect
    .poll(() => loudnessAt(pcm(), hz, rate), { timeout: 30_000, interval: 40 })
    .toBeGreaterThan(0.08);

describe('digest', () => {
  test('a nonce is ours, once a count, and for five minutes; a password is right or wrong', () => {
    let now = 1_000_000;
    const door = new DigestVerifier('secret', realm, () => now);
    const ha1 = ha1Of('u7', realm, 'pw');
    const answer = (nonce: string, nc = '00000001', password = 'pw') => ({
      username: 'u7',
      realm,
      nonce,
      uri: 'sip:x',
      qop: 'auth',
      nc,
      cnonce: 'c',
      response: md5(
        `${ha1Of('u7', realm, password)}:${nonce}:${nc}:c:auth:${md5('REGISTER:sip:x')}`,
      ),
    });
    const nonce = door.nonce();
    expect(door.check(answer(nonce), 'REGISTER', ha1)).toBe('right');
    expect(door.check(answer(nonce), 'REGISTER', ha1), 'overheard and said again').toBe('stale');
    expect(door.check(answer(nonce, '00000002'), 'REGISTER', ha1)).toBe('right');
    expect(door.check(answer(nonce, '00000003'), 'INVITE', ha1), 'another method').toBe('wrong');
    expect(door.check(answer(nonce, '00000003', 'guess'), 'REGISTER', ha1)).toBe('wrong');
    expect(door.check(answer('made.up.nonce'), 'REGISTER', ha1)).toBe('stale');
    now += 301_000;
    expect(door.check(answer(nonce, '00000004'), 'REGISTER', ha1)).toBe('stale');
  });
});

test('G.711 there and back is nearly the same, in both dialects', () => {
  for (const law of ['PCMU', 'PCMA'] as const) {
    for (const value of [0, 5, -5, 100, -1000, 8000, -20_000, 32_000]) {
      const [back = 0] = decode(law, encode(law, Int16Array.of(value)));
      expect(Math.abs(back - value)).toBeLessThanOrEqual(Math.max(10, Math.abs(value) * 0.04));
    }
  }
  // The published end of each table.
  expect([
    decode('PCMU', Uint8Array.of(0x00))[0],
    decode('PCMU', Uint8Array.of(0xff))[0],
    decode('PCMA', Uint8Array.of(0xd5))[0],
  ]).toEqual([-32_124, 0, 8]);
});

test('a desk phone registers with its password and not with another; a request without credentials is challenged', async () => {
  const desk = await phone('u7', 500);
  expect((await desk.register('wrong')).status).toBe(403);
  expect(seen).not.toContain('7 sip there');
  const outsider = await openTestPhone({ port }, { user: 'u99', password: 'x', realm, hz: 500 });
  expect((await outsider.register('x')).status).toBe(403);
  expect((await desk.dial('2125550147')).final.status, 'no call without registering').toBe(403);
  expect((await desk.register()).status).toBe(200);
  expect(seen).toContain('7 sip there');
  expect((await desk.register(undefined, 0)).status).toBe(200);
  expect(seen).toContain('7 sip gone');
  desk.leave();
  outsider.leave();
}, 180_000);

test('"200 OK" is sent once the registration is stored, and not when it cannot be', async () => {
  const desk = await phone('u7', 500);
  const waiting: (() => void)[] = [];
  presence = () => new Promise((resolve) => waiting.push(resolve));
  let answered: number | null = null;
  const before = seen.length;
  const registering = desk.register().then(({ status }) => (answered = status));
  await expect.poll(() => waiting.length).toBe(1);
  expect(answered, 'nothing is promised yet').toBe(null);
  waiting[0]!();
  expect(await registering).toBe(200);
  expect(seen.slice(before)).toEqual(['7 sip there']);
  presence = () => Promise.resolve();
  await desk.register(undefined, 0);

  presence = () => Promise.reject(new Error('the database is gone'));
  expect((await desk.register()).status).toBe(503);
  presence = () => Promise.resolve();
  expect((await desk.register()).status, 'asked again, it is let in').toBe(200);
  await desk.register(undefined, 0);
  desk.leave();
}, 180_000);

test('it rings together with the person’s browser; answered, both hear each other through G.711; its hang-up is reported', async () => {
  for (const law of ['PCMU', 'PCMA'] as const) {
    const desk = await phone('u7', 700, law);
    await desk.register();
    const browser = await openTestBrowser(
      world.url,
      (
        await world.voice.createClientToken({
          companyId: 1,
          userId: 7,
          identity: 'a',
          device: 'page',
        })
      ).token,
      900,
    );
    const outside = await handset('+12125550147', 620);
    const call = await outside.dial('+14155552368');
    await world.perform({ do: 'answer', leg: call.leg });
    const leg = `ring-${law}`;
    await world.perform({
      do: 'createLeg',
      leg,
      to: { kind: 'app', userId: 7, companyId: 1 },
      callerId: '+12125550147',
      callerName: 'Ada',
      timeoutSeconds: 20,
      onBehalfOf: call.leg,
    });
    await browser.told('ring', leg);
    const picked = await desk.answer();
    expect(picked.invite.headers.get('from')).toContain('+12125550147');
    expect((await world.told('legAnswered', leg)).by?.device).toMatch(/^sip-u7-/);
    expect(await browser.told('ended', leg)).toMatchObject({ because: 'answeredElsewhere' });
    await world.perform({ do: 'bridge', legs: [call.leg, leg] });
    await hears(() => call.heard(400), 700, 16_000);
    await hears(() => desk.heard(400), 620, 8000);
    expect(loudnessAt(desk.heard(400), 700, 8000), 'not itself').toBeLessThan(0.03);
    picked.bye();
    expect(await world.told('legEnded', leg)).toMatchObject({ cause: 'hangup' });
    await world.perform({ do: 'hangup', leg: call.leg });
    await desk.register(undefined, 0);
    call.disconnect();
    for (const page of [browser, outside]) page.leave();
    desk.leave();
  }
}, 180_000);

test('the caller hangs up while it rings: the phone stops ringing', async () => {
  const desk = await phone('u8', 700);
  await desk.register();
  await world.perform({
    do: 'createLeg',
    leg: 'given-up',
    to: { kind: 'app', userId: 8, companyId: 1 },
    callerId: '+12125550147',
    timeoutSeconds: 20,
    onBehalfOf: null,
  });
  const invite = await desk.next(({ method }) => method === 'INVITE');
  desk.reply(invite, '180 Ringing');
  expect(invite.body).toContain('PCMA/8000');
  await world.perform({ do: 'cancelLeg', leg: 'given-up', because: 'callerLeft' });
  desk.ok(await desk.next(({ method }) => method === 'CANCEL'));
  await desk.register(undefined, 0);
  desk.leave();
}, 180_000);

test('it dials: it rings until the other side is heard, and is up then; emergency numbers are refused', async () => {
  const desk = await phone('u8', 700);
  await desk.register();
  expect((await desk.dial('911')).final.status).toBe(403);
  const dialled = desk.dial('2125550148');
  await desk.next(({ status }) => status === 180);
  expect(placed.at(-1)).toMatchObject({ to: '2125550148' });
  const leg = `placed-${calls}`;
  await world.told('legAnswered', leg);
  expect(
    desk.inbox().map(({ status }) => status),
    'the other side has not answered',
  ).not.toContain(200);
  await world.perform({
    do: 'play',
    leg,
    prompts: [{ kind: 'say', text: 'Kindly wait, kindly wait, kindly wait' }],
  });
  expect((await dialled).final.status).toBe(200);
  await hears(() => desk.heard(300), 600, 8000);
  // Hung up by the exchange: the phone hears of it.
  await world.perform({ do: 'hangup', leg });
  desk.ok(await desk.next(({ method }) => method === 'BYE'));
  await desk.register(undefined, 0);
  desk.leave();
}, 180_000);

test('an exchange that stops tells the phones that talk, and says nothing into a closed socket', async () => {
  const at = await freePort();
  const stopping = await startWithSip(at);
  const desk = await openTestPhone(
    { port: at },
    { user: 'u8', password: passwords['u8']!.password, realm, hz: 700 },
  );
  await desk.register();
  const leg = 'up-at-the-end';
  await stopping.perform({
    do: 'createLeg',
    leg,
    to: { kind: 'app', userId: 8, companyId: 1 },
    callerId: '+12125550147',
    timeoutSeconds: 20,
    onBehalfOf: null,
  });
  await desk.answer();
  await stopping.told('legAnswered', leg);
  await stopping.close();
  desk.ok(await desk.next(({ method }) => method === 'BYE'));
  desk.leave();
}, 180_000);
