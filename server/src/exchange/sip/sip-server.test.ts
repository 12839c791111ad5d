/**
 * What comes in by the sockets: UDP, TCP, TLS and WebSocket at one port, in pieces, together, or as
 * noise.
 */
import { createSocket } from 'node:dgram';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createSelfSignedCertificate } from 'werift';
import { WebSocket } from 'ws';
import { startTestExchange } from '../../../test/support/exchange-harness.ts';
import { createFakeClock } from '../../../test/support/fake-clock.ts';
import { ha1Of, md5 } from './digest.ts';
import { fuzzParser, fuzzServer } from '../../../test/support/sip-fuzz.ts';
import type { SipOptions } from './sip-options.ts';
import { openSipServer } from './sip-server.ts';
import { maxTransactions } from './transactions.ts';

const realm = 'phones.test';
const clock = createFakeClock();
const lookedUp: string[] = [];
let world: Awaited<ReturnType<typeof startTestExchange>>;
let server: Awaited<ReturnType<typeof openSipServer>>;

/**
 * Signed by itself: WebRTC needs the same kind, so its library makes them (ECDSA on P-256 with
 * SHA-256).
 */
const aCertificate = async () => {
  const { certPem, keyPem } = await createSelfSignedCertificate({ hash: 4, signature: 3 }, 23);
  return { cert: certPem, key: keyPem };
};

const sipOptions = (): SipOptions => ({
  port: 0,
  host: '127.0.0.1',
  realm,
  secret: world.secret,
  url: world.url,
  clock,
  log: () => undefined,
  findUser: (user) => {
    lookedUp.push(user);
    return Promise.resolve(
      user === 'u7' ? { userId: 7, companies: [1], ha1: ha1Of('u7', realm, 'right') } : null,
    );
  },
  placeCall: () => Promise.resolve({ status: 403, reason: 'No' }),
  onPresence: () => Promise.resolve(),
  interconnects: {
    at: { host: '127.0.0.1', port: 0, address: '127.0.0.1' },
    admit: () => Promise.resolve(null),
  },
});

beforeAll(async () => {
  world = await startTestExchange();
  server = await openSipServer(world.exchange, { ...sipOptions(), tls: await aCertificate() });
});
afterAll(async () => {
  await server.close();
  await world.close();
});

test('a server whose port is in use leaves no timer behind', async () => {
  const [started, stopped] = [
    vi.spyOn(globalThis, 'setInterval'),
    vi.spyOn(globalThis, 'clearInterval'),
  ];
  const second = openSipServer(world.exchange, { ...sipOptions(), port: server.port });
  await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' });
  const heartbeats = started.mock.results
    .filter((_, call) => started.mock.calls[call]?.[1] === 15_000)
    .map(({ value }) => value as unknown);
  const ended = stopped.mock.calls.map(([timer]) => timer as unknown);
  vi.restoreAllMocks();
  expect(heartbeats).toHaveLength(1);
  expect(ended).toEqual(expect.arrayContaining(heartbeats));
});

const register = (transport: string, n: number, more: string[] = []): string =>
  [
    'REGISTER sip:phones.test SIP/2.0',
    `Via: SIP/2.0/${transport} 127.0.0.1:5070;branch=z9hG4bK${transport}${n}${more.length};rport`,
    'From: <sip:u7@phones.test>;tag=a',
    'To: <sip:u7@phones.test>',
    `Call-ID: ${transport}${n}`,
    `CSeq: ${more.length + 1} REGISTER`,
    `Contact: <sip:u7@127.0.0.1:5070;transport=${transport.toLowerCase()}>`,
    'Expires: 60',
    ...more,
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n');
const proof = (answer: string): string => {
  const nonce = /nonce="([^"]+)"/.exec(answer)?.[1] ?? '';
  return `Authorization: Digest username="u7", realm="${realm}", nonce="${nonce}", uri="sip:phones.test", response="${md5(`${ha1Of('u7', realm, 'right')}:${nonce}:00000001:c:auth:${md5('REGISTER:sip:phones.test')}`)}", qop=auth, nc=00000001, cnonce="c"`;
};
/** Everything that came so far, and waiting for more of it. */
const reading = (socket: Socket) => {
  let text = '';
  socket.on('data', (chunk) => (text += chunk.toString()));
  socket.on('error', () => undefined);
  return {
    text: () => text,
    until: (part: string) =>
      expect.poll(() => text, { timeout: 10_000, interval: 5 }).toContain(part),
  };
};
const registered = () => [...world.exchange.devices.all()].length;

