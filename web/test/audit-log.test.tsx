import { expect, test } from 'vitest';
import { audit } from '#contract';
import SettingsAuditLog from '../src/features/settings/screens/SettingsAuditLog.tsx';
import { changesOf } from '../src/features/settings/audit/changes.ts';
import { mockReply, pageOf, renderScreen, requestsTo, screen, waitFor, within } from './screen.tsx';

test('an entry opens with its fields before and after', async () => {
  const { user } = renderScreen(<SettingsAuditLog />, { address: '/settings/audit-log' });
  await user.click(await screen.findByRole('button', { name: /Ann Fox changed a user/ }));
  const dialog = await screen.findByRole('dialog');
  const row = await within(dialog).findByRole('row', { name: /Role/ });
  expect(row.textContent).toBe('Roleuseradministrator');
});

test('without entries that match, the filters can be cleared', async () => {
  mockReply(audit.listAuditLog, pageOf([]));
  const { user } = renderScreen(<SettingsAuditLog />, {
    address: '/settings/audit-log?group=numbers',
  });
  await screen.findByText('No entries match');
  expect(requestsTo(audit.listAuditLog).at(-1)!.query).toMatchObject({ group: 'numbers' });
  await user.click(screen.getAllByRole('button', { name: 'Clear filters' })[0]!);
  await screen.findByText('No entries yet');
});

test('the shown entries are exported with the same filters', async () => {
  const { user } = renderScreen(<SettingsAuditLog />, {
    address: '/settings/audit-log?group=access',
  });
  await user.click(await screen.findByRole('button', { name: 'Export' }));
  await user.click(await screen.findByRole('menuitem', { name: 'CSV for spreadsheets' }));
  await waitFor(() =>
    expect(requestsTo(audit.exportAuditLog)[0]!.body).toMatchObject({
      group: 'access',
      format: 'csv',
    }),
  );
});

test('a change lists only the fields that differ', () => {
  expect(
    changesOf({ role: 'user', a: { b: 1, c: 2 } }, { role: 'owner', a: { b: 1, c: 3 }, n: [1, 2] }),
  ).toEqual([
    { field: 'role', before: 'user', after: 'owner' },
    { field: 'a.c', before: '2', after: '3' },
    { field: 'n', before: null, after: '1, 2' },
  ]);
  expect(changesOf(null, null)).toEqual([]);
});
