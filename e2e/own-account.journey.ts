import { expect, test } from 'vitest';
import { switchTheme, violations } from './axe.ts';
import { createCompany } from './test-company.ts';

/** An owner hears what is in the way; a user deletes their account by keyboard and is gone for others. */
test('who owns a company can’t delete their account; a user can, and can’t sign in afterwards', async () => {
  const {
    open,
    people,
    id: company,
    ask,
  } = await createCompany('Harbor Dental Leaving', { Olive: 'owner', Una: 'user' });
  const owner = await open('/settings/profile');
  await owner.page.getByRole('button', { name: 'Delete my account' }).click();
  const refused = owner.page.getByRole('dialog', { name: 'Delete your account?' });
  await refused.getByText('You own a company. Transfer its ownership first.').waitFor();
  await refused.getByText('Harbor Dental Leaving', { exact: true }).waitFor();
  expect(await refused.getByRole('button', { name: 'Delete my account' }).isDisabled()).toBe(true);
  expect(await violations(owner.page)).toEqual([]);

  const { page, consoleErrors } = await open('/settings/profile', people.Una!);
  const more = page.getByRole('button', { name: 'Delete my account' });
  await more.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  await dialog.getByText('Your place in Harbor Dental Leaving').waitFor();
  const light = await violations(page);
  await switchTheme(page, 'dark');
  expect([...light, ...(await violations(page))]).toEqual([]);
  await dialog.getByRole('textbox', { name: /^Type .* to confirm$/ }).fill(people.Una!.email);
  await page.keyboard.press('Enter');
  const password = page.getByRole('dialog').getByLabel('Password');
  await password
    .or(page.getByRole('heading', { name: 'Sign in' }))
    .first()
    .waitFor();
  if (await password.isVisible()) {
    await password.fill('trunkline-demo');
    await page.keyboard.press('Enter');
  }
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByText('Your account was deleted.').waitFor();
  await page.getByLabel('Email').fill(people.Una!.email);
  await page.getByLabel('Password').first().fill('trunkline-demo');
  await page.keyboard.press('Enter');
  await page.getByText('These credentials do not match our records.').waitFor();
  // A job takes them out of the company.
  const members = async () =>
    (await ask<{ data: { id: number }[] }>('GET', `/companies/${company}/users`)).data.length;
  await expect.poll(members, { timeout: 60_000, interval: 500 }).toBe(1);
  expect(consoleErrors.filter((line) => !/401|403|422/.test(line))).toEqual([]);
});
