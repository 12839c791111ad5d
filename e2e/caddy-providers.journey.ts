import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { enterCode, expectFine, openPhone } from './caddy-person.ts';

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
/** From a page of Caddy to the simulated provider's, with the keyboard alone. */
async function leaveFor(page: Page, label: 'Google' | 'Apple'): Promise<void> {
  await page.getByRole('button', { name: `Continue with ${label}` }).focus();
  await page.keyboard.press('Enter');
  await heading(page, `Sign in with ${label}`).waitFor();
}
const choose = (page: Page, account: RegExp) => page.getByRole('button', { name: account }).tap();
async function signOut(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Account', exact: true }).tap();
  await page.getByRole('button', { name: 'Sign out' }).tap();
  await heading(page, 'Welcome back').waitFor();
}

test('a person signs up with Google, and signs in again', async () => {
  const visit = await openPhone('/caddy/welcome');
  const { page } = visit;
  await expectFine(visit);
  await leaveFor(page, 'Google');
  await page.getByText('Google is simulated here').waitFor();
  await choose(page, /^Alex Morgan/);
  await heading(page, 'Choose a number').waitFor();
  expect(page.url()).not.toContain('id_token');
  await page.goto('/caddy/account/profile');
  expect(await page.getByLabel('First name').inputValue()).toBe('Alex');
  await signOut(page);
  await expectFine(visit);
  await leaveFor(page, 'Google');
  await choose(page, /^Alex Morgan/);
  await page.getByRole('link', { name: 'Account', exact: true }).waitFor();
  // The page of someone who has no account asks first.
  await signOut(page);
  await leaveFor(page, 'Apple');
  await choose(page, /^Someone new/);
  await heading(page, 'Create your account?').waitFor();
  await expectFine(visit);
  await page.getByRole('button', { name: 'Create account' }).tap();
  await heading(page, 'Choose a number').waitFor();
});

test('a token that this tab didn’t ask for opens nothing, and who cancels starts again', async () => {
  const visit = await openPhone('/caddy/sign-in?next=/caddy/numbers');
  const { page } = visit;
  await leaveFor(page, 'Apple');
  await choose(page, /^Cancel/);
  await heading(page, 'Sign-in canceled').waitFor();
  await expectFine(visit);
  await page.getByRole('link', { name: 'Back to sign-in' }).tap();
  expect(page.url()).toContain('next=/caddy/numbers');
  await page.goto('about:blank');
  await page.goto('/caddy/sign-in/return#state=tls_other&id_token=a.b.c');
  await heading(page, 'That didn’t work').waitFor();
  expect(page.url()).not.toContain('id_token');
});

test('an account by email is connected with a code', async () => {
  const visit = await openPhone('/caddy/');
  const { page } = visit;
  // The one that the simulated page knows by its address.
  await page.goto('/caddy/sign-in');
  await leaveFor(page, 'Apple');
  await enterCode(page, 'customer@demo.test', async () => choose(page, /^Casey Customer/));
  await page.getByRole('link', { name: 'Account', exact: true }).waitFor();
  await signOut(page);
  await leaveFor(page, 'Apple');
  await choose(page, /^Casey Customer/);
  await page.getByRole('link', { name: 'Account', exact: true }).waitFor();
});
