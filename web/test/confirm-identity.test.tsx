import { Button } from '@mantine/core';
import { expect, test } from 'vitest';
import { mfa, numbers, users, type AnyEndpoint } from '#contract';
import { ConfirmIdentityHost, useApiMutation } from '#ui';
import {
  errorReply,
  exampleAnswer,
  mockReply,
  renderScreen,
  requestsTo,
  screen,
  waitFor,
} from './screen.tsx';

const required = () =>
  errorReply(403, {
    code: 'confirmation.required',
    message: 'Confirm that it’s you, then try again.',
    errors: [],
  });

/** Two dangerous buttons of any screen, beside the one dialog of the app. */
function Dangerous() {
  const removal = useApiMutation(users.deleteCompanyUser);
  const release = useApiMutation(numbers.removeNumber);
  return (
    <>
      <Button onClick={() => void removal.mutate({ params: { companyId: 1, userId: 2 } })}>
        Remove
      </Button>
      <Button onClick={() => void release.mutate({ params: { id: 11 }, body: {} })}>Release</Button>
      <ConfirmIdentityHost />
    </>
  );
}
const replyAfterConfirming = (endpoint: AnyEndpoint) =>
  mockReply(endpoint, () =>
    requestsTo(mfa.confirmIdentity).length ? exampleAnswer(endpoint) : required(),
  );

test('any dangerous action asks once who is there, and then goes on', async () => {
  replyAfterConfirming(users.deleteCompanyUser);
  const { user } = renderScreen(<Dangerous />);
  await user.click(screen.getByRole('button', { name: 'Remove' }));
  await screen.findByRole('dialog', { name: 'Confirm it’s you' });
  await user.type(screen.getByLabelText('Password'), 'my-password');
  await user.click(screen.getByRole('button', { name: 'Confirm' }));
  await waitFor(() => expect(requestsTo(users.deleteCompanyUser)).toHaveLength(2));
  expect(requestsTo(mfa.confirmIdentity).map(({ body }) => body)).toEqual([
    { password: 'my-password' },
  ]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await user.click(screen.getByRole('button', { name: 'Release' }));
  await waitFor(() => expect(requestsTo(numbers.removeNumber)).toHaveLength(1));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('who closes the dialog changes nothing', async () => {
  mockReply(users.deleteCompanyUser, required());
  const { user } = renderScreen(<Dangerous />);
  await user.click(screen.getByRole('button', { name: 'Remove' }));
  await screen.findByRole('dialog', { name: 'Confirm it’s you' });
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(requestsTo(users.deleteCompanyUser)).toHaveLength(1);
  expect(requestsTo(mfa.confirmIdentity)).toEqual([]);
});
