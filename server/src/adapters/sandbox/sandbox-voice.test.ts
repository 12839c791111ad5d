import { onlyExchange } from '../../../test/support/only-exchange.ts';
import fc from 'fast-check';
import Fastify from 'fastify';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { isEmergency, toE164 } from '../../exchange/phone-number.ts';
import { sandboxVoiceRoutes } from './routes.ts';
import { startTestExchange } from '../../../test/support/exchange-harness.ts';
import { mintMediaToken, readMediaToken, type MediaIdentity } from '../../exchange/media-token.ts';
import { shareFaultsIn, noFaults, setFaults, currentFaults } from './fault-injection.ts';
import { signatureHeader, signWebhook } from '../../exchange/protocol.ts';
import { readVoiceWebhook, InvalidSignature } from './webhook.ts';

afterEach(() => {
  shareFaultsIn(null);
  setFaults(noFaults);
});

test('trouble set in one process is met in another that reads the same file', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'trouble-')), 'deep', 'trouble.json');
  shareFaultsIn(file);
  expect(currentFaults()).toEqual(noFaults);
  setFaults({ outage: true });
  expect(currentFaults().outage).toBe(true);
  // Another process writes.
  writeFileSync(file, JSON.stringify({ ...noFaults, duplicateRate: 0.5 }));
  await expect.poll(() => currentFaults().duplicateRate).toBe(0.5);
  // What was not named is off again, and a torn file troubles nobody.
  setFaults({ errorRate: 1 });
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ ...noFaults, errorRate: 1 });
  writeFileSync(file, '{"outage":tr');
  await expect.poll(() => currentFaults()).toEqual(noFaults);
});

test('a pass is good until it expires, for whom it was made, and no letter of it may change', () => {
  const identity: MediaIdentity = {
    kind: 'app',
    companyId: 3,
    userId: 7,
    identity: 'ada',
    device: 'laptop',
  };
  const token = mintMediaToken(identity, 'secret', 100_000);
  expect(readMediaToken(token, 'secret', 99_000)).toEqual(identity);
  expect(readMediaToken(token, 'secret', 100_000)).toBeNull();
  expect(readMediaToken(token, 'other', 0)).toBeNull();
  fc.assert(
    fc.property(fc.nat(token.length - 1), fc.stringMatching(/^[A-Za-z0-9_.-]$/), (at, letter) => {
      const changed = token.slice(0, at) + letter + token.slice(at + 1);
      // The last letter of base64 carries two bits that mean nothing.
      return (
        changed === token ||
        at === token.length - 1 ||
        readMediaToken(changed, 'secret', 0) === null
      );
    }),
  );
  fc.assert(fc.property(fc.string(), (guess) => readMediaToken(guess, 'secret', 0) === null));
});

test('a webhook that the exchange did not sign is refused', () => {
  const body = '[{"id":"1"}]';
  expect(
    readVoiceWebhook(Buffer.from(body), { [signatureHeader]: signWebhook(body, 's') }, 's'),
  ).toEqual([{ id: '1' }]);
  expect(() =>
    readVoiceWebhook(`${body} `, { [signatureHeader]: signWebhook(body, 's') }, 's'),
  ).toThrow(InvalidSignature);
  expect(() => readVoiceWebhook(body, {}, 's')).toThrow(InvalidSignature);
});

test('what people dial becomes a number, or nothing', () => {
  for (const dialled of [
    '(212) 555-0147',
    '212.555.0147',
    '12125550147',
    '+1 212 555 0147',
    '1-212-555-0147',
  ])
    expect(toE164(dialled)).toBe('+12125550147');
  expect(toE164('+44 20 7946 0958')).toBe('+442079460958');
  for (const dialled of ['', '555-0147', 'hello', '+1', '22125550147'])
    expect(toE164(dialled)).toBeNull();
  for (const dialled of ['911', '9-1-1', '+1911', '112', '933'])
    expect(isEmergency(dialled)).toBe(true);
  expect(isEmergency('+19115550147')).toBe(false);
});

test('the web process hands scripted phones on to the exchange, sets trouble, and gives handsets their pass', async () => {
  const world = await startTestExchange();
  const web = Fastify({ forceCloseConnections: true });
  await web.register(sandboxVoiceRoutes, {
    exchanges: onlyExchange(() => world.url),
    secret: world.secret,
  });
  try {
    const made = await web.inject({
      method: 'POST',
      url: '/sandbox/calls',
      payload: { from: '212-555-0147', to: '+14155552368' },
    });
    expect(made.statusCode).toBe(201);
    const { data } = made.json<{ data: { id: string; state: string } }>();
    expect(data.state).toBe('ringing');
    expect(await world.told('inbound', data.id)).toMatchObject({
      from: '+12125550147',
      to: '+14155552368',
    });
    expect((await web.inject({ url: `/sandbox/calls/${data.id}` })).json()).toMatchObject({
      state: 'ringing',
      endedBecause: null,
    });
    expect((await web.inject({ url: '/sandbox/phones/+12125550147/ringing' })).json()).toEqual([]);
    expect(
      (
        await web.inject({
          method: 'POST',
          url: `/sandbox/calls/${data.id}/keys`,
          payload: { digits: '1' },
        })
      ).statusCode,
    ).toBe(409);
    expect(
      (await web.inject({ method: 'POST', url: `/sandbox/calls/${data.id}/hangup` })).json(),
    ).toEqual({ data: { id: data.id, state: 'ended' } });
    expect(
      (await web.inject({ method: 'POST', url: '/sandbox/legs/nobody/answer' })).statusCode,
    ).toBe(404);
    expect(
      (
        await web.inject({
          method: 'POST',
          url: '/sandbox/calls',
          payload: { from: 'me', to: 'you' },
        })
      ).json(),
    ).toMatchObject({
      errors: { from: ['This isn’t a phone number.'], to: ['This isn’t a phone number.'] },
    });
    expect(
      (
        await web.inject({
          method: 'PUT',
          url: '/sandbox/faults',
          payload: { duplicateRate: 0.5 },
        })
      ).json(),
    ).toEqual({ data: { ...noFaults, duplicateRate: 0.5 } });
    expect((await web.inject({ url: '/sandbox/faults' })).json()).toEqual({
      data: { ...noFaults, duplicateRate: 0.5 },
    });
    expect(
      (await web.inject({ method: 'PUT', url: '/sandbox/faults', payload: { duplicateRate: 2 } }))
        .statusCode,
    ).toBe(422);
    const pass = (
      await web.inject({
        method: 'POST',
        url: '/sandbox/handset/token',
        payload: { number: '212-555-0147' },
      })
    ).json<{ data: { token: string; number: string; url: string } }>();
    expect(pass.data).toMatchObject({ number: '+12125550147', url: '/media' });
    expect(readMediaToken(pass.data.token, world.secret, Date.now())).toMatchObject({
      kind: 'handset',
      number: '+12125550147',
    });
  } finally {
    await web.close();
    await world.close();
  }
  // With the exchange away, the answer is a plain sentence.
  const alone = Fastify();
  await alone.register(sandboxVoiceRoutes, {
    exchanges: onlyExchange(() => world.url),
    secret: world.secret,
  });
  expect(
    (await alone.inject({ method: 'POST', url: '/sandbox/calls', payload: {} })).statusCode,
  ).toBe(503);
  await alone.close();
});
