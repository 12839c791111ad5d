import { expect, test } from 'vitest';
import { invitations } from '#contract';
import { toast } from '#ui';
import SettingsInvitations from '../src/features/companies/screens/SettingsInvitations.tsx';
import { HowToJoin } from '../src/features/companies/invitations/HowToJoin.tsx';
import {
  exampleAnswer,
  mockReply,
  renderScreen,
  requestsTo,
  screen,
  waitFor,
  within,
} from './screen.tsx';

test('several people are invited at once; addresses that are none are named', async () => {
  const { user } = renderScreen(<SettingsInvitations />);
  await screen.findByText('Nina North');
  await user.click(screen.getByRole('button', { name: 'Invite people' }));
  const dialog = await screen.findByRole('dialog');
  const addresses = within(dialog).getByRole('textbox', { name: /Email addresses/ });
  await user.type(addresses, 'ann@example.com, nonsense');
  await user.click(within(dialog).getByRole('button', { name: 'Send invitations' }));
  await within(dialog).findByText('“nonsense” isn’t an email address.');
  await user.clear(addresses);
  await user.type(addresses, 'ann@example.com, ben@example.com ANN@example.com');
  await user.click(within(dialog).getByRole('button', { name: 'Send invitations' }));
  await waitFor(() => expect(toast.store.get().notice?.title).toBe('2 invitations sent'));
  expect(
    requestsTo(invitations.invitePerson).map((r) => (r.body as { email: string }).email),
  ).toEqual(['ann@example.com', 'ben@example.com']);
});

test('where the server can’t send mail, the link is shown to hand over', async () => {
  const example = exampleAnswer(invitations.invitePerson);
  mockReply(invitations.invitePerson, {
    data: { ...example.data, link: 'http://here/invitations/tli_abc' },
  });
  const { user } = renderScreen(<SettingsInvitations />);
  await user.click((await screen.findAllByRole('button', { name: 'Invite people' }))[0]!);
  const dialog = await screen.findByRole('dialog');
  await user.type(
    within(dialog).getByRole('textbox', { name: /Email addresses/ }),
    'ann@example.com',
  );
  await user.click(within(dialog).getByRole('button', { name: 'Send invitations' }));
  expect(await within(dialog).findByDisplayValue('http://here/invitations/tli_abc')).toBeTruthy();
  within(dialog).getByRole('button', { name: 'Copy link' });
});

test('an invitation is withdrawn after a question', async () => {
  const { user } = renderScreen(<SettingsInvitations />);
  await user.click(await screen.findByRole('button', { name: 'Actions for nina@example.com' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Withdraw' }));
  expect(requestsTo(invitations.revokeInvitation)).toEqual([]);
  await user.click(
    within(await screen.findByRole('dialog')).getByRole('button', { name: 'Withdraw' }),
  );
  await waitFor(() => expect(requestsTo(invitations.revokeInvitation)).toHaveLength(1));
});

test.each([
  ['new', null, 'Create account and join'],
  ['existing', null, 'Sign in to join'],
  ['existing', 'nina@example.com', 'Join'],
  ['existing', 'other@example.com', 'Sign out'],
] as const)('a person with %s account, signed in as %s, is offered “%s”', async (...row) => {
  const [account, signed_in_as, offer] = row;
  const example = exampleAnswer(invitations.openInvitationLink);
  renderScreen(
    <HowToJoin token="tli_abcdefghij" invitation={{ ...example.data, account, signed_in_as }} />,
  );
  await screen.findByText(offer);
});
