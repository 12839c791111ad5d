import { expect, test } from 'vitest';
import { identity } from '#contract';
import Login from '../src/features/identity/screens/Login.tsx';
import {
  mockReply,
  testLocation,
  errorReply,
  requestsTo,
  screen,
  renderScreen,
  waitFor,
} from './screen.tsx';

const password = 'a long enough sentence';

test('sign-in trims the address and continues to the requested page', async () => {
  const { user } = renderScreen(<Login />, { address: '/login?next=%2Fcontacts%3Fsearch%3Ddana' });
  await user.type(await screen.findByLabelText('Email'), '  olive@harbor.test ');
  await user.type(screen.getByLabelText('Password'), `${password}{Enter}`);
  await waitFor(() => expect(testLocation.href).toBe('/contacts?search=dana'));
  expect(requestsTo(identity.login).map(({ body }) => body)).toEqual([
    { email: 'olive@harbor.test', password, remember: true },
  ]);
});

test('a wrong password shows an error in the form, and the fields keep their values', async () => {
  mockReply(
    identity.login,
    errorReply(422, {
      message: 'That e-mail or password is not right.',
      errors: [{ detail: 'That e-mail or password is not right.' }],
    }),
  );
  const { user } = renderScreen(<Login />, { address: '/login' });
  await user.type(await screen.findByLabelText('Email'), 'olive@harbor.test');
  await user.type(screen.getByLabelText('Password'), 'wrong one{Enter}');
  const said = await screen.findByText('That e-mail or password is not right.');
  expect(said.closest('form')).not.toBeNull();
  expect(testLocation.href).toBe('/login');
  expect((screen.getByLabelText('Email') as HTMLInputElement).value).toBe('olive@harbor.test');
});

test('a locked sign-in shows its error immediately', async () => {
  mockReply(
    identity.login,
    errorReply(429, { errors: [{ detail: 'Too many tries. Wait 15 minutes.' }] }),
  );
  const { user } = renderScreen(<Login />, { address: '/login' });
  await user.type(await screen.findByLabelText('Email'), 'olive@harbor.test');
  await user.type(screen.getByLabelText('Password'), `${password}{Enter}`);
  await screen.findByText('Too many tries. Wait 15 minutes.');
  expect(requestsTo(identity.login)).toHaveLength(1);
});
