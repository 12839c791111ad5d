import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import { endpoints, type DescribedEndpoint } from '#contract';

/**
 * Requests and packets that no regular client sends: contract examples with hostile values, and raw
 * ones. The same seed produces the same ones.
 */
export interface Target {
  /** The product's origin. */ url: string;
  companyId: number;
  /** An access token; requested repeatedly, because the requests may end the session. */
  token(): Promise<string>;
}
export interface Outcome {
  sent: number;
  answered: number;
  statuses: Record<string, number>;
  /** Responses of 500 and above, with their requests. */ failures: string[];
  /** Requests without a response in time. */ hangs: string[];
  /** The longest response time, ms. */ slowestMs: number;
}

/** The allowed response time, ms. */
const PATIENCE_MS = 20_000;
const RENEW_EVERY = 250;
/** These end the session, change passwords, or send email to third parties. */
const abandoned = new Set([
  'logout',
  'clearTokenSessions',
  'login',
  'resetPassword',
  'forgotPassword',
  'createTokenSession',
]);
const asked = endpoints.filter((e) => !abandoned.has(e.name));

export function createRandom(seed: number) {
  let a = seed >>> 0;
  const next = () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    under: (n: number) => Math.floor(next() * n),
    pick: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!,
    one: (chance: number) => next() < chance,
  };
}
type SeededRandom = ReturnType<typeof createRandom>;

const words = [
  'toString',
  'constructor',
  '__proto__',
  'hasOwnProperty',
  'valueOf',
  'prototype',
  'then',
  'length',
];
const texts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  '￿',
  '\u{1F600}'.repeat(50),
  '%',
  '%00',
  '..',
  '../../etc/passwd',
  "'; drop table x; --",
  '${7*7}',
  '<script>',
  '=1+1',
  'null',
  'NaN',
  '-0',
  '1e309',
  '9'.repeat(40),
  '0x10',
  'true',
  '[',
  '{',
  '[]',
  '{"toString":1}',
  '{"a":[}',
  'x'.repeat(3000),
  '\r\nx: y',
  '2026-02-30',
  '9999-99-99T99:99:99Z',
  '+1',
  '+12125550147',
  ...words,
];
const numbers = [0, -1, 1, 0.5, 1e9, 2 ** 31, 2 ** 53, 2 ** 63, -(2 ** 63), 1e300];
const deep = (n: number): unknown => {
  let value: unknown = 1;
  for (let i = 0; i < n; i++) value = i % 2 ? { a: value } : [value];
  return value;
};
function randomValue(d: SeededRandom): unknown {
  switch (d.under(9)) {
    case 0:
    case 1:
    case 2:
      return d.pick(texts);
    case 3:
      return d.pick(numbers);
    case 4:
      return d.pick([null, true, false, [], {}, [null], [[]], [{}]]);
    case 5:
      return { [d.pick(words)]: d.pick([1, 'x', {}, null]) };
    case 6:
      return [d.pick(texts), d.pick(numbers), { toString: 1 }];
    case 7:
      return d.one(0.1) ? deep(d.pick([20, 60, 3000])) : { id: d.pick(numbers), a: { valueOf: 1 } };
    default:
      return Array.from({ length: d.pick([1, 30, 300]) }, () => d.pick(numbers));
  }
}
const asText = (v: unknown): string => (typeof v === 'string' ? v : (JSON.stringify(v) ?? ''));

/** Half of a surrogate pair can't be in an address. */
const encoded = (text: string): string => encodeURIComponent(Buffer.from(text).toString());

/** The example's body with some of its members changed, removed or added. */
function randomBody(d: SeededRandom, e: DescribedEndpoint, companyId: number): unknown {
  if (d.one(0.15)) return randomValue(d);
  const out: Record<string, unknown> = { ...(e.example.body as object) };
  for (const key of ['companyId', 'company_id']) if (key in out) out[key] = companyId;
  for (let i = d.under(4); i > 0; i--) {
    const keys = Object.keys(out);
    const key =
      keys.length && d.one(0.8)
        ? d.pick(keys)
        : d.pick(['companyId', 'id', 'ids', 'sort', '_method', 'filter', 'x', ...words]);
    if (d.one(0.2)) delete out[key];
    else
      Object.defineProperty(out, key, {
        value: randomValue(d),
        enumerable: true,
        configurable: true,
        writable: true,
      });
  }
  return out;
}

