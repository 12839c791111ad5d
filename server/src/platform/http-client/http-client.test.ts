import { createServer, type RequestListener, type Server } from 'node:http';
import {
  createServer as createTcpServer,
  type AddressInfo,
  type Server as TcpServer,
} from 'node:net';
import { gzipSync } from 'node:zlib';
import { register } from 'prom-client';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { CircuitBreaker, CircuitOpenError } from '../circuit-breaker.ts';
import { wasNeverSent } from './errors.ts';
import { createHttpClient, jsonApiAvailability, type HttpClientOptions } from './http-client.ts';
import type { PublicInternet } from './public-connector.ts';

/** A server that misbehaves as the test requires. */
const servers: (Server | TcpServer)[] = [];
afterAll(() => {
  for (const server of servers) {
    if ('closeAllConnections' in server) server.closeAllConnections();
    server.close();
  }
});
async function listening<S extends Server | TcpServer>(server: S): Promise<string> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
let asked: { method: string; path: string; headers: Record<string, unknown>; body: string }[] = [];
let answer: RequestListener = (_, reply) => reply.end('hello');
const url = await listening(
  createServer(async (request, reply) => {
    let body = '';
    for await (const part of request) body += String(part);
    const { method = '', url: path = '', headers } = request;
    asked.push({ method, path, headers, body });
    answer(request, reply);
  }),
);
beforeEach(() => {
  asked = [];
});

/** Delays are recorded instead of waited for; the jitter is always one half. */
function clientOf(options: Partial<HttpClientOptions> = {}) {
  const waits: number[] = [];
  const client = createHttpClient({
    target: 'test',
    wait: async (ms) => {
      waits.push(ms);
    },
    random: () => 0.5,
    ...options,
  });
  return { client, waits };
}
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => 'answered',
    (error: { code?: unknown }) => error.code,
  );
const statuses = (...list: (number | [number, Record<string, string>])[]): RequestListener => {
  let at = 0;
  return (_, reply) => {
    const next = list[Math.min(at++, list.length - 1)]!; // The list is not empty.
    const [status, headers] = typeof next === 'number' ? [next, {}] : next;
    reply.writeHead(status, headers).end(String(status));
  };
};

describe('a response that does not arrive', () => {
  test('headers that never arrive time out', async () => {
    answer = () => undefined;
    const { client } = clientOf({ headersMs: 100 });
    expect(await failure(client.request(url))).toBe('UND_ERR_HEADERS_TIMEOUT');
  });

  test('a body that stalls times out', async () => {
    answer = (_, reply) => void reply.writeHead(200, { 'content-length': 100 }).write('begin');
    const { client } = clientOf({ bodyMs: 100 });
    expect(await failure(client.request(url))).toBe('UND_ERR_BODY_TIMEOUT');
  });

  test('a body that trickles in forever ends at the deadline', async () => {
    answer = (_, reply) => {
      reply.writeHead(200);
      const drip = setInterval(() => reply.write('.'), 10);
      reply.on('close', () => clearInterval(drip));
    };
    const { client } = clientOf({ totalMs: 200 });
    expect(await failure(client.request(url))).toBe('DEADLINE');
  });

  test('a caller that aborts gets its own reason', async () => {
    answer = () => undefined;
    const { client } = clientOf();
    const stop = new AbortController();
    const waiting = client.request(url, { signal: stop.signal });
    await expect.poll(() => asked.length).toBe(1);
    stop.abort(new Error('nobody waits'));
    await expect(waiting).rejects.toThrow('nobody waits');
    await expect(client.request(url, { signal: stop.signal })).rejects.toThrow('nobody waits');
    expect(asked.length, 'an aborted request is not sent').toBe(1);
  });

  test('a reset halfway is an error, and it is unknown whether the request was received', async () => {
    answer = (request) => void request.socket.resetAndDestroy();
    const error = await clientOf()
      .client.request(url)
      .catch((e: unknown) => e);
    expect(error).toBeInstanceOf(Error);
    expect(wasNeverSent(error)).toBe(false);
  });

  test('a refused connection means that the request was never sent', async () => {
    const closed = createTcpServer();
    const address = await listening(closed);
    await new Promise((resolve) => closed.close(resolve));
    const error = await clientOf()
      .client.request(address)
      .catch((e: unknown) => e);
    expect([(error as { code: string }).code, wasNeverSent(error)]).toEqual(['ECONNREFUSED', true]);
  });
});

