import { createSocket } from 'node:dgram';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { browserGateway } from '../server/src/adapters/browser/visit-page.ts';
import type { PageDecision, PageRequest } from '../server/src/gateways/browser.ts';
import { labBrowser } from '../server/test/support/lab-browser.ts';

/**
 * Hostile pages in the browser of `verifyScript`. 127.0.0.1 plays the open internet, 127.0.0.2 what is
 * inside, both at the same port.
 */
const pages = new Map<string, RequestListener>();
const website = createServer((request, reply) => {
  const answer = pages.get(new URL(request.url ?? '', 'http://x').pathname);
  if (answer) answer(request, reply);
  else reply.writeHead(404).end();
});
await new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve));
const { port } = website.address() as AddressInfo;
const inside: string[] = [];
const trap = createServer((request, reply) => {
  inside.push(`${request.headers.host}${request.url}`);
  reply.writeHead(200, { 'access-control-allow-origin': '*' }).end('secret');
}).on('upgrade', (request, socket) => {
  inside.push(`upgrade ${request.url}`);
  socket.destroy();
});
await new Promise<void>((resolve) => trap.listen(port, '127.0.0.2', resolve));
const packets: Buffer[] = [];
const udp = createSocket('udp4').on('message', (packet) => packets.push(packet));
await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
const udpPort = udp.address().port;
afterAll(() => {
  for (const server of [website, trap]) {
    server.closeAllConnections();
    server.close();
  }
  udp.close();
});

// Other tests open browsers at the same time: what is left behind is looked for here alone.
const place = mkdtempSync(join(tmpdir(), 'trunkline-visits-'));
vi.stubEnv('TMPDIR', place);
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(place, { recursive: true, force: true });
});
const browser = await labBrowser(String(port));
const impatient = await labBrowser(String(port), 7_000);
const asked: PageRequest[] = [];
async function open(
  page: string | RequestListener,
  { host = 'www.shop.example', gateway = browser, owner = '1' } = {},
) {
  const path = `/page-${pages.size}`;
  pages.set(path, (request, reply) => {
    if (typeof page !== 'string') return page(request, reply);
    return reply.writeHead(200, { 'content-type': 'text/html' }).end(page);
  });
  return gateway.visit(`http://${host}:${port}${path}`, {
    ...{ owner, ownHost: 'phones.example' },
    patterns: ['*/api/*'],
    decide: async (request): Promise<PageDecision> => {
      asked.push(request);
      return { kind: 'block' };
    },
    probe: '({ isDone: window.isDone === true, value: window.value })',
  });
}
const valueOf = (visited: Awaited<ReturnType<typeof open>>) =>
  visited.ok ? (visited.probed as { value?: unknown }).value : visited;
/** Tries each and tells what became of it. */
const tried = (...attempts: string[]) => `<script>
  window.value = [];
  Promise.all([${attempts.join(',')}].map((one) => one.then(() => value.push('reached'), () => value.push('refused'))))
    .then(() => (window.isDone = true));
</script>`;
const refused = (n: number) => Array.from({ length: n }, () => 'refused');

describe('nothing inside is reached', () => {
  it('by redirects, frames, pictures and scripts that navigate', async () => {
    const moved: RequestListener = (_, reply) =>
      reply.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end();
    expect(await open(moved)).toEqual({ ok: false, why: 'unreachable' });
    const at = `http://127.0.0.2:${port}`;
    expect(await open(`<script>location.href = '${at}/script'</script>`)).toEqual({
      ok: false,
      why: 'unreachable',
    });
    expect(await open(`<meta http-equiv=refresh content="0;${at}/meta">`)).toEqual({
      ok: false,
      why: 'unreachable',
    });
    expect(
      await open(`<img src="${at}/img"><iframe src="${at}/frame"></iframe><link rel=stylesheet href="${at}/css">
        <link rel=preconnect href="${at}"><link rel=prefetch href="${at}/prefetch"><form id=f action="${at}/form" target=x></form>
        <iframe name=x></iframe><script>f.submit(); navigator.sendBeacon('${at}/beacon'); setTimeout(() => (isDone = true), 1500)</script>`),
    ).toMatchObject({ ok: true });
  });

  it('by calls to addresses and names, in any spelling, and by a name that changes', async () => {
    const fetches = [
      ...['http://127.0.0.2', 'http://127.2', 'http://2130706434', 'http://0x7f000002'],
      ...['http://inside.example', 'http://[::ffff:7f00:2]', 'http://phones.example'],
    ].map((one) => `fetch('${one}:${port}/call', { mode: 'no-cors' })`);
    const more = ['http://169.254.169.254/', 'https://10.0.0.1/', 'http://localhost/'].map(
      (one) => `fetch('${one}', { mode: 'no-cors' })`,
    );
    const all = [...fetches, ...more];
    expect(valueOf(await open(tried(...all)))).toEqual(refused(all.length));
    // A page that was public when it was opened.
    const again = `fetch('/secret?' + Math.random()).then((answer) => answer.ok || Promise.reject())`;
    expect(valueOf(await open(tried(again), { host: 'rebind.example' }))).toEqual(['refused']);
  });

  it('by WebSockets, workers, calls between browsers and WebTransport', async () => {
    const socket = (url: string) =>
      `new Promise((yes, no) => { const s = new WebSocket('${url}'); s.onopen = yes; s.onerror = no; })`;
    const worker = `new Promise((yes, no) => { const w = new Worker(URL.createObjectURL(new Blob(["fetch('http://127.0.0.2:${port}/worker', { mode: 'no-cors' }).then(() => postMessage(1), () => postMessage(0))"])));
      w.onmessage = ({ data }) => (data ? yes() : no()); w.onerror = no; })`;
    const call = `new Promise((yes, no) => { const f = document.createElement('iframe'); document.head.append(f);
      const Call = window.RTCPeerConnection ?? f.contentWindow.RTCPeerConnection; const c = new Call({ iceServers: [{ urls: 'stun:127.0.0.1:${udpPort}' }] });
      c.createDataChannel('x'); c.onicecandidate = ({ candidate }) => candidate && yes(); c.createOffer().then((o) => c.setLocalDescription(o)); setTimeout(no, 3000); })`;
    const transport = `new Promise((yes, no) => new WebTransport('https://127.0.0.1:${udpPort}/').ready.then(yes, no))`;
    expect(
      valueOf(
        await open(
          tried(
            ...[socket(`ws://127.0.0.2:${port}/ws`), socket('ws://169.254.169.254/')],
            ...[socket('wss://10.0.0.1/'), worker, call, transport],
          ),
        ),
      ),
    ).toEqual(refused(6));
  });

  it('by files of this machine and pages of the browser', async () => {
    const visited = await open(
      `stays<script>location.href = 'file:///etc/passwd'; setTimeout(() => { location.href = 'chrome://version'; isDone = true }, 300)</script>`,
    );
    expect(visited).toMatchObject({ ok: true, html: expect.stringContaining('stays') });
  });

  it('and requests of frames within the page are asked about by no one', async () => {
    asked.length = 0;
    pages.set('/frame', (_, reply) =>
      reply
        .writeHead(200, { 'content-type': 'text/html' })
        .end(`<script>fetch('/api/frame')</script>`),
    );
    await open(
      `<iframe src="/frame"></iframe><script>fetch('/api/page', { method: 'POST', body: 'x' }).catch(() => setTimeout(() => (isDone = true), 1000))</script>`,
    );
    expect(asked).toMatchObject([
      { url: `http://www.shop.example:${port}/api/page`, method: 'POST', body: 'x' },
    ]);
  });

  it('as the traps show', () => {
    expect(inside).toEqual([]);
    expect(packets).toEqual([]);
  });
});

