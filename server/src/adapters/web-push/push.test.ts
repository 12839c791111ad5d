import { createECDH, createHash, createPublicKey, randomBytes, verify } from 'node:crypto';
import ece from 'http_ece';
import { expect, test } from 'vitest';
import type { HttpClient } from '../../platform/http-client/http-client.ts';
import { vapidKeys, webPush } from './push.ts';

const keys = vapidKeys(Buffer.alloc(32, 7));
const earlier = vapidKeys(Buffer.alloc(32, 6));
const browser = createECDH('prime256v1');
browser.generateKeys();
const auth = randomBytes(16);
const target = {
  personId: 1,
  kind: 'web' as const,
  deviceId: 'fcm.googleapis.com',
  token: 'https://fcm.googleapis.com/fcm/send/abc',
  bundleId: null,
  environment: null,
  keys: { p256dh: browser.getPublicKey('base64url'), auth: auth.toString('base64url') },
};
const note = {
  kind: 'news' as const,
  title: 'Dana Reed',
  body: 'Can I come at noon?',
  url: '/inbox/9',
  tag: 'conversation-9',
  data: { conversationId: 9 },
  ttlSeconds: 86_400,
};
const answering = (...statuses: number[]) => {
  const heard: { url: string; headers: Record<string, string>; body: Buffer }[] = [];
  const client: Pick<HttpClient, 'request'> = {
    request: async (url, { headers = {}, body } = {}) => {
      heard.push({ url, headers, body: Buffer.isBuffer(body) ? body : Buffer.alloc(0) });
      const status = statuses[Math.min(heard.length, statuses.length) - 1] ?? 0;
      return { status, url, headers: {}, body: Buffer.alloc(0) };
    },
  };
  return { heard, send: webPush([keys, earlier], 'mailto:help@example.test', client) };
};

test('the browser, and only the browser, can read the note; the push service can check who sent it', async () => {
  const { heard, send } = answering(201);
  expect(await send(target, note)).toEqual({ state: 'sent' });
  const { url, headers, body } = heard[0]!;
  expect(url).toBe(target.token);
  const plain = ece.decrypt(body, {
    version: 'aes128gcm',
    privateKey: browser,
    authSecret: target.keys.auth,
  });
  expect(JSON.parse(plain.toString())).toEqual({
    kind: 'news',
    title: 'Dana Reed',
    body: 'Can I come at noon?',
    url: '/inbox/9',
    tag: 'conversation-9',
    data: { conversationId: 9 },
  });
  const [, token, key] = /^vapid t=([^,]+), k=(.+)$/.exec(headers['Authorization']!)!;
  expect(key).toBe(keys.publicKey);
  const [head, claims, signature] = token!.split('.') as [string, string, string];
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({
    aud: 'https://fcm.googleapis.com',
    sub: 'mailto:help@example.test',
  });
  const point = Buffer.from(keys.publicKey, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  expect(
    verify(
      'sha256',
      Buffer.from(`${head}.${claims}`),
      { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    ),
  ).toBe(true);
  expect(headers['TTL']).toBe('86400');
});

test('every process of an installation has the same keys; another installation has others', () => {
  expect(vapidKeys(Buffer.alloc(32, 7))).toEqual(keys);
  expect(vapidKeys(createHash('sha256').update('other').digest()).publicKey).not.toBe(
    keys.publicKey,
  );
});

test('a browser that is no more is forgotten; a service that is away is tried again', async () => {
  expect(await answering(410).send(target, note)).toEqual({ state: 'gone' });
  expect(await answering(503).send(target, note)).toMatchObject({ state: 'away' });
  expect(await answering(400).send(target, note)).toMatchObject({ state: 'refused' });
  expect(await answering(302).send(target, note)).toMatchObject({ state: 'refused' });
});

test('a browser that subscribed under an earlier secret is reached with its key', async () => {
  const { heard, send } = answering(403, 201);
  expect(await send(target, note)).toEqual({ state: 'sent' });
  const keysUsed = heard.map(({ headers }) => headers['Authorization']!.split('k=')[1]);
  expect(keysUsed).toEqual([keys.publicKey, earlier.publicKey]);
});
