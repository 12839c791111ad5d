import { expect, test } from 'vitest';
import { expectFine, getNumber, openWithNumber } from './caddy-person.ts';

test('a person buys a larger plan by card, takes a second number, and ends the plan', async () => {
  const { visit, page, consoleErrors } = await openWithNumber();
  await page.getByRole('link', { name: 'Get a number' }).tap();
  await page.getByRole('button', { name: 'Get this number' }).tap();
  const sheet = page.getByRole('dialog');
  await sheet.getByRole('button', { name: 'Get this number' }).tap();
  await sheet.getByText('Your plan has 1 number. Upgrade, or stop one first.').waitFor();
  await sheet.getByRole('link', { name: 'See plans' }).tap();
  await page.getByText('You are on the free plan.').waitFor();
  await expectFine(visit);

  await page.getByRole('button', { name: 'Add a card' }).tap();
  const card = page.getByRole('dialog', { name: 'Card' });
  await card.getByLabel('Card number').fill('4242424242424242');
  await card.getByLabel('Expires').fill('09/39');
  await card.getByLabel('Security code').fill('123');
  await expectFine(visit);
  await card.getByRole('button', { name: 'Save card' }).tap();
  await page.getByText('ending in 4242').first().waitFor();
  await page.getByRole('button', { name: 'Choose a plan' }).tap();
  const plans = page.getByRole('dialog', { name: 'Plans' });
  await plans.getByText('Phone numbers: 3').waitFor();
  expect(await plans.getByText('Slack').count()).toBe(0);
  await expectFine(visit);
  await plans.getByRole('button', { name: /^Choose Unlimited/ }).tap();
  const change = page.getByRole('dialog', { name: 'Change to Unlimited?' });
  await change.getByText('Charged now').waitFor();
  await expectFine(visit);
  await change.getByRole('button', { name: 'Change now' }).tap();
  await page.getByText('Trial', { exact: true }).waitFor();
  await page.getByText('of 5,000').waitFor();
  await page.getByText('The first one comes when your trial ends.').waitFor();
  await expectFine(visit);

  await page.getByRole('link', { name: 'Numbers', exact: true }).tap();
  await page.getByRole('link', { name: 'Get a number' }).tap();
  await getNumber(page, 'Landlord');
  await expect.poll(() => page.getByText('Active', { exact: true }).count()).toBe(2);

  await page.getByRole('link', { name: 'Account', exact: true }).tap();
  await page.getByText('Plan: Unlimited').waitFor();
  await page.getByRole('link', { name: 'Plan', exact: true }).tap();
  await page.getByRole('button', { name: 'Cancel plan' }).tap();
  const ending = page.getByRole('dialog', { name: 'Cancel plan' });
  await ending.getByLabel('It isn’t used').check();
  await expectFine(visit);
  await ending.getByRole('button', { name: 'End plan' }).tap();
  await page.getByText('Ends soon').waitFor();
  await page.getByRole('button', { name: 'Keep plan' }).tap();
  await page.getByText('Ends soon').waitFor({ state: 'detached' });
  expect(consoleErrors.filter((line) => !line.includes('403'))).toEqual([]);
});