function randomForm(d: SeededRandom): { type: string; payload: string } {
  const parts = Array.from(
    { length: d.under(5) },
    () =>
      `--b\r\ncontent-disposition: form-data; name="${d.pick(['a', 'a[]', 'file', 'media[]', '_method', 'companyId', 'constructor[]', '__proto__', '', 'x[0]', ...words])}"${d.one(0.4) ? `; filename="${d.pick(['a.csv', '', '../x', 'a\0', 'é'])}"` : ''}${d.one(0.2) ? '\r\ncontent-type: application/json' : ''}\r\n\r\n${asText(randomValue(d)).slice(0, 500)}\r\n`,
  );
  const whole = `${parts.join('')}--b--\r\n`;
  return {
    type: d.pick([
      'multipart/form-data; boundary=b',
      'multipart/form-data; boundary=b',
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'multipart/mixed; boundary=b',
      'multipart/form-data; boundary="b',
    ]),
    payload: d.one(0.3) ? whole.slice(0, d.under(whole.length)) : whole,
  };
}

interface HostileRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  payload: string | Buffer | null;
}
const elsewhere = [
  '/',
  '/livez',
  '/readyz',
  '/metrics',
  '/docs',
  '/inbox',
  '/assets/x.js',
  '/sandbox/texts',
  '/sandbox/faxes',
  '/sandbox/numbers',
  '/sandbox/handset/token',
  '/sandbox/calls',
  '/sandbox/calls/x',
  '/sandbox/legs/x/answer',
  '/sandbox/phones/1/ringing',
  '/sandbox/phones/x',
  '/sandbox/pictures/x',
  '/sandbox/faxes/1/document',
  '/sandbox/ports/x/advance',
  '/sandbox/registrations/x/review',
  '/media/join',
  '/media/x/dial',
  '/media/x/speak',
  '/carriers/sandbox/texts',
  '/carriers/sandbox/voice',
  '/carriers/sandbox/fax',
  '/carriers/sandbox/receipts',
  '/dev/outbox.json',
  '/dev/pushes.json',
  '/socket.io/',
  '/api/openapi.json',
  '/api/nothing',
  '/%',
  '/%ff',
  '/api/%',
  '//',
  '/api//user',
  `/api/numbers/${'1'.repeat(300)}`,
];

function randomQuery(d: SeededRandom, companyId: number): string {
  const parts = d.one(0.7) ? [`companyId=${companyId}`] : [];
  for (let i = d.under(4); i > 0; i--) {
    const key = d.pick([
      'a',
      'a[]',
      'sort',
      'dir',
      'page',
      'perPage',
      'filter',
      'search',
      'status',
      'status[]',
      'ids[]',
      'include',
      'eav',
      'groups',
      'start',
      'end',
      'cursor',
      'limit',
      'columns',
      'companyId',
      'companyId[]',
      'company_id',
      'strict',
      '_method',
      'tz',
      ...words,
    ]);
    parts.push(
      d.one(0.1)
        ? d.pick(['&', '=', '[]', '%', '%zz=1', 'a[=1'])
        : `${encodeURIComponent(key)}=${encoded(asText(randomValue(d)).slice(0, 1500))}`,
    );
  }
  return parts.length ? `?${parts.join('&')}` : '';
}

function randomRequest(d: SeededRandom, target: Target, token: string): HostileRequest {
  const e = d.one(0.85) ? d.pick(asked) : null;
  const id = () =>
    encoded(
      d.one(0.5)
        ? String(d.under(40) + 1)
        : asText(d.pick<unknown>([...texts, ...numbers])).slice(0, 200),
    ) || 'x';
  const path = e
    ? `/api${e.path.replace(/\{(\w+)\}/g, (_, key: string) => ((key === 'companyId' || e.path.startsWith('/company/{id}')) && d.one(0.9) ? String(target.companyId) : id()))}`
    : d.pick(elsewhere);
  const method = d.one(0.9)
    ? (e?.method ?? d.pick(['GET', 'POST', 'PUT']))
    : d.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']);
  const headers: Record<string, string> = {};
  if (d.one(0.9))
    headers['authorization'] = d.one(0.97)
      ? `Bearer ${token}`
      : d.pick(['Bearer', 'Bearer \u00ff', 'Basic x', `Bearer ${'x'.repeat(4000)}`]);
  if (d.one(0.1))
    headers[
      d.pick([
        'if-none-match',
        'if-match',
        'range',
        'isAdmin',
        'x-forwarded-for',
        'cookie',
        'accept',
        'idempotency-key',
        'accept-encoding',
      ])
    ] = d.pick([
      '*',
      'W/"x"',
      'bytes=5-1',
      'bytes=-',
      '1',
      '999.1.1.1, ::zz',
      'trunkline_session=%00; XSRF-TOKEN=%',
      '',
      'x'.repeat(2000),
    ]);
  let payload: string | Buffer | null = null;
  if (method !== 'GET' && method !== 'HEAD' && d.one(0.95)) {
    if (e?.multipart ? d.one(0.5) : d.one(0.08)) {
      const made = randomForm(d);
      headers['content-type'] = made.type;
      payload = made.payload;
    } else {
      headers['content-type'] = d.one(0.96)
        ? 'application/json'
        : d.pick([
            'text/plain',
            'application/x-www-form-urlencoded',
            'application/xml',
            'x',
            'application/json; charset=utf-7',
          ]);
      const json = asText(e ? randomBody(d, e, target.companyId) : randomValue(d));
      payload = d.one(0.05)
        ? json.slice(0, d.under(json.length + 1))
        : d.one(0.01)
          ? `{"a":"${'x'.repeat(3_000_000)}"}`
          : json;
    }
  }
  return { method, path: path + randomQuery(d, target.companyId), headers, payload };
}
const summarize = (s: HostileRequest) =>
  `${s.method} ${s.path.slice(0, 200)} ${String(s.payload ?? '').slice(0, 300)}`;

