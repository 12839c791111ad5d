import { expect, test } from 'vitest';
import { createCompany } from './test-company.ts';
import { openVisit, productUrl } from './browser.ts';

/** An invitation from the screen to the list of users. */
const isConsoleNoise = (consoleErrors: string[]) =>
  consoleErrors.filter((line) => !/40[13]|favicon/.test(line));

test('a person is invited in the screen, opens the link of the mail in their own browser, and is then among the users', async () => {
  const { open } = await createCompany('Harbor Dental Annex');
  const email = 'nora@annex-invited.test';
  const { page, consoleErrors } = await open('/settings/users');
  await page.getByRole('button', { name: 'Invite people' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Email addresses' }).fill(email);
  await dialog.getByRole('textbox', { name: /Message/ }).fill('Welcome to the front desk.');
  await dialog.getByRole('button', { name: 'Send invitations' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.goto('/settings/invitations');
  await page.getByRole('row', { name: email }).getByText('Pending').waitFor();

  const outbox = await (await fetch(`${productUrl()}/dev/outbox`)).text();
  const path = /\/invitations\/tli_[\w-]+/.exec(outbox)?.[0] ?? '';
  expect(path).not.toBe('');
  const guest = await openVisit(path);
  await guest.page.getByText('Welcome to the front desk.').waitFor();
  await guest.page.getByRole('textbox', { name: 'First name' }).fill('Nora');
  await guest.page.getByRole('textbox', { name: 'Last name' }).fill('North');
  await guest.page.getByLabel('Password', { exact: true }).fill('a long enough sentence');
  await guest.page.getByRole('button', { name: 'Create account and join' }).click();
  await guest.page.getByRole('navigation', { name: 'Main' }).waitFor();

  // The inviter's list follows by itself.
  await page
    .getByRole('row', { name: /Nora North|nora@/ })
    .getByText('Accepted')
    .waitFor();
  await page.goto('/settings/users');
  await page.getByRole('row', { name: 'Nora North' }).getByText('Active').waitFor();
  expect(isConsoleNoise(consoleErrors)).toEqual([]);
});
