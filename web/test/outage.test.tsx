import { expect, test } from 'vitest';
import { companies, conversations } from '#contract';
import { endpoints } from '#contract/catalogue';
import { session } from '#ui';
import { RequireSession } from '../src/app/RequireSession.tsx';
import { Shell } from '../src/app/Shell.tsx';
import Dashboard from '../src/features/companies/screens/Dashboard.tsx';
import {
  mockReply,
  exampleAnswer,
  errorReply,
  withRoute,
  screen,
  renderScreen,
  waitFor,
  within,
} from './screen.tsx';

const boom = errorReply(500, { message: 'Server Error' });
const allFail = (): void => {
  for (const endpoint of endpoints) mockReply(endpoint, boom);
};
const errorToasts = () => screen.queryAllByText(/^An unknown error has occurred/);

test('when every request fails, the frame stays, with one message and “Try again”', async () => {
  allFail();
  const home = withRoute(
    '/',
    () => (
      <RequireSession>
        <Shell>
          <Dashboard />
        </Shell>
      </RequireSession>
    ),
    '/',
  );
  const { user } = renderScreen(home);
  const known = session.get().user!;
  session.set({ user: null });
  sessionStorage.setItem('trunkline.may', Object.keys(known.permissions).join(' '));
  await screen.findByText('Couldn’t load this');
  const main = screen.getByRole('navigation', { name: 'Main' });
  expect(within(main).getAllByRole('link').length).toBeGreaterThan(5);
  await waitFor(() => expect(errorToasts()).toHaveLength(1));
  const usual = exampleAnswer(companies.getUser);
  mockReply(companies.getUser, { data: { ...usual.data, permissions: known.permissions } });
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('heading', { name: 'Harbor Dental' });
});

test('an error shown inline isn’t repeated in a toast', async () => {
  mockReply(conversations.listActivity, boom);
  mockReply(companies.getCompany, boom);
  renderScreen(
    <Shell>
      <Dashboard />
    </Shell>,
  );
  await waitFor(() => expect(screen.getAllByText('Couldn’t load this').length).toBeGreaterThan(0));
  const flash = document.querySelector('[data-flash]')!;
  await waitFor(() => expect(flash.textContent).toBe(''));
});