test.each(['TCP', 'TLS'] as const)(
  'a phone registers by %s, also when its words come in pieces or several at once; when its connection goes, so does it',
  async (transport) => {
    const socket =
      transport === 'TCP'
        ? connectTcp(server.port, '127.0.0.1')
        : connectTls({ port: server.port, host: '127.0.0.1', rejectUnauthorized: false });
    const heard = reading(socket);
    socket.write('\r\n\r\n');
    await heard.until('\r\n');
    const first = register(transport, 1);
    for (let at = 0; at < first.length; at += 100) {
      socket.write(first.slice(at, at + 100));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await heard.until('401 Unauthorized');
    const before = registered();
    socket.write(register(transport, 1, [proof(heard.text())]) + register(transport, 2));
    await heard.until('200 OK');
    await expect.poll(() => heard.text().split('401 Unauthorized').length, { interval: 5 }).toBe(3);
    expect(registered()).toBe(before + 1);
    socket.destroy();
    await expect.poll(registered, { interval: 5 }).toBe(before);
  },
);

test('a browser speaks by WebSocket at the same port, plain or encrypted', async () => {
  for (const scheme of ['ws', 'wss']) {
    const socket = new WebSocket(`${scheme}://127.0.0.1:${server.port}`, 'sip', {
      rejectUnauthorized: false,
    });
    const answer = await new Promise<string>((resolve, reject) => {
      socket.on('open', () =>
        socket.send(register(scheme.toUpperCase(), 1).replace('Content-Length: 0\r\n', '')),
      );
      socket.on('message', (data: Buffer) => resolve(data.toString()));
      socket.on('error', reject);
    });
    expect(answer.split('\r\n')[0]).toBe('SIP/2.0 401 Unauthorized');
    socket.terminate();
  }
  expect((await fetch(`http://127.0.0.1:${server.port}/`)).status).toBe(426);
});

test('after words in a stream that cannot be read the connection is closed; what is too long is not kept', async () => {
  for (const noise of [
    register('TCP', 1).replace('Content-Length: 0', 'Content-Length: -1'),
    'x'.repeat(20_000),
    `INVITE sip:a@b SIP/2.0\r\n${'X: y\r\n'.repeat(5000)}`,
  ]) {
    const socket = connectTcp(server.port, '127.0.0.1');
    const closed = new Promise((resolve) => socket.on('close', resolve));
    reading(socket);
    socket.write(noise);
    await closed;
  }
});

test('an unauthenticated sender leaves no state and causes no lookup; an authenticated one no more than its share', async () => {
  await expect
    .poll(() => {
      clock.advance(400_000);
      return server.kept();
    })
    .toBe(0);
  const udp = createSocket('udp4');
  await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
  let answers = 0;
  let nonce = '';
  udp.on('message', (bytes) => {
    answers++;
    nonce = bytes.toString();
  });
  const send = (text: string) =>
    new Promise<void>((resolve) => udp.send(text, server.port, '127.0.0.1', () => resolve()));
  lookedUp.length = 0;
  for (let n = 0; n < 100; n++) {
    await send(
      register('UDP', n, [
        'Authorization: Digest username="u7", realm="phones.test", nonce="a.b.c", uri="sip:phones.test", response="x"',
      ]),
    );
    await expect.poll(() => answers, { interval: 1 }).toBe(n + 1);
  }
  expect([server.kept(), lookedUp]).toEqual([0, []]);
  // With a nonce of ours each request is kept, for its repetitions, and for 32 seconds.
  const wrong = proof(nonce).replace(/response="\w+"/, 'response="0"');
  for (let n = 0; n < 50; n++) {
    await send(register('UDP', 1000 + n, [wrong]));
  }
  await expect.poll(() => server.kept(), { interval: 5 }).toBe(50);
  expect(maxTransactions.address).toBeGreaterThan(50);
  clock.advance(2000);
  clock.advance(32_000);
  expect(server.kept()).toBe(0);
  udp.close();
});

test('4,000 random and mutated messages: the parser does not throw, the server answers after each hundred and keeps nothing', async () => {
  const kinds = fuzzParser(4000);
  for (const kind of ['request', 'response', 'wrong', 'nothing'])
    expect(kinds[kind], kind).toBeGreaterThan(5);
  const { asked, answered } = await fuzzServer(server.port, 1500);
  expect(answered).toBe(asked);
  await expect
    .poll(() => {
      clock.advance(400_000);
      return server.kept();
    })
    .toBe(0);
}, 120_000);
