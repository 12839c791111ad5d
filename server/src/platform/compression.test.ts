import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { createTestApp } from '../../test/support/test-app.ts';

const app = await createTestApp();

const get = (url: string, encoding?: string) =>
  app.server.inject({
    method: 'GET',
    url,
    headers: encoding ? { 'accept-encoding': encoding } : {},
  });

describe('response compression', () => {
  test('the OpenAPI document is sent as brotli, gzip or plain, as the client accepts', async () => {
    const plain = await get('/api/openapi.json');
    expect(plain.headers['content-encoding']).toBeUndefined();
    const brotli = await get('/api/openapi.json', 'gzip, deflate, br');
    expect(brotli.headers).toMatchObject({
      'content-encoding': 'br',
      vary: expect.stringMatching(/accept-encoding/i),
    });
    expect(brotli.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4);
    const gzip = await get('/api/openapi.json', 'gzip');
    expect(gzip.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(gzip.rawPayload).equals(plain.rawPayload)).toBe(true);
  });

  test('a short response is not compressed', async () => {
    expect((await get('/livez', 'br')).headers['content-encoding']).toBeUndefined();
  });

  test('a compressed request body is not unpacked', async () => {
    const answer = await app.server.inject({
      method: 'POST',
      url: '/api/sanctum/login',
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      payload: Buffer.from('1f8b', 'hex'),
    });
    expect(answer.statusCode).toBeGreaterThanOrEqual(400);
    expect(answer.statusCode).toBeLessThan(500);
  });
});
