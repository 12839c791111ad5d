import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { Relay } from './relay.ts';

test('a message that a broken connection lost is handed on again, in its order', async () => {
  const came: string[] = [];
  let breaks = 2;
  const other = createServer((request, response) => {
    if (breaks-- > 0) return void request.socket.destroy();
    let text = '';
    request.on('data', (part: Buffer) => (text += part.toString()));
    request.on('end', () => {
      came.push(Buffer.from(JSON.parse(text).message as string, 'base64').toString());
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  const relay = new Relay(
    { secret: 'shared', url: 'http://127.0.0.1:1', log: () => {} },
    () => '127.0.0.1:5060',
    () => null,
    () => {},
  );
  const flow = relay.flowTo({
    ...{ url, transport: 'TCP', address: '127.0.0.1', port: 5061, flow: 'TCP 1', reachedAt: 'a:1' },
    ...{ user: 'u', userId: 1, companies: [1], device: 'sip-1', contact: 'sip:u@a' },
  });
  flow.send(Buffer.from('INVITE'));
  flow.send(Buffer.from('CANCEL'));
  await expect.poll(() => came, { timeout: 30_000 }).toEqual(['INVITE', 'CANCEL']);
  await relay.close();
  other.close();
});