describe('a page that wants too much', () => {
  it('of dialogs, windows and downloads: it gets none', async () => {
    expect(
      valueOf(
        await open(
          `<script>for (let n = 0; n < 30; n++) alert(n);
            value = [confirm('Sure?'), prompt('Why?'), ...[1, 2, 3].map(() => window.open('http://www.shop.example:${port}/'))];
            onbeforeunload = () => 'Stay'; isDone = true</script>`,
        ),
      ),
    ).toEqual([false, null, null, null, null]);
    const download: RequestListener = (_, reply) =>
      reply
        .writeHead(200, { 'content-disposition': 'attachment; filename=x.bin' })
        .end(Buffer.alloc(1_000_000));
    expect(await open(download)).toEqual({ ok: false, why: 'unreachable' });
  });

  it('of time: it is ended', async () => {
    const stuck = { ok: false, why: 'stuck' };
    expect(await open('<script>while (true) {}</script>')).toEqual(stuck);
    expect(await open('<script>setTimeout(() => { while (true) {} }, 300)</script>')).toEqual(
      stuck,
    );
    // A page that never begins.
    expect(await open(() => {}, { gateway: impatient })).toEqual(stuck);
  });

  it('of memory and of traffic: it is ended', async () => {
    // Long before its time is over, also where memory comes slowly.
    const patience = 100_000;
    const began = performance.now();
    expect(
      await open(
        `<script>const kept = []; while (kept.length < 40) kept.push(new Uint8Array(5e7).fill(1)); for (;;);</script>`,
        { gateway: await labBrowser(String(port), patience) },
      ),
    ).toEqual({ ok: false, why: 'stuck' });
    expect(performance.now() - began).toBeLessThan(patience * 0.9);
    let sent = 0;
    const endless: RequestListener = (_, reply) => {
      reply.writeHead(200, { 'content-type': 'text/html' });
      const part = `<p>${'x'.repeat(1_000_000)}`;
      const go = (): void => {
        while (!reply.destroyed && reply.write(part)) sent += part.length;
        sent += part.length;
      };
      reply.on('drain', go);
      go();
    };
    await open(endless, { gateway: impatient });
    expect(sent).toBeLessThan(100_000_000);
  });

  it('or several at once: one is open, one of another owner waits, and the others are told', async () => {
    const all = await Promise.all(
      ['1', '1', '2', '3'].map((owner) => open('<script>isDone = true</script>', { owner })),
    );
    expect(all.map((one) => (one.ok ? 'opened' : one.why))).toEqual([
      'opened',
      'busy',
      'opened',
      'busy',
    ]);
  });

  it('of a browser that doesn’t start: it is told so', async () => {
    for (const path of ['/bin/false', '/nowhere/chromium'])
      expect(
        await open('<p>x', { gateway: browserGateway({ path, hasSandbox: true }) }),
        path,
      ).toEqual({ ok: false, why: 'not_started' });
  });

  it('and nothing of it is left behind', async () => {
    const left = () =>
      readdirSync('/proc').filter((pid) => {
        try {
          return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(place);
        } catch {
          return false;
        }
      });
    await expect.poll(left).toEqual([]);
    expect(readdirSync(place)).toEqual([]);
  });
});
