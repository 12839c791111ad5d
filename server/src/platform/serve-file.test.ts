import { expect, it } from 'vitest';
import { createTestApp } from '../../test/support/test-app.ts';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemCtx } from './context.ts';
import { openapi } from './openapi.ts';

const app = await createTestApp();

async function aFile(contentType: string, text: string, name = 'note — one.txt') {
  const { company } = await app.createCompany();
  const id = await systemCtx(app.services, company.id, app.notifier).transaction((t) =>
    t.files.save(
      t.tx,
      company.id,
      { name, contentType, bytes: Buffer.from(text), purpose: 'message' },
      t.now,
    ),
  );
  return {
    company,
    url: app.services.files.signUrl(
      company.id,
      Number(typeof id === 'object' ? (id as { id: number }).id : id),
      app.clock.value,
    ),
  };
}
const get = (url: string, headers: Record<string, string> = {}) =>
  app.server.inject({ method: 'GET', url, headers });

it('a signed URL serves the bytes, whole or in part, without a session, and as a download when requested', async () => {
  const { url } = await aFile('application/pdf', '0123456789');
  const whole = await get(url);
  expect([
    whole.statusCode,
    whole.body,
    whole.headers['content-type'],
    whole.headers['content-disposition'],
  ]).toEqual([
    200,
    '0123456789',
    'application/pdf',
    "inline; filename*=UTF-8''note%20%E2%80%94%20one.txt",
  ]);
  expect((await get(`${url}&download=1`)).headers['content-disposition']).toMatch(/^attachment/);
  for (const [range, body, said] of [
    ['bytes=2-4', '234', 'bytes 2-4/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
  ] as const) {
    const part = await get(url, { range });
    expect([part.statusCode, part.body, part.headers['content-range']]).toEqual([206, body, said]);
  }
  expect((await get(url, { range: 'bytes=50-60' })).statusCode).toBe(416);
  expect((await app.server.inject({ method: 'HEAD', url })).headers['content-length']).toBe('10');
});

it('the bytes of a signed URL are never compressed', async () => {
  const { url } = await aFile('text/plain', 'again and '.repeat(1000));
  const answer = await get(url, { 'accept-encoding': 'br, gzip' });
  expect([answer.headers['content-encoding'], answer.headers['content-length']]).toEqual([
    undefined,
    '10000',
  ]);
});

it('a file type that could run scripts is never shown inline', async () => {
  const page = await get((await aFile('text/html', '<script>1</script>')).url);
  expect([
    page.headers['content-disposition']?.toString().split(';')[0],
    page.headers['x-content-type-options'],
    page.headers['content-security-policy'],
  ]).toEqual(['attachment', 'nosniff', "default-src 'none'; sandbox"]);
});

it('a URL that was changed, expired, unsigned or of another company is refused in the documented shape', async () => {
  const [{ url }, other] = [await aFile('text/plain', 'mine'), await aFile('text/plain', 'theirs')];
  const wrong = [
    url.replace(/signature=./, 'signature=~'),
    url.replace(/company=\d+/, `company=${other.company.id}`),
    url.replace(/expires=\d+/, 'expires=9999999999'),
    url.split('?')[0]!,
    `${url.split('?')[0]}?company=x&expires=1e99&signature=`,
  ];
  for (const address of wrong)
    expect([(await get(address)).statusCode, (await get(address)).json()]).toMatchObject([
      403,
      {
        code: 'link.expired',
        message: 'Link expired. Please log in.',
        request_id: expect.any(String),
      },
    ]);
  expect((await get('/api/files/nothing?company=1')).statusCode).toBe(404);
  app.clock.advance(16 * 60 + 60);
  expect((await get(url)).statusCode).toBe(403);
});

it('bytes that this process does not have get a clear error, whole and in part', async () => {
  const { url } = await aFile('audio/wav', 'a recording on another machine');
  rmSync(join(app.services.settings.dataDir, 'files'), { recursive: true });
  for (const headers of [{}, { range: 'bytes=2-4' }]) {
    const answer = await get(url, headers);
    expect([answer.statusCode, answer.json()]).toMatchObject([
      404,
      { code: 'file.not_here', message: 'This file isn’t stored on this server.' },
    ]);
    expect([answer.headers['content-length'], answer.headers['content-disposition']]).toEqual([
      String(answer.rawPayload.length),
      undefined,
    ]);
  }
});

it('is documented in the OpenAPI document as bytes, whole and in part', () => {
  const said = (
    openapi('https://phones.example') as {
      paths: Record<string, Record<string, { responses: Record<string, { content?: object }> }>>;
    }
  ).paths['/api/files/{id}']!['get']!;
  expect(Object.keys(said.responses)).toEqual(expect.arrayContaining(['200', '206', '403', '416']));
  expect(said.responses['200']!.content).toEqual({
    '*/*': { schema: { type: 'string', format: 'binary' } },
  });
});
