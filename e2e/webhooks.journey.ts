import { expect, test } from 'vitest';
import { violations } from './axe.ts';
import { createCompany, sandboxRequest } from './test-company.ts';
import { waitForNotice } from './browser.ts';

test('an endpoint that fails is seen, set right, and gets the missed call it was owed', async () => {
  const company = await createCompany('Webhook Journey');
  const line = await company.number('503');
  const { page, consoleErrors } = await company.open('/integrations/webhooks');
  await page.getByText('No endpoints yet').waitFor();
  expect(await violations(page)).toEqual([]);

  await page.getByRole('button', { name: 'Add endpoint' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Booking');
  await dialog.getByLabel('Address').fill('https://crm.example/status/503');
  await dialog.getByRole('combobox', { name: /^Events/ }).press('ArrowDown');
  await page.getByRole('option', { name: 'Call missed' }).click();
  await dialog.getByLabel('Name').click();
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  await dialog.getByText(/^whsec_/).waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('row').filter({ hasText: 'Booking' }).click();
  await page.getByText('Nothing delivered yet').waitFor();

  const { data: call } = await sandboxRequest<{ data: { id: string } }>('POST', '/calls', {
    from: '+12025550163',
    to: line.number,
  });
  await expect
    .poll(async () => (await sandboxRequest<{ state: string }>('GET', `/calls/${call.id}`)).state)
    .not.toBe('new');
  await sandboxRequest('POST', `/calls/${call.id}/hangup`, {});
  const row = (event: string) => page.getByRole('row').filter({ hasText: event });
  await row('Call ended').getByText('Retrying').waitFor({ timeout: 60_000 });
  // What else is to be said of this call waits for its turn.
  await row('Call missed').getByText('Waiting').waitFor();

  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await dialog.getByLabel('Address').fill('https://crm.example/hooks');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await waitForNotice(page, 'Endpoint saved');
  await row('Call ended').click();
  await dialog.getByText('The receiver answered with status 503.').first().waitFor();
  await dialog.getByRole('button', { name: 'Try now' }).click();
  await dialog.getByText('Sent', { exact: true }).waitFor({ timeout: 60_000 });
  expect(await dialog.getByRole('listitem').count()).toBeGreaterThanOrEqual(2);
  expect(await dialog.innerText()).not.toContain('2025550163');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await row('Call missed').getByText('Sent').waitFor({ timeout: 60_000 });
  expect(await violations(page)).toEqual([]);
  expect(consoleErrors.filter((line) => !/401|favicon/.test(line))).toEqual([]);
});
