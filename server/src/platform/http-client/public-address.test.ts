import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPublicAddress } from './public-address.ts';

test('private addresses are rejected in every notation', () => {
  for (const ip of [
    '127.0.0.1',
    '127.255.0.9',
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '[::1]',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    'fe80::1%eth0',
    'fc00::1',
    'fd12::1',
    'ff02::1',
    '2002:7f00:1::',
    '2001::1',
    '2001:db8::1',
    'localhost',
    '',
    '1.2.3',
  ])
    expect(isPublicAddress(ip), ip).toBe(false);
  for (const ip of ['1.1.1.1', '8.8.8.8', '172.32.0.1', '2606:4700::1111', '2a00:1450::1'])
    expect(isPublicAddress(ip), ip).toBe(true);
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 0xffffff }),
      (n) =>
        !isPublicAddress(`127.${n >> 16}.${(n >> 8) & 255}.${n & 255}`) &&
        !isPublicAddress(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`),
    ),
  );
});
