import { readFile } from 'node:fs/promises';
import { PDFiumLibrary } from '@hyzyla/pdfium';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { violations } from './axe.ts';
import { openVisit, signInAsDemoOwner, signInAsDemoRole } from './browser.ts';
import { createCompany } from './test-company.ts';

/** A plan from its trial to its end, with a card that is declined on the way. */
const addCard = async (page: Page, number: string): Promise<void> => {
  await page.getByRole('button', { name: /^(Add a|Change) card$/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Card' });
  await dialog.getByLabel('Card number').fill(number);
  await dialog.getByLabel('Expires').fill('09/39');
  await dialog.getByLabel('Security code').fill('123');
  await dialog.getByRole('button', { name: 'Save card' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page
    .getByText(`ending in ${number.slice(-4)}`)
    .first()
    .waitFor();
};
const choose = async (page: Page, open: string, plan: RegExp): Promise<void> => {
  await page.getByRole('button', { name: open }).click();
  await page.getByRole('button', { name: plan }).click();
};
const fact = (page: Page, name: string) =>
  page
    .locator('dl > div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .locator('dd');

test('trial, declined card, payment, upgrade, invoice, downgrade, a smaller plan instead of the end, and an unpaid month', async () => {
  const company = await createCompany('Alder Lane Physio', { Olive: 'owner', Uma: 'user' });
  const { page, consoleErrors } = await company.open('/settings/billing');
  await choose(page, 'Choose a plan', /^Choose Starter/);
  await page.getByRole('dialog').getByRole('button', { name: 'Change now' }).click();
  await page.getByText('Trial', { exact: true }).waitFor();
  await addCard(page, '4000000000000341');

  // Staff let the trial pass: the card is declined.
  const staff = await openVisit('/login');
  await signInAsDemoRole(staff.page, 'Platform admin');
  await staff.page.getByRole('button', { name: 'Allow changes' }).click();
  await staff.page.getByText('Admin mode, with changes').waitFor();
  await staff.page.goto('/admin/billing');
  await staff.page.getByRole('searchbox').fill(company.name);
  // Rows move until the list has followed the search.
  await expect
    .poll(async () => (await staff.page.getByRole('row').allTextContents()).slice(1))
    .toEqual([expect.stringContaining(company.name)]);
  await staff.page.getByRole('row', { name: company.name }).click();
  const passDays = async (days: number): Promise<void> => {
    const name = days === 1 ? '1 day' : `${days} days`;
    const passed = staff.page.waitForResponse((response) => response.url().includes('/clock'));
    await staff.page.getByRole('button', { name, exact: true }).click();
    expect((await passed).status()).toBe(200);
  };
  for (let i = 0; i < 3; i++) await passDays(5);
  await page
    .getByRole('alert')
    .getByText('Your account has an outstanding balance of $19')
    .waitFor();
  await fact(page, 'State').getByText('Past due').waitFor();
  await addCard(page, '4242424242424242');
  // The new card pays what is owed.
  await fact(page, 'State').getByText('Active').waitFor();

  // A larger plan begins now; its invoice adds up.
  await choose(page, 'Change plan', /^Choose Premium, \$79/);
  const preview = page.getByRole('dialog', { name: 'Change to Premium?' });
  const charged = await fact(page, 'Charged now').innerText();
  await preview.getByRole('button', { name: 'Change now' }).click();
  await fact(page, 'Plan').getByText('Premium, $79 a month').waitFor();
  const row = page.getByRole('row').filter({ hasText: charged }).first();
  const loading = page.waitForEvent('download');
  await row.getByRole('link', { name: /^INV-/ }).click();
  const bytes = await readFile(await (await loading).path());
  const pdf = await (await PDFiumLibrary.init()).loadDocument(new Uint8Array(bytes));
  const text = [...pdf.pages()].map((one) => one.getText()).join('\n');
  pdf.destroy();
  expect(text).toContain('Premium for the rest of the period');
  expect(text).toContain('Unused time of Starter');
  expect(text).toContain(charged);

  // A smaller one waits for the period's end, and can be taken back.
  await choose(page, 'Change plan', /^Choose Unlimited, \$39/);
  await page.getByRole('dialog').getByRole('button', { name: 'Change then' }).click();
  await fact(page, 'Changes to').getByText('Unlimited').waitFor();
  await page.getByRole('button', { name: 'Keep Premium' }).click();
  await fact(page, 'Changes to').waitFor({ state: 'detached' });

  // Canceling offers it again.
  await page.getByRole('button', { name: 'Cancel plan' }).click();
  const cancel = page.getByRole('dialog', { name: 'Cancel plan' });
  await cancel.getByLabel('It costs too much').check();
  expect(await violations(page)).toEqual([]);
  await cancel.getByRole('button', { name: 'Change to Unlimited for $39 a month instead' }).click();
  await fact(page, 'Changes to').getByText('Unlimited').waitFor();
  await passDays(31);
  await fact(page, 'Plan').getByText('Unlimited, $39 a month').waitFor();

  // Unpaid, it is suspended after fifteen days: a user waits, the owner pays, both go on.
  await addCard(page, '4000000000000341');
  await passDays(31);
  for (let i = 0; i < 3; i++) await passDays(5);
  await staff.page.getByText('Suspended', { exact: true }).waitFor();
  const uma = await company.open('/inbox', company.people['Uma']);
  await uma.page.getByRole('heading', { name: 'Account suspended' }).waitFor();
  expect(await violations(uma.page)).toEqual([]);
  await page.reload();
  await addCard(page, '4242424242424242');
  await fact(page, 'State').getByText('Active').waitFor();
  await uma.page.reload();
  await uma.page.getByRole('heading', { name: 'Inbox' }).first().waitFor();
  expect(
    [...consoleErrors, ...staff.consoleErrors].filter((line) => !/40[1239]|422/.test(line)),
  ).toEqual([]);
});

test('the offer to pay by the year says what it costs, and stays away once declined', async () => {
  const { page } = await openVisit('/login');
  await signInAsDemoOwner(page);
  await page.goto('/settings/billing');
  const offer = page.locator('section').filter({ hasText: 'Pay by the year and save $300' });
  await offer.getByRole('button', { name: 'See what it costs' }).click();
  const preview = page.getByRole('dialog', { name: 'Pay by the year?' });
  await preview.getByText('Deluxe, $1,488 a year').waitFor();
  await preview.getByText('Credit for the time left').waitFor();
  expect(await violations(page)).toEqual([]);
  await preview.getByRole('button', { name: 'Cancel' }).click();
  await offer.getByRole('button', { name: 'No thanks' }).click();
  await offer.waitFor({ state: 'detached' });
  await page.reload();
  await fact(page, 'Plan').getByText('Deluxe, $149 a month').waitFor();
  expect(await offer.count()).toBe(0);
});
