import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../../../test/support/test-database.ts';
import { openDb } from '../../platform/db.ts';
import { createDiskStore, createFileStore } from '../../platform/files.ts';
import { createLogger } from '../../platform/log.ts';
import { readSettings } from '../../settings.ts';
import { InvalidSettingsError } from '../../platform/settings.ts';
import type { WebhookRequest, CarrierEventSink } from '../../gateways/carrier.ts';
import type { PortReport } from '../../gateways/porting.ts';
import type { OutgoingText } from '../../gateways/messaging.ts';
import { startBandwidthMock } from '../../../test/support/bandwidth-mock.ts';
import { bandwidthCarrier } from './carrier.ts';
import { webhookKeyOf } from './client.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'trunkline-test-'));
const databaseUrl = await createTestDatabase();
const db = openDb(databaseUrl, createLogger('silent', 'test'));
const bandwidth = await startBandwidthMock();
const env = {
  CARRIER: 'bandwidth',
  BANDWIDTH_ACCOUNT_ID: '9900000',
  BANDWIDTH_USERNAME: 'api',
  BANDWIDTH_PASSWORD: 'secret',
  BANDWIDTH_MESSAGING_APPLICATION_ID: '93de2206-9669-4e07-948d-329f4b722ee2',
  BANDWIDTH_SITE_ID: '2297',
  BANDWIDTH_PEER_ID: '500709',
  BANDWIDTH_WEBHOOK_USERNAME: 'reports',
  BANDWIDTH_WEBHOOK_PASSWORD: 'hush',
  BANDWIDTH_ADDRESSES: '192.0.2.0/24',
  BANDWIDTH_API_URL: bandwidth.url,
  DATA_DIR: dataDir,
  DATABASE_URL: databaseUrl,
};
const settings = readSettings(env);
const carrier = bandwidthCarrier({
  settings,
  db,
  files: createFileStore(settings, createDiskStore(join(dataDir, 'files'))),
  log: createLogger('silent', 'test'),
  now: () => new Date(),
});
const [messaging, numbers] = [carrier.messaging!, carrier.numbers!];
afterAll(async () => {
  await carrier.close?.();
  await bandwidth.close();
  await db.close();
  rmSync(dataDir, { recursive: true });
});
beforeEach(() => {
  bandwidth.state.messaging = null;
  bandwidth.asked.length = 0;
});

const us = '+19195550140',
  them = '+12125550147';
const aText = (more: Partial<OutgoingText> = {}): OutgoingText => ({
  from: us,
  to: them,
  text: 'Noon is fine.',
  media: [],
  key: randomUUID(),
  ...more,
});
const heard = () => {
  const all = {
    texts: [] as unknown[],
    receipts: [] as unknown[],
    registrations: [] as string[],
    ports: [] as PortReport[],
  };
  const sink: CarrierEventSink = {
    onVoiceEvents: async () => ({ performed: Promise.resolve() }),
    onTexts: async (t) => {
      all.texts.push(...t);
    },
    onDeliveryReports: async (r) => {
      all.receipts.push(...r);
    },
    onRegistrationChanges: async (r) => {
      all.registrations.push(...r);
    },
    onPortReports: async (r) => {
      all.ports.push(...r);
    },
  };
  return { ...all, hear: sink };
};
const report = (body: unknown, change: Partial<WebhookRequest> = {}): WebhookRequest => ({
  method: 'POST',
  url: '',
  path: '',
  query: new URLSearchParams(),
  params: { key: webhookKeyOf(settings.appSecret.toString('hex')) },
  ip: '192.0.2.7',
  headers: { authorization: `Basic ${Buffer.from('reports:hush').toString('base64')}` },
  body: Buffer.from(JSON.stringify(body)),
  ...change,
});
const hook = carrier.webhooks![0]!;

describe('settings', () => {
  test('CARRIER=bandwidth names everything that is missing', () => {
    expect(() => readSettings({ CARRIER: 'bandwidth', DATA_DIR: env.DATA_DIR })).toThrow(
      InvalidSettingsError,
    );
    expect(() => readSettings({ CARRIER: 'bandwidth', DATA_DIR: env.DATA_DIR })).toThrow(
      /BANDWIDTH_ACCOUNT_ID.*BANDWIDTH_PEER_ID/,
    );
  });
});