/** Bytes that are not an HTTP request, or half of one. */
const malformedRequests = [
  'NONSENSE\r\n\r\n',
  'GET / HTTP/9.9\r\n\r\n',
  'GET  / HTTP/1.1\r\n\r\n',
  'POST /api/message HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n',
  'POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nZZ\r\n',
  'GET /\0 HTTP/1.1\r\nhost: x\r\n\r\n',
  `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`,
  'GET / HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n',
  'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-key: x\r\nsec-websocket-version: 13\r\n\r\n',
  'POST /socket.io/?EIO=4&transport=polling&sid=x HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\n\r\n40',
  '\x16\x03\x01\x02\x00\x01',
];

/** Sends this many requests, eight at a time. */
export async function sendHostileRequests(
  target: Target,
  size: number,
  seed = 1,
): Promise<Outcome> {
  const d = createRandom(seed);
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const outcome: Outcome = {
    sent: 0,
    answered: 0,
    statuses: {},
    failures: [],
    hangs: [],
    slowestMs: 0,
  };
  let token = await target.token();
  const note = (status: number, what: () => string) => {
    outcome.answered++;
    outcome.statuses[`${Math.floor(status / 100)}xx`] =
      (outcome.statuses[`${Math.floor(status / 100)}xx`] ?? 0) + 1;
    if (status >= 500) outcome.failures.push(`${status} ${what()}`);
  };
  const one = async () => {
    if (d.one(0.02)) return sendRawBytes(target.url, d.pick(malformedRequests), outcome);
    const sent = randomRequest(d, target, token);
    const began = performance.now();
    await new Promise<void>((resolve) => {
      let request: ReturnType<typeof httpRequest>;
      try {
        request = httpRequest(
          target.url,
          {
            method: sent.method,
            path: sent.path,
            headers: sent.headers,
            agent,
            timeout: PATIENCE_MS,
          },
          (answer) => {
            const pieces: Buffer[] = [];
            answer.on('data', (piece: Buffer) => {
              if (pieces.length < 4) pieces.push(piece);
            });
            answer.on('end', () => {
              note(
                answer.statusCode ?? 0,
                () => `${summarize(sent)} → ${Buffer.concat(pieces).toString().slice(0, 400)}`,
              );
              resolve();
            });
            answer.on('error', () => resolve());
          },
        );
      } catch {
        note(0, () => '');
        resolve();
        return; /* a client cannot send this at all */
      }
      request.on('timeout', () => {
        outcome.hangs.push(summarize(sent));
        request.destroy();
        resolve();
      });
      // Disconnected while sending a body beyond every limit: counts as refused.
      request.on('error', () => resolve());
      request.end(sent.payload ?? undefined);
    });
    outcome.slowestMs = Math.max(outcome.slowestMs, performance.now() - began);
  };
  const runner = async () => {
    while (outcome.sent < size) {
      outcome.sent++;
      if (outcome.sent % RENEW_EVERY === 0) token = await target.token();
      await one();
    }
  };
  await Promise.all(Array.from({ length: 8 }, runner));
  agent.destroy();
  return outcome;
}

async function sendRawBytes(url: string, bytes: string, outcome: Outcome): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let got = '';
  socket.on('data', (piece: Buffer) => {
    got += piece.toString('latin1').slice(0, 2000);
  });
  socket.on('error', () => {});
  socket.write(bytes, 'latin1');
  socket.setTimeout(500, () => socket.destroy());
  await new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
  });
  outcome.answered++;
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(got)?.[1] ?? 0);
  if (status >= 500) outcome.failures.push(`${status} ${bytes.slice(0, 100)}`);
}

