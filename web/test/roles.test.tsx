import { describe, expect, test } from 'vitest';
import { calls } from '#contract';
import { grantOf, permissionKeys } from '#contract/permissions';
import { session } from '#ui';
import Dashboard from '../src/features/companies/screens/Dashboard.tsx';
import { screens } from '../src/features/index.ts';
import { Shell } from '../src/app/Shell.tsx';
import { mockReply, exampleAnswer, withRoute, screen, renderScreen, waitFor } from './screen.tsx';

/** Roles without some permissions; an organization's administrator has an owner's. */
const roles = ['administrator', 'billing', 'reporting', 'user'] as const;
const addressOf = (path: string): string =>
  path.replace('{-$conversationId}', '9001').replace('$kind', 'calls').replace(/\$\w+/g, '1');

// A test for each screen, not for each role: a hundred screens in one took half of the time a test may take.
describe.each(roles)('no screen requests what the role %s may not read', (role) => {
  const permissions = permissionKeys.filter((key) => grantOf(role, key) !== 'none');
  const permitted = new Set<string>(permissions);
  const seen = screens.filter(
    ({ frame, permission }) => !frame && (!permission || permitted.has(permission)),
  );
  // A violation of the contract fails the test, as does a request that the role is not permitted to make.
  test.each(seen)('$path', async ({ path, load }) => {
    // Its recording would be drawn on a canvas, which happy-dom lacks.
    const call = exampleAnswer(calls.getCall);
    mockReply(calls.getCall, {
      data: { ...call.data, recording: { ...call.data.recording, url: null }, voicemail: null },
    });
    const { default: Screen } = await load();
    const address = addressOf(path);
    const { cache } = renderScreen(
      withRoute(
        path,
        () => (
          <Shell>
            <Screen />
          </Shell>
        ),
        address,
      ),
      { address, permissions },
    );
    await screen.findAllByRole('main');
    await waitFor(() => expect(cache.isFetching()).toBe(0));
    expect(screen.queryByText(/Something went wrong/), address).toBeNull();
  });
});

test('the home page of a role without calls and messages says so and links to its screens', async () => {
  renderScreen(<Dashboard />, {
    permissions: permissionKeys.filter((key) => grantOf('billing', key) !== 'none'),
  });
  session.set(({ user }) => ({
    user: { ...user!, companies: user!.companies.map((c) => ({ ...c, role: 'billing' })) },
  }));
  await screen.findByText(/^The Billing role doesn’t include calls and messages\./);
  expect(screen.getByRole('link', { name: 'Company settings' }).getAttribute('href')).toBe(
    '/settings/company',
  );
  expect(screen.queryByRole('link', { name: 'Users' })).toBeNull();
});
