import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { publicPageReader } from './read-page.ts';

test('loopback in any spelling is refused before anything is asked', async () => {
  const pages = publicPageReader();
  for (const url of [
    'http://127.0.0.1',
    'http://127.1',
    'http://2130706433',
    'http://0x7f000001',
    'http://0177.0.0.1',
    'http://[::1]',
    'http://[::ffff:127.0.0.1]',
    'http://localhost',
    'http://169.254.169.254/latest/meta-data',
  ])
    expect(await pages.fetchPage(url), url).toMatchObject({
      ok: false,
      why: expect.stringMatching(/private_address|unreachable/),
    });
  for (const url of [
    'ftp://example.com',
    'file:///etc/passwd',
    'http://user:secret@example.com',
    'http://example.com:22',
    'javascript:alert(1)',
    'nonsense',
  ])
    expect(await pages.fetchPage(url), url).toEqual({
      ok: false,
      why: 'not_web',
      simulated: false,
    });
});

const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});
const listening = (answer: Parameters<typeof createServer>[1]): Promise<string> =>
  new Promise((resolve) => {
    const server = createServer(answer!).listen(0, '127.0.0.1', () =>
      resolve(String((server.address() as AddressInfo).port)),
    );
    servers.push(server);
  });

test('redirects are looked at like the first address; a page is cut at half a megabyte', async () => {
  const seen: string[] = [];
  const port = await listening((request, reply) => {
    seen.push(`${request.headers.host}${request.url}`);
    if (request.url === '/inside')
      reply.writeHead(302, { location: 'http://inside.example/secret' }).end();
    else if (request.url === '/round') reply.writeHead(302, { location: '/round' }).end();
    else if (request.url === '/big') reply.end('x'.repeat(3_000_000));
    else if (request.url === '/on') reply.writeHead(301, { location: '/page' }).end();
    else reply.end('hello');
  });
  // Here this machine plays the open internet, and one name of it leads inside.
  const pages = publicPageReader({
    resolve: async (host) =>
      host === 'inside.example'
        ? ['10.0.0.7']
        : host === 'both.example'
          ? ['127.0.0.1', '10.0.0.7']
          : ['127.0.0.1'],
    isPublic: (ip) => ip === '127.0.0.1',
    ports: ['', port],
  });
  expect(await pages.fetchPage(`http://open.example:${port}/page`)).toEqual({
    ok: true,
    status: 200,
    url: `http://open.example:${port}/page`,
    headers: expect.anything(),
    text: 'hello',
    simulated: false,
  });
  expect(await pages.fetchPage(`http://open.example:${port}/on`)).toMatchObject({
    ok: true,
    url: `http://open.example:${port}/page`,
    text: 'hello',
  });
  expect(await pages.fetchPage(`http://open.example:${port}/inside`)).toMatchObject({
    ok: false,
    why: 'private_address',
  });
  expect(await pages.fetchPage(`http://both.example:${port}/page`)).toMatchObject({
    ok: false,
    why: 'private_address',
  });
  expect(await pages.fetchPage(`http://open.example:${port}/round`)).toMatchObject({
    ok: false,
    why: 'too_many_redirects',
  });
  const big = await pages.fetchPage(`http://open.example:${port}/big`);
  expect(big.ok && big.text.length < 700_000).toBe(true);
  expect(seen[0]).toBe(`open.example:${port}/page`);
});
