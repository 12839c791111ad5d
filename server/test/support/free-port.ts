import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/**
 * Above Linux's ephemeral range (32768 to 60999): a port found here and opened a moment later is
 * not taken meanwhile by a connection or by a server listening at port 0. Each vitest worker has
 * its own range.
 */
const rangeSize = 400;
const firstPort = 61_000 + (Number(process.env['VITEST_POOL_ID'] ?? 0) % 10) * rangeSize;
let nextOffset = Math.floor(Math.random() * rangeSize);

const canBind = (listen: (done: (free: boolean) => void) => void) => new Promise<boolean>(listen);

/** A port of this machine that is free for TCP and UDP and is not returned again. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < rangeSize; tries++) {
    const port = firstPort + (nextOffset++ % rangeSize);
    const tcp = await canBind((done) => {
      const probe = createServer().once('error', () => done(false));
      probe.listen({ port, host: '127.0.0.1', exclusive: true }, () =>
        probe.close(() => done(true)),
      );
    });
    const udp =
      tcp &&
      (await canBind((done) => {
        const probe = createSocket('udp4').once('error', () => done(false));
        probe.bind(port, '127.0.0.1', () => probe.close(() => done(true)));
      }));
    if (udp) return port;
  }
  throw new Error(`no port is free from ${firstPort} on`);
}
