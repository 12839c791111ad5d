import { expect, test } from 'vitest';
import { connections, oauthIntegrations } from '#contract';
import HubSpot from '../src/features/integrations/screens/HubSpot.tsx';
import Salesforce from '../src/features/integrations/screens/Salesforce.tsx';
import { exampleAnswer, mockReply, renderScreen, requestsTo, screen, waitFor } from './screen.tsx';

const [example] = exampleAnswer(oauthIntegrations.listOAuthIntegrations).data;
const withAccount = (provider: 'hubspot' | 'salesforce', config: Record<string, unknown>) =>
  mockReply(oauthIntegrations.listOAuthIntegrations, {
    data: [{ ...example!, provider, status: 'connected', config, destinations: [] }], // it has one
    providers: [{ name: provider, label: 'CRM', ready: true, delivers: true, setup: null }],
    meta: { simulated: true },
  });
const saved = () => requestsTo(oauthIntegrations.updateOAuthIntegration)[0]?.body;

test('names come back unless that is turned off, and owners where it is turned on', async () => {
  withAccount('hubspot', {});
  const { user } = renderScreen(<HubSpot />);
  await user.click(await screen.findByRole('button', { name: 'Set up' }));
  const names = await screen.findByRole('checkbox', { name: 'Fill in names from HubSpot' });
  const owners = screen.getByRole('checkbox', { name: 'Assign conversations to owners' });
  expect([names, owners].map((one) => (one as HTMLInputElement).checked)).toEqual([true, false]);
  await user.click(names);
  await user.click(owners);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(saved()).toMatchObject({ config: { read_names: false, assign_owners: true } }),
  );
});

test('a field that is chosen is shown by its name, not as the API calls it', async () => {
  withAccount('hubspot', {});
  const { user } = renderScreen(<HubSpot />);
  await user.click(await screen.findByRole('button', { name: 'Set up' }));
  const fields = await screen.findAllByRole('combobox', { name: 'Our field' });
  expect(fields.map((one) => (one as HTMLInputElement).value)).toEqual([
    ...['Street', 'City', 'State', 'ZIP code'],
  ]);
});

test('what was set of a Salesforce org stays as it was set', async () => {
  withAccount('salesforce', {
    ...{ instance: 'harbor.my.salesforce.com', rules: [{ event: 'call.completed' }] },
    ...{ read_names: false, assign_owners: true },
  });
  const { user } = renderScreen(<Salesforce />);
  await user.click(await screen.findByRole('button', { name: 'Set up' }));
  await screen.findByRole('checkbox', { name: 'Fill in names from Salesforce' });
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() =>
    expect(saved()).toMatchObject({ config: { read_names: false, assign_owners: true } }),
  );
});

test('what can’t be read back is said on the account, which can be connected again', async () => {
  const text = 'Contacts can’t be read. HubSpot doesn’t allow it. Connect the account again.';
  mockReply(oauthIntegrations.listOAuthIntegrations, {
    data: [
      {
        ...example!, // it has one
        ...{ provider: 'hubspot', status: 'active', config: {} },
        last_error: { at: '2026-11-27T15:00:00.000Z', code: 'reading_failed', text },
        destinations: [
          {
            ...{ id: 1, key: 'account', name: 'Contacts', sent_30d: 2, failed_30d: 0 },
            ...{ last_sent_at: '2026-11-27T15:05:00.000Z', last_error: null },
          },
        ],
      },
    ],
    providers: [],
    meta: { simulated: true },
  });
  const { user } = renderScreen(<HubSpot />);
  await screen.findByText(text);
  expect(screen.queryByText('Active')).toBeNull();
  expect(screen.getByRole('button', { name: 'Turn off' })).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Reconnect' }));
  await waitFor(() => expect(requestsTo(connections.redirectToOAuthProvider)).toHaveLength(1));
});