describe('a response that is too large', () => {
  test('an endless body is rejected once it passes the limit, and its connection is closed', async () => {
    let closed = false;
    answer = (_, reply) => {
      reply.writeHead(200);
      const pour = () => {
        while (!reply.destroyed && reply.write('x'.repeat(65_536)));
      };
      reply.on('drain', pour).on('close', () => {
        closed = true;
      });
      pour();
    };
    const { client } = clientOf({ maxBytes: 1_000_000 });
    expect(await failure(client.request(url))).toBe('TOO_LARGE');
    await expect.poll(() => closed).toBe(true);
  });

  test('a gzip bomb is rejected by its unpacked size', async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000));
    answer = (_, reply) => reply.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    const { client } = clientOf({ maxBytes: 1_000_000 });
    expect(bomb.length).toBeLessThan(100_000);
    expect(await failure(client.request(url))).toBe('TOO_LARGE');
    expect(asked[0]!.headers['accept-encoding']).toBe('identity');
  });

  test('a compressed body within the limit is read; one that is not really compressed is an error', async () => {
    answer = (_, reply) =>
      reply.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('hello'));
    expect(String((await clientOf().client.request(url)).body)).toBe('hello');
    answer = (_, reply) => reply.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip');
    await expect(clientOf().client.request(url)).rejects.toThrow();
  });

  test('with `cut`, the client returns the beginning up to the limit', async () => {
    answer = (_, reply) => reply.end('x'.repeat(3_000_000));
    const { client } = clientOf({ maxBytes: 1000, whenTooLarge: 'cut' });
    expect((await client.request(url)).body).toHaveLength(1000);
  });
});

describe('retries', () => {
  test('a GET is retried with growing delays, up to the allowed attempts', async () => {
    answer = statuses(503, 500, 503, 200);
    const { client, waits } = clientOf();
    expect((await client.request(url, { attempts: 4 })).status).toBe(200);
    expect([asked.length, waits]).toEqual([4, [125, 250, 500]]);
    answer = statuses(503);
    expect((await client.request(url, { attempts: 2 })).status, 'the last answer stands').toBe(503);
    expect(asked.length).toBe(6);
  });

  test('without `attempts` nothing is sent twice', async () => {
    answer = statuses(503);
    await clientOf().client.request(url);
    expect(asked.length).toBe(1);
  });

  test('a POST is retried only with an idempotency key, the same one each time', async () => {
    answer = statuses(503, 200);
    const { client } = clientOf();
    const plain = await client.request(url, { method: 'POST', body: 'a', attempts: 3 });
    expect([plain.status, asked.length]).toEqual([503, 1]);
    answer = statuses(503, 200);
    const keyed = { method: 'POST', body: 'a', attempts: 3, idempotencyKey: 'k1' } as const;
    expect((await client.request(url, keyed)).status).toBe(200);
    expect(asked.slice(1).map((one) => [one.headers['idempotency-key'], one.body])).toEqual([
      ['k1', 'a'],
      ['k1', 'a'],
    ]);
  });

  test('a client error is a response and is not retried', async () => {
    answer = statuses(404);
    await clientOf().client.request(url, { attempts: 3 });
    expect(asked.length).toBe(1);
  });

  test('Retry-After is honored, plus jitter; beyond the deadline the response is returned as it is', async () => {
    answer = statuses([429, { 'retry-after': '2' }], 200);
    const { client, waits } = clientOf();
    expect((await client.request(url, { attempts: 2 })).status).toBe(200);
    expect(waits).toEqual([2125]);
    answer = statuses([429, { 'retry-after': '3600' }], 200);
    const late = await client.request(url, { attempts: 2 });
    expect([late.status, waits.length]).toEqual([429, 1]);
  });

  test('a broken connection is retried', async () => {
    let broken = 0;
    answer = (request, reply) => (broken++ ? reply.end('hello') : request.socket.resetAndDestroy());
    expect((await clientOf().client.request(url, { attempts: 2 })).status).toBe(200);
    expect(asked.length).toBe(2);
  });

  test('an abort ends the delay before a retry', async () => {
    answer = statuses(503);
    const client = createHttpClient({ target: 'test', random: () => 1 });
    const stop = new AbortController();
    const waiting = client.request(url, { attempts: 9, signal: stop.signal });
    await expect.poll(() => asked.length).toBe(1);
    stop.abort(new Error('nobody waits'));
    await expect(waiting).rejects.toThrow('nobody waits');
  });
});

describe('redirects', () => {
  test('are not followed by default', async () => {
    answer = (_, reply) => reply.writeHead(302, { location: '/on' }).end();
    expect((await clientOf().client.request(url)).status).toBe(302);
  });

  test('keep the headers on the same origin and drop them on another', async () => {
    const elsewhere: Record<string, unknown>[] = [];
    const other = await listening(
      createServer((request, reply) => {
        elsewhere.push(request.headers);
        reply.end('there');
      }),
    );
    answer = (request, reply) =>
      reply.writeHead(302, { location: request.url === '/' ? '/on' : `${other}/media` }).end();
    const headers = { authorization: 'Basic secret', 'x-api-key': 'secret' };
    const got = await clientOf().client.request(`${url}/`, { headers, redirects: 2 });
    expect(String(got.body)).toBe('there');
    expect(asked[1]).toMatchObject({ path: '/on', headers });
    expect(Object.keys(elsewhere[0]!).sort()).toEqual(['accept-encoding', 'connection', 'host']);
  });

  test('in a loop, or to an address that is not http(s), are an error', async () => {
    answer = (_, reply) => reply.writeHead(302, { location: '/' }).end();
    const { client } = clientOf();
    expect(await failure(client.request(url, { redirects: 3 }))).toBe('TOO_MANY_REDIRECTS');
    expect(asked.length).toBe(4);
    answer = (_, reply) => reply.writeHead(302, { location: 'file:///etc/passwd' }).end();
    expect(await failure(client.request(url, { redirects: 3 }))).toBe('NOT_WEB');
  });
});