describe('texts out', () => {
  test('a text with a picture is what Bandwidth’s document asks for, with our key as its tag', async () => {
    const text = aText({
      media: [
        {
          url: 'https://phones.example.com/api/files/1?signature=x',
          contentType: 'image/png',
          bytes: 100,
        },
      ],
    });
    expect(await messaging.send(text)).toMatchObject({
      state: 'accepted',
      providerId: expect.any(String),
    });
    const [asked] = bandwidth.asked;
    expect(asked).toMatchObject({
      method: 'POST',
      path: '/messaging/users/9900000/messages',
      authorization: `Basic ${Buffer.from('api:secret').toString('base64')}`,
    });
    expect(JSON.parse(asked!.body)).toEqual({
      applicationId: env.BANDWIDTH_MESSAGING_APPLICATION_ID,
      to: [them],
      from: us,
      text: 'Noon is fine.',
      media: [text.media[0]!.url],
      tag: text.key,
    });
  });
  test('a request the document does not allow is refused by it, so this test can fail', async () => {
    expect(await messaging.send(aText({ text: 'x'.repeat(2049) }))).toMatchObject({
      state: 'refused',
    });
  });
  test('the same key asks once', async () => {
    const text = aText();
    const first = await messaging.send(text);
    expect(await messaging.send(text)).toEqual(first);
    expect(bandwidth.asked).toHaveLength(1);
  });
  test('a lost answer is unknown, and is never sent again', async () => {
    bandwidth.state.messaging = 'hangUp';
    const text = aText({ from: '+19195550141' });
    expect(await messaging.send(text)).toMatchObject({ state: 'unknown' });
    bandwidth.state.messaging = null;
    expect(await messaging.send(text)).toMatchObject({ state: 'unknown' });
    expect(bandwidth.asked.filter((a) => a.method === 'POST')).toHaveLength(1);
    bandwidth.state.messaging = {
      status: 200,
      body: {
        totalCount: 1,
        messages: [
          {
            messageId: 'm-lost',
            messageStatus: 'DELIVERED',
            sourceTn: text.from,
            destinationTn: them,
          },
        ],
      },
    };
    expect(await messaging.findByKey(text.key)).toEqual({
      providerId: 'm-lost',
      state: 'delivered',
    });
    expect(await messaging.send(text)).toEqual({ state: 'accepted', providerId: 'm-lost' });
  });
  test('two messages that may be the lost one are neither', async () => {
    bandwidth.state.messaging = 'hangUp';
    const text = aText({ from: '+19195550142' });
    await messaging.send(text);
    const row = (messageId: string) => ({
      messageId,
      messageStatus: 'SENT',
      sourceTn: text.from,
      destinationTn: them,
    });
    bandwidth.state.messaging = {
      status: 200,
      body: { totalCount: 2, messages: [row('m-1'), row('m-2')] },
    };
    expect(await messaging.findByKey(text.key)).toBeNull();
  });
  test('too many requests may be tried again; a text Bandwidth refuses may not', async () => {
    bandwidth.state.messaging = {
      status: 429,
      body: { type: 'too-many-requests', description: 'slow down' },
    };
    expect(await messaging.send(aText())).toMatchObject({
      state: 'refused',
      code: 'carrier_busy',
      permanent: false,
    });
    bandwidth.state.messaging = {
      status: 400,
      body: { type: 'request-validation', description: 'no such number' },
    };
    expect(await messaging.send(aText())).toMatchObject({
      state: 'refused',
      permanent: true,
      reason: 'Bandwidth rejected this text: no such number.',
    });
    bandwidth.state.messaging = {
      status: 401,
      body: { type: 'unauthorized', description: 'Authentication Failed' },
    };
    expect(await messaging.send(aText())).toMatchObject({
      state: 'refused',
      code: 'account',
      permanent: false,
      reason:
        'Bandwidth rejected our credentials. An operator must correct them in the server’s settings.',
    });
    bandwidth.state.messaging = { status: 500, body: {} };
    expect(await messaging.send(aText())).toMatchObject({ state: 'unknown' });
  });
});

