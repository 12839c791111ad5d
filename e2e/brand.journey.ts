import sharp from 'sharp';
import { expect, test } from 'vitest';
import type { Page } from 'playwright-core';
import { openVisit, productUrl } from './browser.ts';
import { createCompany } from './test-company.ts';

/** An organization's own domain: its brand on the page of a stranger, in the app, and in email. */
const pixels = (background: string, width = 240, height = 60) =>
  sharp({ create: { width, height, channels: 4, background } })
    .png()
    .toBuffer();
const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/png', buffer });
const variable = (page: Page, name: string) =>
  page.evaluate((of) => getComputedStyle(document.documentElement).getPropertyValue(of), name);
const iconOf = (page: Page) =>
  page.evaluate(() => document.querySelector<HTMLLinkElement>('link[rel=icon]')?.href ?? '');
interface Mail {
  to: string;
  from: string | null;
  text: string;
  html: string;
}
const mailTo = async (to: string): Promise<Mail | undefined> => {
  const answer = await fetch(`${productUrl()}/dev/outbox.json`);
  const { data } = (await answer.json()) as { data: Mail[] };
  return data.find((mail) => mail.to === to && mail.from);
};

test('an administrator previews and saves a brand, and a visitor of the custom domain sees it on the page, in the app and in the email', async () => {
  const { ask, open, id } = await createCompany('Pier Chandlery');
  await ask('POST', '/business-units', { name: 'Pier', timezone: 'UTC', companyIds: [id] });
  const { page } = await open('/organization/tenant');
  page.setDefaultTimeout(20_000);

  // Seen before it is saved, in both themes.
  const chooseFile = (label: string) => page.locator(`input[type=file][aria-label="${label}"]`);
  await chooseFile('Logo').setInputFiles(file('logo.png', await pixels('#be123c')));
  await chooseFile('Icon of the browser tab').setInputFiles(
    file('icon.png', await pixels('#be123c', 64, 64)),
  );
  await page.getByLabel('Primary color').fill('#BE123C');
  const panes = page.locator('figure');
  await expect.poll(() => panes.locator('img[src^="blob:"]').count()).toBe(4);
  expect(await variable(page, '--mantine-color-accent-6')).not.toBe('#be123c');
  await page.getByRole('group', { name: 'Logo', exact: true }).scrollIntoViewIfNeeded();
  await page.keyboard.press('Escape');
  const look = page.locator('section', { has: page.getByRole('heading', { name: 'Look' }) });
  await look.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Look saved').waitFor();
  const information = page.locator('form', { has: page.getByLabel('Legal name') });
  await information.getByRole('textbox', { name: 'Name', exact: true }).fill('Pier Voice');
  await information.getByLabel('Email footer').fill('Pier Voice, 1 Dock Road');
  await information.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Information updated successfully').waitFor();

  // Names under .localhost lead to this machine in every browser.
  await page.goto('/organization/domain');
  await page.getByRole('textbox', { name: 'Domain', exact: true }).fill('pier.localhost');
  await page.getByRole('button', { name: 'Use this domain' }).click();
  await page.getByRole('button', { name: 'Create these records' }).click();
  await page.getByText('Active', { exact: true }).waitFor();

  const email = 'nora@pier-chandlery.test';
  await ask('POST', `/company/${id}/invite`, { email, role: 'user' });
  await expect.poll(() => mailTo(email), { timeout: 60_000 }).toBeTruthy();
  const sent = (await mailTo(email))!;
  const origin = new URL(productUrl());
  origin.hostname = 'app.pier.localhost';
  expect(sent.from).toBe('Pier Voice');
  expect(sent.text).toContain('Pier Voice, 1 Dock Road');
  expect(sent.html).toContain(`<img src="${origin.origin}/api/branding/`);
  const link = new RegExp(`${origin.origin}/invitations/[\\w-]+`).exec(sent.text)?.[0] ?? '';
  expect(link).not.toBe('');

  // The stranger sees only the brand, from the first page on.
  const guest = await openVisit(link, { baseURL: origin.origin, colorScheme: 'dark' });
  await guest.page.getByRole('textbox', { name: 'First name' }).fill('Nora');
  await expect.poll(() => guest.page.title()).toMatch(/– Pier Voice$/);
  await guest.page.getByRole('img', { name: 'Pier Voice' }).waitFor();
  await expect.poll(() => iconOf(guest.page)).toContain(`${origin.origin}/api/branding/`);
  await guest.page.getByText('Powered by Trunkline').waitFor();
  await guest.page.getByRole('textbox', { name: 'Last name' }).fill('North');
  await guest.page.getByLabel('Password', { exact: true }).fill('a long enough sentence');
  await guest.page.getByRole('button', { name: 'Create account and join' }).click();
  const main = guest.page.getByRole('navigation', { name: 'Main' });
  await main.waitFor();
  // The brand of the frame is loaded beside the screen, a moment after the navigation.
  await guest.page.getByRole('link', { name: 'Pier Voice' }).waitFor();
  await expect.poll(() => guest.page.title()).toMatch(/– Pier Voice$/);
  const dark = await variable(guest.page, '--mantine-color-accent-6');
  await guest.page.emulateMedia({ colorScheme: 'light' });
  await expect.poll(() => variable(guest.page, '--mantine-color-accent-6')).toBe('#be123c');
  expect(dark).toMatch(/^#/);
  expect(dark).not.toBe('#be123c');

  // A page of the product's own host has its own look.
  const elsewhere = await openVisit('/login');
  await elsewhere.page.getByText('Trunkline', { exact: true }).first().waitFor();
  expect(await elsewhere.page.getByText('Pier Voice').count()).toBe(0);

  // The default look comes back, on open screens as well.
  await page.goto('/organization/tenant');
  await page.getByRole('button', { name: 'Restore default' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore default' }).click();
  await page.getByText('Look saved').waitFor();
  await guest.page.getByRole('link', { name: 'Pier Voice' }).waitFor({ state: 'detached' });
  await expect.poll(() => variable(guest.page, '--mantine-color-accent-6')).toBe('#0f766e');
});
