import { expect, test } from 'vitest';
import { signedBy } from './labels.ts';

test('the signed-in user is named when someone else signed the letter', () => {
  const adam = { name: 'Adam Admin', email: 'adam@harbor.test' };
  const olive = { name: 'Olive Owner', email: 'olive@harbor.test' };
  expect(signedBy({ signed_by: 'Olive Owner', signed_in_as: adam })).toBe(
    'Signed by Olive Owner, signed in as Adam Admin',
  );
  expect(signedBy({ signed_by: 'Olive Owner', signed_in_as: olive })).toBe('Signed by Olive Owner');
  expect(signedBy({ signed_by: 'Olive Owner', signed_in_as: null })).toBe('Signed by Olive Owner');
});
