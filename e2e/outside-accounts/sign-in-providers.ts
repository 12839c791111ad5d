import { expect, test } from 'vitest';
import { violations } from '../axe.ts';
import { openVisit, waitForNotice } from '../browser.ts';
import { providerSays, url } from './installation.ts';

test('the owner links a provider at the sign-in page, signs in with it and unlinks it', async () => {
  providerSays({ sub: 'olive', email: 'owner@demo.test', email_verified: true });
  const { page, context, consoleErrors } = await openVisit('/login?next=%2Fcalls', {
    baseURL: url,
  });
  await page.getByRole('link', { name: 'Continue with Harbor ID' }).click();
  await page.getByText('Sign in as before, and you can link Harbor ID to it.').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByLabel('Email').fill('owner@demo.test');
  await page.getByRole('textbox', { name: 'Password' }).fill('trunkline-demo');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Link', exact: true }).click();
  await waitForNotice(page, 'Harbor ID linked');
  const row = page.getByRole('group', { name: 'Harbor ID' });
  await row.getByText('owner@demo.test').waitFor();
  expect(await violations(page)).toEqual([]);

  await context.clearCookies();
  await page.goto(`${url}/login?next=%2Fcalls`);
  await page.getByRole('link', { name: 'Continue with Harbor ID' }).click();
  await page.waitForURL(`${url}/calls`);

  await page.goto(`${url}/settings/security`);
  await row.getByRole('button', { name: 'Unlink', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Unlink', exact: true }).click();
  await row.getByRole('button', { name: 'Link', exact: true }).click();
  await waitForNotice(page, 'Harbor ID linked');
  expect(consoleErrors.filter((line) => !/401|favicon|\/authorize\?/.test(line))).toEqual([]);
});

test('someone new signs up through a provider and sets a password', async () => {
  providerSays({
    ...{ sub: 'ann', email: 'ann@newcomer.test', email_verified: true },
    ...{ given_name: 'Ann', family_name: 'Fox' },
  });
  const { page } = await openVisit('/login', { baseURL: url });
  await page.getByRole('link', { name: 'Continue with Harbor ID' }).click();
  await page.getByRole('link', { name: 'Create one with Harbor ID' }).click();
  await page.getByText('Harbor ID says you’re ann@newcomer.test.').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByLabel('Company').fill('Newcomer Dental');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.waitForURL((to) => !to.pathname.startsWith('/signup'));
  await page.goto(`${url}/settings/profile`);
  await page.getByLabel('New password', { exact: true }).fill('a long enough sentence');
  await page.getByLabel('New password again').fill('a long enough sentence');
  await page.getByRole('button', { name: 'Set a password' }).click();
  await waitForNotice(page, 'Your password was successfully changed');
  await page.getByRole('button', { name: 'Change password' }).waitFor();
});
