import { createServer, type IncomingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from 's3rver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { PublicInternet } from '../../platform/http-client/public-connector.ts';
import { publicSinks } from './deliver.ts';

const folder = mkdtempSync(join(tmpdir(), 'trunkline-sinks-'));
const s3 = new S3rver({
  port: 0,
  address: '127.0.0.1',
  silent: true,
  directory: folder,
  configureBuckets: [{ name: 'logs', configs: [] }],
});
const taken: { headers: IncomingHttpHeaders; body: string }[] = [];
const receiver = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk: Buffer) => (body += chunk.toString()));
  request.on('end', () => {
    taken.push({ headers: request.headers, body });
    const status = Number(/\d{3}$/.exec(request.url ?? '')?.[0] ?? 204);
    response.writeHead(status, { location: 'http://127.0.0.1/elsewhere' }).end();
  });
});
let [s3Port, port] = ['', ''];
beforeAll(async () => {
  s3Port = String(((await s3.run()) as AddressInfo).port);
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  port = String((receiver.address() as AddressInfo).port);
});
afterAll(async () => {
  receiver.close();
  await s3.close();
  rmSync(folder, { recursive: true, force: true });
});
/** An internet in which every name leads to this machine, which counts as public or not. */
const internet = (isPublic: boolean): PublicInternet => ({
  resolve: () => Promise.resolve(['127.0.0.1']),
  isPublic: () => isPublic,
  ports: ['', s3Port, port],
});
const bucket = (endpoint: string) => ({
  ...{ bucket: 'logs', region: 'us-east-1', endpoint },
  ...{ accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
});
const privately = 'The address isn’t on the public internet.';

test('a webhook gets body and headers; what it answers beside 2xx is a failure, also a redirect', async () => {
  const sinks = publicSinks(internet(true));
  const url = (path: string) => `http://logs.example:${port}/${path}`;
  expect(await sinks.post(url('in'), { 'webhook-id': '1-1-2' }, '{"a":1}')).toEqual({ ok: true });
  expect(taken.at(-1)).toMatchObject({ headers: { 'webhook-id': '1-1-2' }, body: '{"a":1}' });
  for (const status of [302, 404, 503])
    expect(await sinks.post(url(String(status)), {}, '{}')).toEqual({
      ok: false,
      error: `The receiver answered with status ${status}.`,
    });
});

test('an object is written to the bucket, and refused access says so', async () => {
  const sinks = publicSinks(internet(true));
  const place = bucket(`http://localhost:${s3Port}`);
  expect(await sinks.put(place, 'audit/1.jsonl', '{"a":1}\n')).toEqual({ ok: true });
  const file =
    readdirSync(join(folder, 'logs/audit')).find((name) => name.includes('_object')) ?? '';
  expect(readFileSync(join(folder, 'logs/audit', file), 'utf8')).toBe('{"a":1}\n');
  expect(await sinks.put({ ...place, bucket: 'missing' }, 'x', '')).toMatchObject({
    ok: false,
    error: expect.stringContaining('status 404'),
  });
});

test('nothing of our own network is reached, by name or by address', async () => {
  const sinks = publicSinks(internet(false));
  const before = taken.length;
  for (const host of ['logs.example', '127.0.0.1', '[::1]']) {
    expect(await sinks.post(`http://${host}:${port}/in`, {}, '{}')).toEqual({
      ok: false,
      error: privately,
    });
    expect(await sinks.put(bucket(`http://${host}:${s3Port}`), 'k', 'x')).toEqual({
      ok: false,
      error: privately,
    });
  }
  expect(taken).toHaveLength(before);
});
