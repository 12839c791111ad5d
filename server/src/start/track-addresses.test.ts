import { createServer, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { browserUrl } from './track-addresses.ts';

test('a start names the address by which passkeys work, unless another program answers there', async () => {
  const other = createServer();
  const hasIpv6 = await new Promise<boolean>((resolve) => {
    other.once('error', () => resolve(false)).listen(0, '::1', () => resolve(true));
  });
  const { port } = hasIpv6 ? (other.address() as AddressInfo) : { port: 1 };
  if (hasIpv6) expect(await browserUrl('127.0.0.1', port)).toBe(`http://127.0.0.1:${port}`);
  await new Promise((resolve) => other.close(resolve));
  expect(await browserUrl('127.0.0.1', port)).toBe(`http://localhost:${port}`);
  expect(await browserUrl('192.0.2.7', port)).toBe(`http://192.0.2.7:${port}`);
});
