import { expect, test } from 'vitest';
import { favoriteAddress } from './favorite-address.ts';

test.each([
  ['{"path":"/analytics/calls"}', '/analytics/calls'],
  [
    '{"path":"/analytics/calls","filters":{"group":"source","source":"a b&c"}}',
    '/analytics/calls?group=source&source=a+b%26c',
  ],
  ['{"path":"//evil.example"}', null],
  ['{"path":"https://evil.example"}', null],
  ['{"path":"/\\\\evil.example"}', null],
  ['{}', null],
  ['not JSON', null],
])('%s opens %s', (value, address) => {
  expect(favoriteAddress(value)).toBe(address);
});