const frames = [
  '',
  '0',
  '1',
  '2',
  '3',
  '4',
  '9',
  '2["subscribe"',
  '2[]',
  '2[1]',
  '2{"a":1}',
  '2["subscribe",{"channel":{"toString":1}}]',
  '2/x,["subscribe"]',
  '0/x,{}',
  '0{"token":{"toString":1}}',
  '1/x,',
  '251-["subscribe",{}]',
  '51-["x",{"_placeholder":true,"num":0}]',
  '599999999-["x"]',
  '3[]',
  '37["x"]',
  '2999999999999999999999["subscribe",{}]',
  '2["error",{"toString":1}]',
  '2["disconnect"]',
  '2["newListener"]',
  '2["__proto__"]',
  `2["${'x'.repeat(90_000)}"]`,
  '4{"message":"x"}',
  '\0',
  '２',
];
const events = [
  'subscribe',
  'unsubscribe',
  'resume',
  'client event',
  'error',
  'anything',
  'toString',
  '__proto__',
];

function randomPacket(
  d: SeededRandom,
  target: Target,
  token: string,
): { event: string; said: unknown[] } {
  const channel = d.one(0.5)
    ? `private-${d.pick(['conversations', 'companies', 'campaigns', 'users', 'caddy', 'bulk-purchase'])}.${d.pick([target.companyId, 1, 999, '9'.repeat(30)])}`
    : randomValue(d);
  const said = d.one(0.2)
    ? randomValue(d)
    : {
        channel,
        seq: d.one(0.5) ? d.under(1000) : randomValue(d),
        replay: randomValue(d),
        auth: d.one(0.4)
          ? {
              headers: {
                authorization: d.one(0.5) ? `Bearer ${token}` : randomValue(d),
                isAdmin: randomValue(d),
              },
            }
          : randomValue(d),
      };
  return {
    event: d.pick(events),
    said: d.one(0.1) ? [] : d.one(0.1) ? [said, randomValue(d), said] : [said],
  };
}

/**
 * Sends this many packets over sockets that are reopened every thirty. A hang is a handshake that
 * is neither accepted nor refused.
 */
export async function sendHostilePackets(target: Target, size: number, seed = 1): Promise<Outcome> {
  const d = createRandom(seed);
  const outcome: Outcome = {
    sent: 0,
    answered: 0,
    statuses: {},
    failures: [],
    hangs: [],
    slowestMs: 0,
  };
  let token = await target.token();
  const openOne = async (): Promise<Socket | null> => {
    const auth = d.one(0.6) ? { token } : { token: randomValue(d), x: randomValue(d) };
    const socket = io(target.url, {
      transports: [d.one(0.9) ? 'websocket' : 'polling'],
      auth,
      reconnection: false,
      forceNew: true,
      timeout: PATIENCE_MS,
    });
    const how = await Promise.race([
      new Promise<string>((resolve) => socket.once('connect', () => resolve('in'))),
      new Promise<string>((resolve) =>
        socket.once('connect_error', (error) => resolve(error.message)),
      ),
    ]);
    if (how === 'timeout') outcome.hangs.push(`handshake ${JSON.stringify(auth)}`);
    if (how === 'in') return socket;
    socket.disconnect();
    return null;
  };
  const runner = async () => {
    while (outcome.sent < size) {
      const socket = await openOne();
      if (!socket) {
        outcome.sent++;
        outcome.answered++;
        continue;
      }
      for (let i = 0; i < 30 && socket.connected && outcome.sent < size; i++) {
        outcome.sent++;
        outcome.answered++;
        if (outcome.sent % RENEW_EVERY === 0) token = await target.token();
        if (d.one(0.15)) socket.io.engine.send(d.pick(frames));
        else {
          const { event, said } = randomPacket(d, target, token);
          socket.emit(event, ...said, ...(d.one(0.3) ? [() => {}] : []));
        }
        if (i % 10 === 9) await pause(5);
      }
      await pause(10);
      socket.disconnect();
    }
  };
  await Promise.all(Array.from({ length: 4 }, runner));
  // Afterwards a regular client can connect.
  const plain = io(target.url, {
    transports: ['websocket'],
    auth: { token: await target.token() },
    forceNew: true,
  });
  const entered = await (
    plain
      .timeout(PATIENCE_MS)
      .emitWithAck('subscribe', { channel: `private-companies.${target.companyId}` }) as Promise<{
      ok: boolean;
    }>
  ).catch(() => null);
  if (!entered?.ok) outcome.failures.push('nobody is let in any more');
  plain.disconnect();
  return outcome;
}
