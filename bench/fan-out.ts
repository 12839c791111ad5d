import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { io, type Socket } from 'socket.io-client';
import { WebSocket, WebSocketServer } from 'ws';
import { compare, createBench } from './kit.ts';

/**
 * Fan-out to 1,000 sockets: one event delivered to every subscriber of a company's channel, with
 * rooms and authorization, compared with a bare `ws` loop that writes the same bytes. Prints
 * deliveries per second until the last client has the last event.
 */
const CLIENTS = 1000;
const EVENTS = 30;

if (process.argv[2] === 'listen') {
  // The subscribers, in a process of their own: counts deliveries and reports when all have
  // arrived.
  const [, , , kind, url, channel, token] = process.argv;
  let got = 0;
  const count = () => {
    if (++got === CLIENTS * EVENTS) {
      got = 0;
      process.send!('all');
    }
  };
  if (kind === 'bare') {
    const sockets = Array.from({ length: CLIENTS }, () => new WebSocket(url!));
    await Promise.all(sockets.map((s) => new Promise((resolve) => s.on('open', resolve))));
    for (const s of sockets)
      s.on('message', (text) => {
        JSON.parse(String(text));
        count();
      });
  } else {
    const sockets: Socket[] = [];
    for (let i = 0; i < CLIENTS; i += 50) {
      await Promise.all(
        Array.from(
          { length: 50 },
          () =>
            new Promise<void>((resolve) => {
              const s = io(url!, { transports: ['websocket'], auth: { token }, forceNew: true });
              s.once('subscription_succeeded', () => resolve());
              s.on('company.changed', count);
              s.on('connect', () => s.emit('subscribe', { channel }));
              sockets.push(s);
            }),
        ),
      );
    }
  }
  process.send!('ready');
} else {
  const bench = await createBench();
  const listen = async (kind: string, url: string) => {
    const child = fork(
      new URL(import.meta.url).pathname,
      ['listen', kind, url, `private-companies.${bench.companyId}`, bench.token],
      { execArgv: ['--import', 'tsx'] },
    );
    await new Promise<void>((resolve) => child.once('message', () => resolve()));
    return child;
  };
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const wss = new WebSocketServer({ server });
  const bareUrl = `ws://127.0.0.1:${(server.address() as { port: number }).port}`;
  const bareChild = await listen('bare', bareUrl);
  const oursChild = await listen('ours', bench.url);
  const timed = async (child: ReturnType<typeof fork>, send: () => void | Promise<void>) => {
    const all = new Promise<void>((resolve) => child.once('message', () => resolve()));
    const at = performance.now();
    await send();
    await all;
    return (CLIENTS * EVENTS) / ((performance.now() - at) / 1000);
  };
  const event = (seq: number) => ({
    seq,
    companyId: bench.companyId,
    event: 'company.changed',
    data: { companyId: bench.companyId, filler: 'x'.repeat(400) },
    channelKey: null,
    numberId: null,
    at: new Date(),
  });
  await compare(
    `fan-out to ${CLIENTS} sockets`,
    'deliveries/s',
    () =>
      timed(bareChild, () => {
        for (let i = 0; i < EVENTS; i++) {
          const e = event(i);
          const text = JSON.stringify([
            e.event,
            `private-companies.${bench.companyId}`,
            {
              event: e.event,
              id: `e${i}`,
              at: e.at.toISOString(),
              companyId: e.companyId,
              seq: i,
              data: e.data,
            },
          ]);
          for (const s of wss.clients) s.send(text);
        }
      }),
    () =>
      timed(oursChild, () =>
        bench.server.broadcast(Array.from({ length: EVENTS }, (_, i) => event(i))),
      ),
  );
  bareChild.kill();
  oursChild.kill();
  wss.close();
  server.close();
  await bench.close();
}
