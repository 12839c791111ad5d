import { expect, test } from 'vitest';
import { companies, conversations } from '#contract';
import { endpoints } from '#contract/catalogue';
import { session } from '#ui';
import { Signed } from '../src/app/Signed.tsx';
import { Shell } from '../src/app/Shell.tsx';
import Dashboard from '../src/screens/Dashboard.tsx';
import { answers, exampleOf, refused, routed, screen, show, waitFor, within } from './screen.tsx';

const boom = refused(500, { message: 'Server Error' });
const allFail = (): void => {
  for (const endpoint of endpoints) answers(endpoint, boom);
};
const said = () => screen.queryAllByText(/^An unknown error has occurred/);

test('when the server knows nobody, the frame stays, with one message and another try', async () => {
  allFail();
  const home = routed(
    '/',
    () => (
      <Signed>
        <Shell>
          <Dashboard />
        </Shell>
      </Signed>
    ),
    '/',
  );
  const { user } = show(home);
  const known = session.get().user!;
  session.set({ user: null });
  sessionStorage.setItem('trunkline.may', Object.keys(known.permissions).join(' '));
  await screen.findByText('This could not be loaded');
  const main = screen.getByRole('navigation', { name: 'Main' });
  expect(within(main).getAllByRole('link').length).toBeGreaterThan(5);
  await waitFor(() => expect(said()).toHaveLength(1));
  const usual = exampleOf(companies.getUser);
  answers(companies.getUser, { data: { ...usual.data, permissions: known.permissions } });
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('heading', { name: 'Harbor Dental' });
});

test('what says in its place that it could not be loaded is not said over it, too', async () => {
  answers(conversations.listActivity, boom);
  answers(companies.getCompany, boom);
  show(
    <Shell>
      <Dashboard />
    </Shell>,
  );
  await waitFor(() =>
    expect(screen.getAllByText('This could not be loaded').length).toBeGreaterThan(0),
  );
  const flash = document.querySelector('[data-flash]')!;
  await waitFor(() => expect(flash.textContent).toBe(''));
});
