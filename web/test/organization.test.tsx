import { expect, test } from 'vitest';
import { organizations } from '#contract';
import Organization from '../src/features/companies/screens/Organization.tsx';
import OrganizationUsers from '../src/features/companies/screens/OrganizationUsers.tsx';
import {
  exampleAnswer,
  mockReply,
  pageOf,
  renderScreen,
  requestsTo,
  screen,
  waitFor,
  within,
} from './screen.tsx';

test('making someone an administrator asks first and names the companies', async () => {
  const [person] = exampleAnswer(organizations.listOrganizationUsers).data;
  mockReply(
    organizations.listOrganizationUsers,
    pageOf(person ? [{ ...person, is_owner: false, is_admin: false }] : []),
  );
  const { user } = renderScreen(<OrganizationUsers />);
  await user.click(await screen.findByRole('button', { name: 'Make administrator' }));
  const dialog = await screen.findByRole('dialog');
  within(dialog).getByText(/Harbor Dental/);
  expect(requestsTo(organizations.addOrganizationAdmin)).toEqual([]);
  await user.click(within(dialog).getByRole('button', { name: 'Make administrator' }));
  await waitFor(() => expect(requestsTo(organizations.addOrganizationAdmin)).toHaveLength(1));
});

test('a company of the organization is parked from its row, after a question', async () => {
  const { user } = renderScreen(<Organization />);
  await user.click(await screen.findByRole('button', { name: /^Actions for/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Park' }));
  const dialog = await screen.findByRole('dialog');
  await user.click(within(dialog).getByRole('button', { name: 'Park' }));
  await waitFor(() =>
    expect(requestsTo(organizations.updateAccountStatus).map(({ body }) => body)).toEqual([
      expect.objectContaining({ status: 1, dry_run: true }),
      expect.objectContaining({ status: 1 }),
    ]),
  );
});

test('a new company joins the organization at once', async () => {
  const { user } = renderScreen(<Organization />);
  await user.click(await screen.findByRole('button', { name: 'Add company' }));
  await user.click(await screen.findByRole('menuitem', { name: 'New company' }));
  await user.type(await screen.findByRole('textbox', { name: /^Name/ }), 'Maple Dental');
  await user.click(screen.getByRole('button', { name: 'Create company' }));
  await waitFor(() => expect(requestsTo(organizations.attachOrganizationCompany)).toHaveLength(1));
});
