import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { telnyxFax } from './fax.ts';

const pair = generateKeyPairSync('ed25519');
const publicKey = pair.publicKey
  .export({ type: 'spki', format: 'der' })
  .subarray(-32)
  .toString('base64');
const heard: { method: string; url: string; authorization: string | undefined; body: string }[] =
  [];
let next: { status: number; body: unknown } = { status: 202, body: {} };
const server = createServer((request, response) => {
  let body = '';
  request
    .on('data', (c: Buffer) => {
      body += c.toString();
    })
    .on('end', () => {
      heard.push({
        method: request.method!,
        url: request.url!,
        authorization: request.headers.authorization,
        body,
      });
      response
        .writeHead(next.status)
        .end(Buffer.isBuffer(next.body) ? next.body : JSON.stringify(next.body));
    });
});
await new Promise<void>((resolve) => {
  server.listen(0, '127.0.0.1', resolve);
});
afterAll(() => {
  server.close();
});
const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
const at = 1_800_000_000;
const carrier = telnyxFax({
  apiKey: 'KEY1',
  publicKey,
  faxAppId: '129',
  url,
  mediaHosts: /^127\.0\.0\.1$/,
});
const fax = {
  from: '+14155552368',
  to: '+12125550147',
  key: 'f.1.77.1',
  document: {
    url: 'https://phones.example.com/api/files/7?x',
    contentType: 'application/pdf' as const,
    pages: 2,
    bytes: async () => Buffer.alloc(0),
  },
};
const webhook = (event_type: string, payload: object, sealedAt = at) => {
  const raw = Buffer.from(
    JSON.stringify({
      data: {
        record_type: 'event',
        id: 'e1',
        event_type,
        occurred_at: '2027-01-15T08:00:00.000Z',
        payload,
      },
    }),
  );
  return {
    raw,
    headers: {
      'telnyx-timestamp': String(sealedAt),
      'telnyx-signature-ed25519': sign(
        null,
        Buffer.concat([Buffer.from(`${sealedAt}|`), raw]),
        pair.privateKey,
      ).toString('base64'),
    },
  };
};

test('a fax is asked for as the reference says; the answers mean accepted, refused, later and unknown', async () => {
  next = { status: 202, body: { data: { id: '0ccc7b54', status: 'queued' } } };
  expect(await carrier.send(fax)).toEqual({ state: 'accepted', providerId: '0ccc7b54' });
  expect(heard[0]).toMatchObject({
    method: 'POST',
    url: '/v2/faxes',
    authorization: 'Bearer KEY1',
  });
  expect(JSON.parse(heard[0]!.body)).toMatchObject({
    connection_id: '129',
    to: fax.to,
    from: fax.from,
    media_url: fax.document.url,
    client_state: Buffer.from('f.1.77.1').toString('base64'),
  });
  next = { status: 422, body: { errors: [] } };
  expect(await carrier.send(fax)).toEqual({ state: 'refused', code: 'rejected', permanent: true });
  next = { status: 429, body: {} };
  expect(await carrier.send(fax)).toMatchObject({ state: 'refused', permanent: false });
  next = { status: 502, body: {} };
  expect(await carrier.send(fax)).toEqual({ state: 'unknown' });
  next = {
    status: 200,
    body: { data: { id: '0ccc7b54', status: 'failed', failure_reason: 'user_busy' } },
  };
  expect(await carrier.findFax({ key: fax.key, providerId: '0ccc7b54' })).toEqual({
    providerId: '0ccc7b54',
    state: 'failed',
    code: 'busy',
  });
});

test('webhooks are believed only with the account’s signature, over the bytes as they came, and only while fresh', () => {
  const said = webhook('fax.delivered', {
    fax_id: '0ccc7b54',
    direction: 'outbound',
    status: 'delivered',
    from: fax.from,
    to: fax.to,
    page_count: 2,
    client_state: Buffer.from('f.1.77.1').toString('base64'),
  });
  expect(carrier.parseWebhook(said.raw, said.headers, at * 1000)).toEqual({
    faxes: [],
    reports: [
      {
        providerId: '0ccc7b54',
        key: 'f.1.77.1',
        state: 'delivered',
        code: null,
        at: Date.parse('2027-01-15T08:00:00.000Z'),
      },
    ],
  });
  expect(
    carrier.parseWebhook(Buffer.concat([said.raw, Buffer.from(' ')]), said.headers, at * 1000),
  ).toBeNull();
  expect(carrier.parseWebhook(said.raw, {}, at * 1000)).toBeNull();
  expect(
    carrier.parseWebhook(
      said.raw,
      { ...said.headers, 'telnyx-timestamp': String(at + 1) },
      at * 1000,
    ),
  ).toBeNull();
  const old = webhook('fax.delivered', { fax_id: 'x' }, at - 301);
  expect(carrier.parseWebhook(old.raw, old.headers, at * 1000)).toBeNull();
});

test('a failure has our word, a fax that arrives its address; other events and other shapes are quiet', () => {
  const failed = webhook('fax.failed', {
    fax_id: 'a',
    direction: 'outbound',
    failure_reason: 'receiver_call_dropped',
  });
  expect(carrier.parseWebhook(failed.raw, failed.headers, at * 1000)!.reports).toMatchObject([
    { state: 'failed', code: 'line_trouble', key: null },
  ]);
  const arrived = webhook('fax.received', {
    fax_id: 'b',
    direction: 'inbound',
    from: '+12125550147',
    to: '+14155552368',
    page_count: 3,
    media_url: 'https://media.telnyx.com/b.pdf',
  });
  expect(carrier.parseWebhook(arrived.raw, arrived.headers, at * 1000)!.faxes).toMatchObject([
    { id: 'b', pages: 3, url: 'https://media.telnyx.com/b.pdf' },
  ]);
  const receiving = webhook('fax.receiving.started', {
    fax_id: 'b',
    direction: 'inbound',
    to: '+14155552368',
  });
  expect(carrier.parseWebhook(receiving.raw, receiving.headers, at * 1000)).toEqual({
    faxes: [],
    reports: [],
  });
  const odd = webhook('fax.x', []);
  expect(carrier.parseWebhook(odd.raw, odd.headers, at * 1000)).toEqual({ faxes: [], reports: [] });
});

test('documents are fetched from Telnyx’s own hosts only; an expired link is distinguished from an unreachable host', async () => {
  next = { status: 200, body: Buffer.from('%PDF-1.4') };
  expect((await carrier.fetchDocument(`${url}/b.pdf`))!.toString()).toBe('%PDF-1.4');
  next = { status: 403, body: {} };
  expect(await carrier.fetchDocument(`${url}/b.pdf`)).toBeNull();
  next = { status: 503, body: {} };
  await expect(carrier.fetchDocument(`${url}/b.pdf`)).rejects.toThrow('503');
  const strict = telnyxFax({ apiKey: 'k', publicKey, faxAppId: '1' });
  for (const bad of [
    'http://media.telnyx.com/x',
    'https://169.254.169.254/latest',
    'https://telnyx.com.evil.test/x',
    'file:///etc/passwd',
  ])
    expect(await strict.fetchDocument(bad), bad).toBeNull();
});