describe('a client limited to the public internet', () => {
  // This machine plays the public internet; the test resolves the names.
  const port = new URL(url).port;
  const internet = (resolve: (host: string) => string[]): PublicInternet => ({
    resolve: async (host) => resolve(host),
    isPublic: (address) => address === '127.0.0.1',
    ports: ['', port],
  });

  test('does not follow a redirect to a private address', async () => {
    answer = (request, reply) =>
      request.url === '/name'
        ? reply.writeHead(302, { location: `http://inside.test:${port}/` }).end()
        : reply.writeHead(302, { location: `http://10.0.0.7:${port}/` }).end();
    const only = internet((host) => [host === 'inside.test' ? '10.0.0.7' : '127.0.0.1']);
    const { client } = clientOf({ only });
    const ask = (path: string) =>
      failure(client.request(`http://open.test:${port}${path}`, { redirects: 3 }));
    expect([await ask('/name'), await ask('/address')]).toEqual([
      'PRIVATE_ADDRESS',
      'PRIVATE_ADDRESS',
    ]);
    expect(asked.length).toBe(2);
  });

  test('refuses a name that resolves to a private address the second time (DNS rebinding)', async () => {
    answer = (_, reply) => reply.writeHead(200, { connection: 'close' }).end('hello');
    let lookups = 0;
    const only = internet(() => [lookups++ === 0 ? '127.0.0.1' : '127.0.0.2']);
    const { client } = clientOf({ only });
    expect((await client.request(`http://rebind.test:${port}/`)).status).toBe(200);
    expect(await failure(client.request(`http://rebind.test:${port}/`))).toBe('PRIVATE_ADDRESS');
    expect([lookups, asked.length], 'each connection is checked by the lookup it uses').toEqual([
      2, 1,
    ]);
  });

  test('refuses a name with one private address among public ones', async () => {
    const { client } = clientOf({ only: internet(() => ['127.0.0.1', '10.0.0.7']) });
    const error = await client.request(`http://both.test:${port}/`).catch((e: unknown) => e);
    expect((error as { code: string }).code).toBe('PRIVATE_ADDRESS');
    expect(wasNeverSent(error)).toBe(true);
  });

  test('refuses other ports, and addresses with a password', async () => {
    const { client } = clientOf({ only: internet(() => ['127.0.0.1']) });
    for (const address of ['http://open.test:22/', `http://a:b@open.test:${port}/`, 'nonsense'])
      expect(await failure(client.request(address)), address).toBe('NOT_WEB');
    expect(asked).toEqual([]);
  });
});

test('five failures open the circuit; requests that we canceled do not', async () => {
  const breaker = new CircuitBreaker('Test', () => new Date());
  const circuit = { breaker, availability: jsonApiAvailability(() => new Date()) };
  const { client } = clientOf({ circuit, maxBytes: 10 });
  answer = (_, reply) => reply.end(JSON.stringify('x'.repeat(1000)));
  for (let n = 0; n < 6; n++) expect(await failure(client.request(url))).toBe('TOO_LARGE');
  expect(breaker.state).toBe('closed');
  answer = statuses(503);
  for (let n = 0; n < 5; n++) await client.request(url);
  const error = await client.request(url, { attempts: 3 }).catch((e: unknown) => e);
  expect(error).toBeInstanceOf(CircuitOpenError);
  expect([wasNeverSent(error), asked.length]).toEqual([true, 11]);
});

test('every attempt is counted by target and outcome', async () => {
  const count = async (outcome: string) => {
    const metric = register.getSingleMetric('http_client_request_seconds');
    const { values } = await metric!.get(); // Registered by the client.
    const isOurs = (v: (typeof values)[number]) =>
      'metricName' in v && v.metricName === 'http_client_request_seconds_count';
    return (
      values.find(
        (v) => isOurs(v) && v.labels['target'] === 'metered' && v.labels['outcome'] === outcome,
      )?.value ?? 0
    );
  };
  const { client } = clientOf({ target: 'metered', maxBytes: 10 });
  answer = statuses(503, 200);
  await client.request(url, { attempts: 2 });
  answer = (_, reply) => reply.end('x'.repeat(100));
  await failure(client.request(url));
  expect([await count('5xx'), await count('2xx'), await count('too_large')]).toEqual([1, 1, 1]);
});

test('a form is sent as a form, also when it is retried', async () => {
  answer = statuses(503, 200);
  const form = new FormData();
  form.set('name', 'letter');
  form.set('file', new Blob(['%PDF'], { type: 'application/pdf' }), 'letter.pdf');
  const sent = { method: 'POST', body: form, attempts: 2, idempotencyKey: 'k' } as const;
  await clientOf().client.request(url, sent);
  expect(asked[1]!.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
  expect(asked[1]!.body).toBe(asked[0]!.body);
  expect(asked[1]!.body).toContain('filename="letter.pdf"');
});
