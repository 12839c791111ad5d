import { expect, test } from 'vitest';
import { identity, mfa } from '#contract';
import Login from '../src/features/identity/screens/Login.tsx';
import LoginMfa from '../src/features/identity/screens/LoginMfa.tsx';
import {
  errorReply,
  mockReply,
  renderScreen,
  requestsTo,
  screen,
  testLocation,
  waitFor,
} from './screen.tsx';

const waiting = {
  mfa_required: true as const,
  mfa_token: 'tlm_waiting',
  methods: [
    { kind: 'totp' as const, masked: null },
    { kind: 'email' as const, masked: 'o•••@harbor.test' },
    { kind: 'recovery' as const, masked: null },
  ],
};
const keep = () =>
  sessionStorage.setItem('trunkline.signin', JSON.stringify({ ...waiting, admin: false }));

test('a right password with a second factor leads to the second step, not into the app', async () => {
  mockReply(identity.login, waiting);
  const { user } = renderScreen(<Login />, { address: '/login?next=%2Fcontacts' });
  await user.type(await screen.findByLabelText('Email'), 'olive@harbor.test');
  await user.type(screen.getByLabelText('Password'), 'a long enough sentence{Enter}');
  await waitFor(() => expect(testLocation.href).toBe('/login/mfa?next=%2Fcontacts'));
});

test('the code of the app signs in and opens the requested page', async () => {
  keep();
  const { user } = renderScreen(<LoginMfa />, { address: '/login/mfa?next=%2Fcontacts' });
  const code = await screen.findByLabelText('Code');
  expect(code.getAttribute('autocomplete')).toBe('one-time-code');
  await user.type(code, '123456{Enter}');
  await waitFor(() => expect(testLocation.href).toBe('/contacts'));
  expect(requestsTo(mfa.signInWithCode).map(({ body }) => body)).toEqual([
    { mfa_token: 'tlm_waiting', kind: 'totp', code: '123456' },
  ]);
});

test('a wrong code is explained, and another method can be chosen', async () => {
  keep();
  const wrong = 'That code is not valid or has expired.';
  mockReply(mfa.signInWithCode, errorReply(422, { message: wrong, errors: { code: [wrong] } }));
  const { user } = renderScreen(<LoginMfa />, { address: '/login/mfa' });
  await user.type(await screen.findByLabelText('Code'), '000000{Enter}');
  await screen.findByText(wrong);
  await user.click(screen.getByRole('radio', { name: 'Email to o•••@harbor.test' }));
  await user.click(screen.getByRole('button', { name: 'Send a code' }));
  await screen.findByText('We sent a code to o•••@demo.test.');
  expect(requestsTo(mfa.mfaToken).map(({ body }) => body)).toEqual([
    { mfa_token: 'tlm_waiting', kind: 'email' },
  ]);
});

test('without a sign-in that waits, the person starts with the password', async () => {
  renderScreen(<LoginMfa />, { address: '/login/mfa' });
  await waitFor(() => expect(testLocation.href).toBe('/login'));
});
