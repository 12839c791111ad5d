import { expect, test } from 'vitest';
import { calls } from '#contract';
import Trestle from '../src/features/calls/screens/Trestle.tsx';
import {
  errorReply,
  exampleAnswer,
  mockReply,
  renderScreen,
  requestsTo,
  screen,
  waitFor,
} from './screen.tsx';

const look = async (phone = '(206) 555-0100') => {
  const { user } = renderScreen(<Trestle />, { address: '/settings/trestle' });
  const button = await screen.findByRole('button', { name: 'Look up' });
  expect(button).toHaveProperty('disabled', true);
  await user.type(screen.getByLabelText('Phone number'), phone);
  await user.click(button);
  return user;
};
const refuse = (status: number, code: string, title: string, more: object = {}) =>
  mockReply(
    calls.lookUpNumber,
    errorReply(status, { errors: [{ status, code, title, ...more }], message: title }),
  );

test('says how it is set up before anything is', async () => {
  renderScreen(<Trestle />, { address: '/settings/trestle' });
  await screen.findByText(/The operator of this server sets TRESTLE_API_KEY/);
  expect(screen.getByText(/No live account has been used/)).toBeTruthy();
});

test('a lookup shows who is behind the number', async () => {
  const { data } = exampleAnswer(calls.lookUpNumber);
  await look();
  await screen.findByText(data.name ?? '');
  expect(requestsTo(calls.lookUpNumber)[0]).toMatchObject({ body: { phone: '(206) 555-0100' } });
});

test.each([
  [
    'no key, or one that Trestle refuses',
    409,
    'lookup.not_configured',
    'Caller ID lookup isn’t set up.',
  ],
  ['an answer that never comes', 409, 'lookup.away', 'The provider didn’t respond. Try again.'],
  ['a number that no one knows', 404, 'lookup.not_found', 'It isn’t available for this number.'],
  ['a company that turned it off', 403, 'feature.off', 'Caller lookup is turned off.'],
])('%s is said in words, and another number can be tried', async (_, status, code, text) => {
  refuse(status, code, text);
  const user = await look();
  expect((await screen.findByText(text)).closest('[role=status]')).not.toBeNull();
  const { data } = exampleAnswer(calls.lookUpNumber);
  mockReply(calls.lookUpNumber, { data });
  await user.click(screen.getByRole('button', { name: 'Look up' }));
  await screen.findByText(data.name ?? '');
  await waitFor(() => expect(screen.queryByText(text)).toBeNull());
});

test('what is no phone number is said without asking anyone else', async () => {
  refuse(422, 'validation', 'Enter a phone number.', { field: 'phone' });
  await look('12');
  await screen.findByText('Enter a phone number.');
});

test('who can’t see calls reads how it is set up, and looks nothing up', async () => {
  renderScreen(<Trestle />, { address: '/settings/trestle', permissions: ['settings.view'] });
  await screen.findByText(/turn on Caller lookup/);
  expect(screen.queryByLabelText('Phone number')).toBeNull();
});
