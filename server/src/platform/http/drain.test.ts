import { setTimeout as pause } from 'node:timers/promises';
import Fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import { drainable, lasting } from './drain.ts';

const app = Fastify({ forceCloseConnections: true });
const { drain, isDraining } = drainable(app);
app.get('/slow', async () => {
  await pause(400);
  return 'answered';
});
app.get('/stream', lasting, (_, reply) => {
  reply.hijack();
  reply.raw.writeHead(200);
  reply.raw.write('for hours');
});
const url = await app.listen({ port: 0, host: '127.0.0.1' });
afterAll(() => app.close());

test('what was asked is answered before a process stops, and streams hold it up no longer than that', async () => {
  const stream = await fetch(`${url}/stream`);
  const asked = fetch(`${url}/slow`);
  await pause(100);
  expect(isDraining()).toBe(false);
  const from = performance.now();
  const drained = drain(0).then(() => performance.now() - from);
  expect(isDraining()).toBe(true);
  // Still answered; the connection isn't used again, so the next request goes elsewhere.
  const late = await fetch(`${url}/slow`);
  expect([await late.text(), late.headers.get('connection')]).toEqual(['answered', 'close']);
  expect(await (await asked).text()).toBe('answered');
  const ms = await drained;
  expect(ms).toBeGreaterThan(300);
  expect(ms).toBeLessThan(4_000);
  await stream.body?.cancel();
});

test('as long as it was told to, it goes on answering', async () => {
  const from = performance.now();
  const drained = drain(500);
  await pause(200);
  expect((await fetch(`${url}/slow`)).status).toBe(200);
  await drained;
  expect(performance.now() - from).toBeGreaterThan(490);
});
