import { expect, test } from 'vitest';
import { companies, endpoints, teams, users } from '#contract';
import { permissionGroups } from '#contract/permission-labels';
import { permissionKeys } from '#contract/permissions';
import { toast } from '#ui';
import { UserBulkBar } from '../src/features/companies/people/bulk/UserBulkBar.tsx';
import { UserDrawer } from '../src/features/companies/people/UserDrawer.tsx';
import SettingsProfile from '../src/features/companies/screens/SettingsProfile.tsx';
import SettingsSessions from '../src/features/identity/screens/SettingsSessions.tsx';
import SettingsRoles from '../src/features/companies/screens/SettingsRoles.tsx';
import {
  exampleAnswer,
  mockReply,
  renderScreen,
  requestsTo,
  screen,
  waitFor,
  within,
} from './screen.tsx';

const person = {
  ...exampleAnswer(companies.getCompanyUser).data,
  id: 77,
  first_name: 'Uma',
  last_name: 'User',
  role: 'user' as const,
};
const drawer = <UserDrawer id={77} name="Uma User" close={() => {}} />;

test('only what changed is saved, and ending access asks first', async () => {
  mockReply(companies.getCompanyUser, { data: person });
  const { user } = renderScreen(drawer);
  const name = await screen.findByRole('textbox', { name: 'First name' });
  await user.clear(name);
  await user.type(name, 'Una');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(requestsTo(companies.updateCompanyUser)).toHaveLength(1));
  expect(requestsTo(companies.updateCompanyUser)[0]?.body).toEqual({ first_name: 'Una' });
  await user.click(screen.getByRole('button', { name: 'Deactivate' }));
  expect(requestsTo(users.deactivateUser)).toEqual([]);
  const dialog = await screen.findByRole('dialog', { name: 'Deactivate Uma User?' });
  await user.click(within(dialog).getByRole('button', { name: 'Deactivate' }));
  await waitFor(() => expect(toast.store.get().notice?.title).toBe('Uma User was deactivated'));
});

test('a person who may not edit reads who can', async () => {
  mockReply(companies.getCompanyUser, { data: person });
  renderScreen(drawer, { permissions: ['users.list'] });
  await screen.findByText(/Ask an owner or administrator\.$/);
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  expect(screen.queryByRole('button', { name: 'Deactivate' })).toBeNull();
});

test('a person is signed out everywhere after a question', async () => {
  mockReply(companies.getCompanyUser, { data: person });
  const { user } = renderScreen(drawer);
  await user.click(await screen.findByRole('button', { name: 'Sign out everywhere' }));
  expect(requestsTo(companies.endUserSessions)).toEqual([]);
  const dialog = await screen.findByRole('dialog', { name: 'Sign Uma User out everywhere?' });
  await user.click(within(dialog).getByRole('button', { name: 'Sign out' }));
  await waitFor(() => expect(toast.store.get().notice?.title).toBe('Signed out of 2 sessions'));
});

test('everyone is signed out from the sessions page; who stays signed in is said', async () => {
  mockReply(companies.endCompanySessions, { data: { people: 3, ended: 4, skipped: 1 } });
  const { user } = renderScreen(<SettingsSessions />, { permissions: ['users.edit'] });
  await user.click(await screen.findByRole('button', { name: 'Sign everyone out' }));
  const dialog = await screen.findByRole('dialog', { name: 'Sign everyone out?' });
  await user.click(within(dialog).getByRole('button', { name: 'Sign everyone out' }));
  await waitFor(() =>
    expect(toast.store.get().notice).toMatchObject({
      title: '3 people signed out',
      detail: expect.stringMatching(/^1 person stays signed in/) as string,
    }),
  );
});

test('the sessions page is about oneself for those who can’t edit people', async () => {
  renderScreen(<SettingsSessions />, { permissions: [] });
  await screen.findByRole('heading', { name: 'Sessions' });
  expect(screen.queryByRole('button', { name: 'Sign everyone out' })).toBeNull();
});

test('the roles page has a row for every permission that a call asks for', async () => {
  const labeled = permissionGroups.flatMap((group) => group.permissions.map(([key]) => key));
  const asked = new Set(endpoints.map(({ permission }) => permission));
  // Running the installation is no company's role; these three are asked inside of other calls.
  const inside = ['users.assignOwner', 'users.assignAdministrator', 'contacts.viewPii'];
  const ofCompanies = permissionKeys.filter(
    (key) => key !== 'platform.operate' && (asked.has(key) || inside.includes(key)),
  );
  expect(labeled.toSorted()).toEqual(ofCompanies.toSorted());
  renderScreen(<SettingsRoles />);
  await screen.findByRole('row', { name: /^Transfer ownership Yes No No No No Yes$/ });
});

test('a new password is sent with the current one', async () => {
  const { user } = renderScreen(<SettingsProfile />);
  await user.type((await screen.findAllByLabelText('Current password'))[1]!, 'trunkline-demo');
  await user.type(screen.getByLabelText('New password'), 'a long enough sentence');
  await user.type(screen.getByLabelText('New password again'), 'a long enough sentence');
  await user.click(screen.getByRole('button', { name: 'Change password' }));
  await waitFor(() =>
    expect(toast.store.get().notice?.title).toBe('Your password was successfully changed'),
  );
  expect(requestsTo(users.updatePassword)).toHaveLength(1);
});

test('selected people join a team together, and Undo takes out only who joined', async () => {
  const [team] = exampleAnswer(teams.listTeams).data;
  mockReply(teams.changeTeamMembers, { data: team!, added: [77], removed: [] });
  let isCleared = false;
  const { user } = renderScreen(
    <UserBulkBar
      users={[person, { ...person, id: 78 }]}
      clear={() => {
        isCleared = true;
      }}
    />,
  );
  await user.click(screen.getByRole('button', { name: 'Add to team' }));
  const dialog = await screen.findByRole('dialog', { name: 'Add 2 people to a team' });
  const add = within(dialog).getByRole('button', { name: 'Add to team' });
  expect(add.hasAttribute('disabled')).toBe(true);
  await user.click(within(dialog).getByRole('combobox', { name: 'Team' }));
  await user.click(await screen.findByRole('option', { name: 'Front desk' }));
  await user.click(add);
  await waitFor(() => expect(isCleared).toBe(true));
  expect(requestsTo(teams.changeTeamMembers).map(({ body }) => body)).toEqual([
    { add_user_ids: [77, 78], remove_user_ids: [] },
  ]);
  const { notice } = toast.store.get();
  expect(notice?.title).toBe('1 person added to Front desk');
  notice?.action?.run();
  await waitFor(() => expect(requestsTo(teams.changeTeamMembers)).toHaveLength(2));
  expect(requestsTo(teams.changeTeamMembers)[1]?.body).toEqual({
    add_user_ids: [],
    remove_user_ids: [77],
  });
});