describe('reports', () => {
  const received = {
    type: 'message-received',
    time: '2026-11-21T18:20:16.000Z',
    description: 'Incoming message received',
    to: us,
    message: {
      id: 'in-1',
      time: '2026-11-21T18:20:16.000Z',
      to: [us, '+19195550999'],
      from: them,
      owner: us,
      text: 'Hello',
      applicationId: 'a',
      media: [
        'https://messaging.bandwidth.com/api/v2/users/9900000/media/14762070468292kw2fuqty55yp2b2/0/bw.png',
        'https://messaging.bandwidth.com/api/v2/users/9900000/media/x/0/0.smil',
      ],
      direction: 'in',
      segmentCount: 1,
    },
  };

  test('an array of events becomes texts and receipts; a receipt finds its text by the tag', async () => {
    const all = heard();
    const failed = {
      type: 'message-failed',
      time: '2026-11-21T18:20:17.000Z',
      description: 'rejected',
      errorCode: 4470,
      to: them,
      message: { id: 'out-1', tag: 'key-1', from: us, to: [them], direction: 'out' },
    };
    const delivered = {
      type: 'message-delivered',
      time: '2026-11-21T18:20:18.000Z',
      to: them,
      message: { id: 'out-2', tag: 'key-2', from: us, to: [them], direction: 'out' },
    };
    expect(await hook.handle(report([received, failed, delivered]), all.hear)).toEqual({
      status: 204,
    });
    expect(all.texts).toMatchObject([
      { id: 'in-1', from: them, to: us, text: 'Hello', media: [{ name: 'bw.png' }] },
    ]);
    expect(all.receipts).toMatchObject([
      { id: 'out-1:failed', key: 'key-1', state: 'failed', code: 'blocked' },
      { id: 'out-2:delivered', key: 'key-2', state: 'delivered', code: null },
    ]);
  });
  test.each([
    ['a wrong address', { params: { key: 'x'.repeat(32) } }],
    [
      'a wrong password',
      { headers: { authorization: `Basic ${Buffer.from('reports:wrong').toString('base64')}` } },
    ],
    ['no password', { headers: {} }],
    ['another network', { ip: '198.51.100.9' }],
  ])('%s is 403 and nothing is heard', async (_, change) => {
    const all = heard();
    expect(
      await hook.handle(report([received], change as Partial<WebhookRequest>), all.hear),
    ).toEqual({ status: 403 });
    expect(all.texts).toEqual([]);
  });
  test('what is not an array of events is 400', async () => {
    expect(await hook.handle(report({ type: 'x' }), heard().hear)).toEqual({ status: 400 });
    expect(await hook.handle(report(null, { body: Buffer.from('{') }), heard().hear)).toEqual({
      status: 400,
    });
  });
  test('our credentials go to Bandwidth only', async () => {
    expect(await messaging.fetchMedia('https://elsewhere.example.com/picture.png')).toBeNull();
  });
});

describe('numbers through the Dashboard', () => {
  beforeEach(() => {
    bandwidth.state.numbers = ['9195552201', '9195557827', '9845552203'];
  });
  const query = { country: 'US', category: 2 as const, match: 'Contains' as const, limit: 5 };
  test('numbers are found by area code and by letters', async () => {
    expect((await numbers.search({ ...query, areaCode: '919' })).map((n) => n.number)).toEqual([
      '+19195552201',
      '+19195557827',
    ]);
    expect(await numbers.search({ ...query, areaCode: '919', pattern: 'STAR' })).toMatchObject([
      { number: '+19195557827', providerId: 4, region: 'NC', monthlyCents: 35 },
    ]);
    expect(await numbers.search({ ...query, category: 3 })).toEqual([]);
  });
  test('an order waits until it is complete; ordering again with the same key is the same order', async () => {
    const key = randomUUID();
    const first = await numbers.order('+19195552201', key);
    expect(first).toMatchObject({
      state: 'ordered',
      found: { number: '+19195552201', providerId: 4 },
    });
    expect(await numbers.order('+19195552201', key)).toEqual(first);
    expect(
      bandwidth.asked.filter((a) => a.method === 'POST' && a.path.endsWith('/orders')),
    ).toHaveLength(1);
    expect(await numbers.order('+19195552201', randomUUID())).toEqual({ state: 'taken' });
  });
  test('an order whose answer was lost is found again by our key and not made twice', async () => {
    const key = randomUUID();
    bandwidth.state.hangUpOnOrder = true;
    await expect(numbers.order('+19845552203', key)).rejects.toThrow();
    expect(await numbers.order('+19845552203', key)).toMatchObject({ state: 'ordered' });
    expect(
      bandwidth.asked.filter((a) => a.method === 'POST' && a.path.endsWith('/orders')),
    ).toHaveLength(1);
  });
  test('a number of another customer is taken', async () => {
    expect(await numbers.order('+19195559999', randomUUID())).toEqual({ state: 'taken' });
  });
  test('giving back twice is giving back once', async () => {
    await numbers.order('+19195557827', randomUUID());
    await numbers.release('+19195557827');
    expect(bandwidth.state.ours.has('9195557827')).toBe(false);
    await numbers.release('+19195557827');
  });
});
