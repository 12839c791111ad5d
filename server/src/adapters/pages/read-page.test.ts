import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { isPublicAddress } from './public-address.ts';
import { publicPageReader } from './read-page.ts';

test('addresses inside are closed, however they are written', () => {
  for (const ip of [
    '127.0.0.1',
    '127.255.0.9',
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '[::1]',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    'fe80::1%eth0',
    'fc00::1',
    'fd12::1',
    'ff02::1',
    '2002:7f00:1::',
    '2001::1',
    '2001:db8::1',
    'localhost',
    '',
    '1.2.3',
  ])
    expect(isPublicAddress(ip), ip).toBe(false);
  for (const ip of ['1.1.1.1', '8.8.8.8', '172.32.0.1', '2606:4700::1111', '2a00:1450::1'])
    expect(isPublicAddress(ip), ip).toBe(true);
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 0xffffff }),
      (n) =>
        !isPublicAddress(`127.${n >> 16}.${(n >> 8) & 255}.${n & 255}`) &&
        !isPublicAddress(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`),
    ),
  );
});

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
    text: 'hello',
    simulated: false,
  });
  expect(await pages.fetchPage(`http://open.example:${port}/on`)).toMatchObject({
    ok: true,
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
