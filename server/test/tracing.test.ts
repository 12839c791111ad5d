/**
 * With tracing on, a collector in this process gets one trace from a carrier's webhook to a socket,
 * and nothing of what people wrote, are called or are reached at.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readAll } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { signatureHeader, signWebhook } from '../src/exchange/protocol.ts';
import { startTracing } from '../src/platform/tracing/otlp.ts';
import { currentTrace, inSpan, isTracing } from '../src/platform/tracing/spans.ts';
import { readSettings } from '../src/settings.ts';
import { createTestNumber } from './support/call-harness.ts';
import { openSocket } from './support/live-socket.ts';
import { createTestApp, type TestApp } from './support/test-app.ts';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  status: { code?: number };
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}

/** A collector that keeps what it gets. */
async function collect() {
  const bodies: string[] = [];
  const headers: unknown[] = [];
  const server: Server = createServer((request, response) => {
    void readAll(request).then((body) => {
      bodies.push(body);
      headers.push(request.headers.authorization);
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    bodies,
    headers,
    spans: () =>
      bodies.flatMap((body) =>
        (
          JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }
        ).resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
      ),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

const caller = '+12075550193';
const words = 'My lumpectomy is on Thursday';
let collector: Awaited<ReturnType<typeof collect>>;
let stop: () => Promise<void>;
let app: TestApp;
let address: string;
beforeAll(async () => {
  collector = await collect();
  stop = startTracing(
    { endpoint: collector.endpoint, headers: { authorization: 'Bearer abc' }, share: 1 },
    'test',
  );
  app = await createTestApp();
  address = await app.server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await stop();
  await collector.close();
});

async function textFromOutside(to: string): Promise<number> {
  const body = JSON.stringify({
    texts: [{ id: randomUUID(), from: caller, to, text: words, media: [], at: Date.now() }],
  });
  const answer = await fetch(
    `${address}/carriers/sandbox/texts?from=${encodeURIComponent(caller)}`,
    {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        [signatureHeader]: signWebhook(body, app.services.settings.mediaSecret),
      },
    },
  );
  return answer.status;
}

test('a text is one trace from the carrier’s webhook through database, outbox and jobs to a socket', async () => {
  const { company, owner } = await app.createCompany('Wilhelmina’s Bakery');
  const line = await createTestNumber(app, company.id);
  const socket = await openSocket(address, owner.token, [`private-conversations.${company.id}`]);
  onTestFinished(() => socket.close());
  await app.drainJobs();
  expect(await textFromOutside(line.number)).toBe(204);
  await socket.hears(({ channel }) => channel.startsWith('private-conversations.'));
  await app.drainJobs();

  const isOf = (name: RegExp) => (span: Span) => name.test(span.name);
  const webhook = () => collector.spans().find(isOf(/^POST \/carriers\/sandbox\/texts$/));
  await expect.poll(() => webhook()?.traceId).toBeTruthy();
  const ofTrace = () => collector.spans().filter(({ traceId }) => traceId === webhook()?.traceId);
  for (const name of [/^database$/, /^outbox /, /^job subscribers\.run$/, /^socket /])
    await expect.poll(() => ofTrace().some(isOf(name)), { message: String(name) }).toBe(true);
  // Each hangs from another one of the trace.
  const known = new Set(ofTrace().map(({ spanId }) => spanId));
  for (const { name, parentSpanId } of ofTrace())
    if (name !== webhook()?.name) expect(known, name).toContain(parentSpanId);
  const lanes = ofTrace().flatMap(({ attributes }) =>
    attributes.filter(({ key }) => key === 'trunkline.lane').map(({ value }) => value.stringValue),
  );
  expect(new Set(lanes)).toEqual(new Set(['webhooks', 'jobs']));
  expect(collector.headers).toContain('Bearer abc');
});

test('a request of a person says its lane and route; a refused one and its failure stay in its trace', async () => {
  const { company, owner } = await app.createCompany();
  const headers = { authorization: `Bearer ${owner.token}` };
  const url = `${address}/api/contacts?companyId=${company.id}&q=${encodeURIComponent(words)}`;
  expect((await fetch(url, { headers })).status).toBe(200);
  const found = () => collector.spans().find(({ name }) => name === 'GET /api/contacts');
  await expect.poll(() => found()?.attributes).toBeTruthy();
  expect(found()?.attributes).toContainEqual({
    key: 'http.response.status_code',
    value: { intValue: 200 },
  });
  const inside = collector.spans().filter(({ parentSpanId }) => parentSpanId === found()?.spanId);
  expect(inside.flatMap(({ attributes }) => attributes)).toContainEqual({
    key: 'trunkline.lane',
    value: { stringValue: 'lists' },
  });
  await expect(
    inSpan('failing', {}, () => Promise.reject(new Error(`${caller} said: ${words}`)), null),
  ).rejects.toThrow('said');
  const failed = () => collector.spans().find(({ name }) => name === 'failing');
  await expect.poll(() => failed()?.status.code).toBe(2);
});

test('nothing that was sent has personal data, a token or an address with what follows its path', async () => {
  const { company, owner } = await app.createCompany('Wilhelmina’s Bakery');
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${address}${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
  const email = 'wilhelmina@featherstonehaugh.test';
  expect((await post('/api/sanctum/login', { email, password: words })).status).toBe(422);
  await post('/api/client/forgot-password', { email });
  const created = await post(
    `/api/contacts?companyId=${company.id}`,
    { name: 'Wilhelmina', number: caller, email },
    { authorization: `Bearer ${owner.token}` },
  );
  expect(created.status).toBeLessThan(300);
  const stray = await post(`/carriers/sandbox/texts/${encodeURIComponent(caller)}`, {});
  expect(stray.status).toBe(404);
  await app.drainJobs();
  const isThere = (name: string) => collector.spans().some((span) => span.name === name);
  await expect.poll(() => isThere('POST /api/contacts')).toBe(true);
  await expect.poll(() => isThere('POST /api/sanctum/login')).toBe(true);
  const sent = collector.bodies.join('');
  for (const pattern of [
    ...[/207\D{0,3}555/, /lumpectomy/i, /wilhelmina/i, /[\w.]+@[a-z-]+\.test/i],
    ...[/\btl[arso]_/, /\?from=/, /\?companyId/],
  ])
    expect(sent).not.toMatch(pattern);
  const keys = new Set(
    collector.spans().flatMap(({ attributes }) => attributes.map(({ key }) => key)),
  );
  const allowed =
    /^(http\.(route|request\.method|response\.status_code)|trunkline\.(lane|access|job|queue|attempt|event|channel|request_id))$/;
  expect([...keys].filter((key) => !allowed.test(key))).toEqual([]);
});

test('a collector that is away fails nothing; off, nothing is kept with events and jobs', async () => {
  await stop();
  expect(isTracing()).toBe(false);
  const off = startTracing({ endpoint: 'http://127.0.0.1:9', headers: {}, share: 1 }, 'test');
  const { company } = await app.createCompany();
  const line = await createTestNumber(app, company.id);
  expect(await textFromOutside(line.number)).toBe(204);
  await off();
  stop = async () => {};
  await app.drainJobs();
  const { pool } = app.services.db;
  const tracesSince = async (seq: number) =>
    (
      await pool.query<{ trace: string | null }>(
        'select trace from outbox where company_id = $1 and seq > $2',
        [company.id, seq],
      )
    ).rows.map(({ trace }) => trace);
  const recorded = (await tracesSince(0)).filter((trace) => trace !== null);
  expect(recorded[0]).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-01$/);
  const { rows } = await pool.query<{ seq: number }>('select last_seq seq from outbox_cursor');
  expect(await textFromOutside(line.number)).toBe(204);
  await app.drainJobs();
  const later = await tracesSince(Number(rows[0]?.seq));
  expect(later.length).toBeGreaterThan(0);
  expect(later.filter((trace) => trace !== null)).toEqual([]);
  expect(currentTrace()).toBeNull();
});

test('it is off unless the operator turns it on, and takes part of the traces on request', () => {
  expect(readSettings({}).tracing).toBeNull();
  expect(
    readSettings({
      ...{ TRACING: '1', TRACING_SHARE: '0.25' },
      ...{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.test/otlp' },
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc,x-team=phones',
    }).tracing,
  ).toEqual({
    ...{ endpoint: 'https://collector.test/otlp', share: 0.25 },
    headers: { authorization: 'Bearer abc', 'x-team': 'phones' },
  });
  expect(() => readSettings({ TRACING_SHARE: '2' })).toThrow('must be at most 1');
});
