import { createServer, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { bindPort, PortInUseError } from './bind-port.ts';

const servers: Server[] = [];
afterEach(async () => {
  await Promise.all(
    servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))),
  );
});

const listen = (port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      servers.push(server);
      const address = server.address();
      resolve(address && typeof address === 'object' ? address.port : 0);
    });
  });

test('several processes that want the same busy port at once each bind a different one above it', async () => {
  const busy = await listen(0);
  const got = await Promise.all(
    Array.from({ length: 8 }, () => bindPort(busy, { mayMove: true, setting: 'PORT' }, listen)),
  );
  expect(new Set([busy, ...got]).size).toBe(9);
});

test('a port that another process of ours is about to bind is left free', async () => {
  const busy = await listen(0);
  expect(
    await bindPort(busy, { mayMove: true, avoid: busy + 1, setting: 'MEDIA_PORT' }, listen),
  ).toBeGreaterThan(busy + 1);
});

test('without permission to move, the error names the busy port and how to choose another', async () => {
  const busy = await listen(0);
  await expect(bindPort(busy, { mayMove: false, setting: 'PORT' }, listen)).rejects.toThrow(
    new PortInUseError(
      `Port ${busy} is busy. Stop the program that uses it, or choose another: PORT=${busy + 100} npm start`,
    ),
  );
});

test('a fully busy range falls back to any free port, and other errors are not treated as a busy port', async () => {
  const asked: number[] = [];
  const busyBelow = async (port: number) => {
    asked.push(port);
    if (port !== 0) throw Object.assign(new Error('busy'), { code: 'EADDRINUSE' });
    return 40_000;
  };
  expect(await bindPort(3000, { mayMove: true, setting: 'PORT' }, busyBelow)).toBe(40_000);
  expect(asked.at(-2)).toBe(3050);
  await expect(
    bindPort(80, { mayMove: true, setting: 'PORT' }, async () => {
      throw Object.assign(new Error('not allowed'), { code: 'EACCES' });
    }),
  ).rejects.toThrow('not allowed');
});
