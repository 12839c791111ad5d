import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { api, signInAsDemoOwner, harborDental, waitForNotice, openVisit } from '../browser.ts';

/**
 * Sends a text to a new contact from one of our numbers through the API. Returns the status and the
 * error code.
 */
async function textFrom(
  page: Page,
  label: string,
  to: string,
): Promise<[number, string | undefined]> {
  const company = await harborDental(page);
  const number = (
    (await api(page, 'GET', `/numbers/list/${company}`)).body.data as {
      id: number;
      label: string;
    }[]
  ).find((n) => n.label === label)!.id;
  const sent = await api(page, 'POST', '/message', {
    company_id: company,
    numberId: number,
    to,
    message: 'See you at ten.',
  });
  return [sent.status, sent.body.code as string | undefined];
}

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: option, exact: true }).click();
}
async function setOnlyRegistered(page: Page, on: boolean): Promise<void> {
  const turn = page.getByRole('switch', { name: 'Only registered numbers can text' });
  await expect.poll(() => turn.isEnabled()).toBe(true);
  if ((await turn.isChecked()) !== on) await turn.click();
  await expect.poll(() => turn.isChecked()).toBe(on);
}
const onwards = (page: Page) => page.getByRole('button', { name: 'Save and continue' }).click();

test('a registration is rejected, fixed and approved; a number joins it, and then its texts are allowed', async () => {
  const { page, consoleErrors } = await openVisit('/login');
  await signInAsDemoOwner(page);
  await page.goto('/settings/sms-verification');
  await setOnlyRegistered(page, true);

  // A second campaign of the brand that the registry knows.
  await page.getByRole('button', { name: 'Register', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Another campaign of Harbor Dental' }).click();
  await page.getByText('This brand is already registered').waitFor();
  await onwards(page);
  await choose(page, 'Use case', 'Delivery notification');
  await choose(page, 'Texts per month', '10,001-25,000');
  await page
    .getByLabel('Description')
    .fill('Tells patients that what they ordered lies ready at the desk.');
  await page.getByLabel('Privacy policy URL').fill('harbor-dental.test/privacy');
  await onwards(page);
  await choose(page, 'Method', 'Text to join');
  await page
    .getByLabel('What people see and do')
    .fill('Patients text READY to the number on the order form.');
  await page.getByRole('combobox', { name: 'Keywords they text' }).fill('READY');
  await page.keyboard.press('Enter');
  await page.getByText('Proof added').waitFor();
  await onwards(page);
  await page
    .getByLabel('Sample 1')
    .fill('Harbor Dental: your night guard is ready. Reply STOP to stop.');
  await page.getByLabel('Sample 2').fill('Harbor Dental: your aligners have arrived.');
  await page.getByText('Missing STOP').waitFor();
  await page
    .getByLabel('When they join')
    .fill('Harbor Dental: we tell you when things are ready. Reply STOP to stop.');
  await page.getByLabel('When they stop').fill('Harbor Dental: no more texts.');
  await page.getByLabel('When they text HELP').fill('Harbor Dental: call (212) 555-2300.');
  await onwards(page);
  await page.getByLabel(/New patients/).check();
  await onwards(page);
  await page.getByText('Everything is complete.').waitFor();
  await page.getByText('Checked against the sandbox’s simulated site').first().waitFor();
  await page.getByRole('button', { name: 'Submit' }).click();
  await waitForNotice(page, 'SMS verification submitted');
  await page.getByText('In review').first().waitFor();
  await expect
    .poll(() => textFrom(page, 'New patients', '+12125550171'))
    .toEqual([422, 'number.not_verified']);

  // The reviewer rejects it with a reason, shown without a reload.
  await page.getByRole('button', { name: 'Sandbox: decide now' }).click();
  await page.getByText('Sample message 2 doesn’t explain how to opt out.').first().waitFor();
  await page.getByRole('button', { name: /Samples/ }).click();
  await page
    .getByLabel('Sample 2')
    .fill('Harbor Dental: your aligners have arrived. Reply STOP to stop.');
  await page.getByRole('button', { name: 'Save draft' }).click();
  await waitForNotice(page, 'Draft saved');
  await page.getByRole('button', { name: /Review/ }).click();
  await page.getByText('Everything is complete.').waitFor();
  await page.getByRole('button', { name: 'Submit' }).click();
  await page.getByText('In review').first().waitFor();
  await page.getByRole('button', { name: 'Sandbox: decide now' }).click();
  await page.getByText('120 text segments per second').first().waitFor();
  await expect.poll(() => textFrom(page, 'New patients', '+12125550172')).toEqual([201, undefined]);

  // Another number joins the approved campaign.
  await page.getByRole('button', { name: 'Add numbers' }).click();
  await page
    .getByRole('dialog')
    .getByLabel(/Brooklyn office/)
    .check();
  await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click();
  await waitForNotice(page, 'Numbers added to campaign');
  await expect
    .poll(() =>
      page
        .getByRole('listitem')
        .filter({ hasText: 'Brooklyn office' })
        .getByText('Approved')
        .count(),
    )
    .toBe(1);
  await expect
    .poll(() => textFrom(page, 'Brooklyn office', '+12125550173'))
    .toEqual([201, undefined]);
  // Other tests share this world: the setting is restored.
  await page.goto('/settings/sms-verification');
  await setOnlyRegistered(page, false);
  expect(consoleErrors.filter((line) => !/401|422|404|favicon/.test(line))).toEqual([]);
}, 600_000);
