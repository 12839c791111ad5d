import { expect, test } from 'vitest';
import { archive } from '#contract';
import SettingsData from '../src/features/archive/screens/SettingsData.tsx';
import { renderScreen, requestsTo, screen, waitFor, within } from './screen.tsx';

test('an archive is created after the password, and a finished one is downloaded', async () => {
  const { user } = renderScreen(<SettingsData />, { address: '/settings/data' });
  const link = await screen.findByRole('link', { name: 'Download' });
  expect(link.getAttribute('href')).toMatch(/^\/api\/companies\/\d+\/exports\/\d+\/file$/);
  await user.click(screen.getByRole('button', { name: 'Create archive' }));
  const dialog = await screen.findByRole('dialog');
  await user.type(within(dialog).getByLabelText('Your password'), 'trunkline-demo');
  await user.click(within(dialog).getByRole('button', { name: 'Create archive' }));
  await waitFor(() =>
    expect(requestsTo(archive.startArchive)[0]!.body).toEqual({ password: 'trunkline-demo' }),
  );
});
