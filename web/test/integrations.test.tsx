import { expect, test } from 'vitest';
import { connections, oauthIntegrations } from '#contract';
import { toast } from '#ui';
import Integrations from '../src/features/connections/screens/Integrations.tsx';
import {
  errorReply,
  exampleAnswer,
  mockReply,
  renderScreen,
  requestsTo,
  screen,
  testLocation,
  waitFor,
  within,
} from './screen.tsx';

test('a connected account is shown with its provider, and is disconnected after a question', async () => {
  const { user } = renderScreen(<Integrations />);
  await screen.findByText('harbor.example.com');
  await user.click(screen.getByRole('button', { name: 'Disconnect' }));
  expect(requestsTo(oauthIntegrations.removeOAuthIntegration)).toEqual([]);
  const dialog = await screen.findByRole('dialog');
  await user.click(within(dialog).getByRole('button', { name: 'Disconnect' }));
  await waitFor(() => expect(toast.store.get().notice?.title).toBe('HubSpot disconnected'));
  expect(requestsTo(oauthIntegrations.removeOAuthIntegration)).toHaveLength(1);
});

test.each([
  ['outcome=connected', 'HubSpot is connected'],
  ['outcome=failed&reason=refused', 'HubSpot wasn’t connected. Access was declined.'],
  ['outcome=failed&reason=away', 'HubSpot didn’t respond. Try again in a few minutes.'],
  ['outcome=failed&reason=state', 'That link has expired. Connect HubSpot again.'],
])(
  'back from the provider with %s, the person reads how it went, once',
  async (query, sentence) => {
    renderScreen(<Integrations />, { address: `/integrations?provider=hubspot&${query}` });
    await waitFor(() => expect(toast.store.get().notice?.title).toBe(sentence));
    await waitFor(() => expect(testLocation.href).toBe('/integrations'));
  },
);

test('a connection that can’t be started says why, and can be tried again', async () => {
  mockReply(
    connections.redirectToOAuthProvider,
    errorReply(403, {
      errors: [{ status: 403, code: 'role.forbidden', title: 'Your role does not allow this.' }],
      message: 'Your role does not allow this.',
    }),
  );
  mockReply(oauthIntegrations.listOAuthIntegrations, {
    ...exampleAnswer(oauthIntegrations.listOAuthIntegrations),
    data: [],
    providers: [{ name: 'hubspot', label: 'HubSpot', ready: true, delivers: false, setup: null }],
  });
  const { user } = renderScreen(<Integrations />);
  const connect = await screen.findByRole('button', { name: 'Connect' });
  await user.click(connect);
  await waitFor(() =>
    expect(toast.store.get().notice?.title).toBe('Your role does not allow this.'),
  );
  await waitFor(() => expect(connect.hasAttribute('data-loading')).toBe(false));
});

test('a provider that this server can’t connect isn’t offered; its accounts stay', async () => {
  mockReply(oauthIntegrations.listOAuthIntegrations, {
    ...exampleAnswer(oauthIntegrations.listOAuthIntegrations),
    data: [],
    providers: [
      { name: 'salesforce', label: 'Salesforce', ready: false, delivers: false, setup: null },
    ],
  });
  renderScreen(<Integrations />);
  await screen.findByText('Nothing to connect yet');
  expect(screen.queryByText('Salesforce')).toBeNull();
});

test('operators read what to set on the server; the search finds a provider', async () => {
  const offered = { ready: true, delivers: true, setup: null };
  mockReply(oauthIntegrations.listOAuthIntegrations, {
    ...exampleAnswer(oauthIntegrations.listOAuthIntegrations),
    data: [],
    providers: [
      { ...offered, name: 'slackbot', label: 'Slack' },
      { ...offered, name: 'metaads', label: 'Meta Ads' },
      {
        name: 'hubspot',
        label: 'HubSpot',
        ready: false,
        delivers: false,
        setup: { variables: ['HUBSPOT_CLIENT_ID'], redirect_url: 'https://phones.test/callback' },
      },
    ],
  });
  const { user } = renderScreen(<Integrations />);
  await screen.findByText('HUBSPOT_CLIENT_ID');
  screen.getByText('https://phones.test/callback');
  await user.type(screen.getByLabelText('Search integrations'), 'slack');
  await waitFor(() => expect(screen.queryByText('Meta Ads')).toBeNull());
  expect(screen.getAllByText('Slack')).toHaveLength(1);
});

test('an account whose access has ended can be connected again', async () => {
  const [account] = exampleAnswer(oauthIntegrations.listOAuthIntegrations).data;
  mockReply(oauthIntegrations.listOAuthIntegrations, {
    ...exampleAnswer(oauthIntegrations.listOAuthIntegrations),
    data: account ? [{ ...account, status: 'expired' as const }] : [],
  });
  const { user } = renderScreen(<Integrations />);
  await user.click(await screen.findByRole('button', { name: 'Reconnect' }));
  await waitFor(() => expect(requestsTo(connections.redirectToOAuthProvider)).toHaveLength(1));
});
