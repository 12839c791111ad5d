import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createTestDatabase } from '../../test/support/test-database.ts';
import { superviseProcess } from './supervisor.ts';
import { compiledServer } from './server-build.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'trunkline-crew-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const occupied: Server[] = [];
const occupy = (port: number) =>
  new Promise<number>((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      occupied.push(server);
      const address = server.address();
      resolve(address && typeof address === 'object' ? address.port : 0);
    });
  });
afterAll(() => {
  for (const server of occupied) server.close();
});

test('a process binds first and reports its port; it restarts on that port, or on another one if it was taken meanwhile', async () => {
  const busy = await occupy(0);
  const [database, code] = [await createTestDatabase(), await compiledServer(() => {})];
  const heard: number[] = [];
  let asks = 0;
  let taken: Promise<unknown> = Promise.resolve();
  const media = superviseProcess(
    'media',
    () => {
      asks += 1;
      // Before its third start another program takes the port it had.
      if (asks === 3) taken = occupy(heard.at(-1)!);
      return {
        DATABASE_URL: database,
        DATA_DIR: dataDir,
        PORT: '0',
        MEDIA_PORT: String(heard.at(-1) ?? busy),
        MOVE_PORTS: '1',
        CARRIER: 'sandbox',
        SIP_PORT: '0',
      };
    },
    code,
    ({ mediaPort }) => {
      if (mediaPort) heard.push(mediaPort);
    },
  );
  try {
    await media.ready;
    expect(heard).toHaveLength(1);
    expect(heard[0]).not.toBe(busy);

    media.restart();
    await expect.poll(() => heard.length).toBe(2);
    expect(heard[1]).toBe(heard[0]);

    media.restart();
    await expect.poll(() => heard.length).toBe(3);
    await taken;
    expect(heard[2]).not.toBe(heard[1]);
  } finally {
    await media.stop(8_000);
  }
}, 120_000);
