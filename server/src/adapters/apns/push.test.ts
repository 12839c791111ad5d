import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http2';
import { afterAll, expect, test } from 'vitest';
import { apnsPush } from './push.ts';

const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const heard: { headers: IncomingHttpHeaders; body: unknown }[] = [];
let next: { status: number; body: object } = { status: 200, body: {} };
// Apple speaks HTTP/2 over TLS; the protocol above it is the same in clear text.
const server = createServer();
server.on('stream', (stream, headers) => {
  let body = '';
  stream
    .on('data', (chunk: Buffer) => {
      body += chunk.toString();
    })
    .on('end', () => {
      heard.push({ headers, body: JSON.parse(body) });
      stream.respond({ ':status': next.status });
      stream.end(next.status === 200 ? '' : JSON.stringify(next.body));
    });
});
await new Promise<void>((resolve) => {
  server.listen(0, '127.0.0.1', resolve);
});
const host = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
let clock = 1_800_000_000_000;
const apns = apnsPush(
  {
    key: Buffer.from(pair.privateKey.export({ type: 'pkcs8', format: 'pem' })).toString('base64'),
    keyId: 'KEY1234567',
    teamId: 'TEAM123456',
  },
  { hosts: { production: host, sandbox: 'http://127.0.0.1:1' }, now: () => clock },
);
afterAll(() => {
  apns.close();
  server.close();
});

const target = {
  personId: 1,
  kind: 'apns_voip' as const,
  deviceId: 'app-1',
  token: 'ab'.repeat(32),
  bundleId: 'com.example.phone',
  environment: 'production' as const,
  keys: null,
};
const note = {
  kind: 'call' as const,
  title: 'Dana Reed',
  body: 'Calling Main line',
  url: '/calls/5',
  tag: 'call-5',
  data: { callId: 5, joinToken: 'x~y' },
  ttlSeconds: 30,
};

test('a call goes to the app’s VoIP topic with a token that Apple can check, made anew before its hour is over', async () => {
  expect(await apns.send(target, note)).toEqual({ state: 'sent' });
  const { headers, body } = heard[0]!;
  expect(headers).toMatchObject({
    ':path': `/3/device/${target.token}`,
    'apns-topic': 'com.example.phone.voip',
    'apns-push-type': 'voip',
    'apns-priority': '10',
    'apns-expiration': String(1_800_000_030),
  });
  expect(body).toMatchObject({
    aps: { alert: { title: 'Dana Reed', body: 'Calling Main line' } },
    callId: 5,
    joinToken: 'x~y',
  });
  const [head, claims, signature] = String(headers.authorization)
    .replace('bearer ', '')
    .split('.') as [string, string, string];
  expect([
    JSON.parse(Buffer.from(head, 'base64url').toString()),
    JSON.parse(Buffer.from(claims, 'base64url').toString()),
  ]).toEqual([
    { alg: 'ES256', kid: 'KEY1234567' },
    { iss: 'TEAM123456', iat: 1_800_000_000 },
  ]);
  expect(
    verify(
      'sha256',
      Buffer.from(`${head}.${claims}`),
      {
        key: createPublicKey(pair.publicKey.export({ type: 'spki', format: 'pem' })),
        dsaEncoding: 'ieee-p1363',
      },
      Buffer.from(signature, 'base64url'),
    ),
  ).toBe(true);
  await apns.send(target, note);
  expect(heard[1]!.headers.authorization).toBe(headers.authorization);
  clock += 51 * 60_000;
  await apns.send(target, note);
  expect(heard[2]!.headers.authorization).not.toBe(headers.authorization);
});

test('an unregistered device, a refusal and an unreachable service are distinguished', async () => {
  next = { status: 410, body: { reason: 'Unregistered' } };
  expect(await apns.send(target, note)).toEqual({ state: 'gone' });
  next = { status: 400, body: { reason: 'BadDeviceToken' } };
  expect(await apns.send(target, note)).toEqual({ state: 'gone' });
  next = { status: 403, body: { reason: 'InvalidProviderToken' } };
  expect(await apns.send(target, note)).toEqual({
    state: 'refused',
    reason: 'InvalidProviderToken',
  });
  next = { status: 503, body: { reason: 'ServiceUnavailable' } };
  expect(await apns.send(target, note)).toEqual({ state: 'away', reason: 'ServiceUnavailable' });
  expect(await apns.send({ ...target, environment: 'sandbox' }, note)).toMatchObject({
    state: 'away',
  });
});
