import { expect, test } from 'vitest';
import { accessTokens, identity } from '#contract';
import SettingsApiKeys from '../src/features/identity/screens/SettingsApiKeys.tsx';
import SettingsSessions from '../src/features/identity/screens/SettingsSessions.tsx';
import { mockReply, renderScreen, requestsTo, screen, waitFor, within } from './screen.tsx';

test('a key is revoked only after a question that names the effect', async () => {
  const { user } = renderScreen(<SettingsApiKeys />);
  await user.click(await screen.findByRole('button', { name: 'Revoke Reporting sheet' }));
  const dialog = await screen.findByRole('dialog');
  expect(requestsTo(accessTokens.deletePersonalAccessToken)).toEqual([]);
  within(dialog).getByText(/stop working at once/);
  await user.click(within(dialog).getByRole('button', { name: 'Revoke' }));
  await waitFor(() => expect(requestsTo(accessTokens.deletePersonalAccessToken)).toHaveLength(1));
});

test('a new key is shown once, with a line to try it', async () => {
  const { user } = renderScreen(<SettingsApiKeys />);
  await user.click(await screen.findByRole('button', { name: 'New API key' }));
  const dialog = await screen.findByRole('dialog');
  await user.type(within(dialog).getByRole('textbox', { name: 'Name' }), 'Sheet');
  await user.click(within(dialog).getByRole('button', { name: 'Create' }));
  await screen.findByText(/curl -H "Authorization: Bearer tlk_9fQx2b…"/);
  expect(requestsTo(accessTokens.createPersonalAccessToken)).toHaveLength(1);
});

test('other sessions can be ended, the current one is marked', async () => {
  const session = (id: number, current: boolean) => ({
    id,
    kind: 'browser' as const,
    device_name: null,
    device: current ? 'Chrome on Windows' : 'Safari on iPhone',
    ip: '203.0.113.7',
    user_agent: null,
    current,
    created_at: '2026-11-21T09:15:04.000Z',
    last_seen_at: '2026-11-21T09:15:04.000Z',
  });
  mockReply(identity.listTokenSessions, { data: [session(1, true), session(2, false)] });
  const { user } = renderScreen(<SettingsSessions />);
  await user.click(await screen.findByRole('button', { name: 'End Safari on iPhone' }));
  await waitFor(() => expect(requestsTo(identity.endTokenSession)).toHaveLength(1));
  expect(screen.queryByRole('button', { name: 'End Chrome on Windows' })).toBeNull();
  screen.getByText('This session');
});
