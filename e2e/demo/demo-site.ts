import { expect, test } from 'vitest';
import { openVisit, signInAsDemoOwner } from '../browser.ts';
import { violations } from '../axe.ts';

/** The demo's website, from how one comes there to the call that says so. */
test('a visitor of the demo’s website calls the number they see, and the call says where they came from', async () => {
  const company = await openVisit('/login');
  await signInAsDemoOwner(company.page);
  await company.page.goto('/tracking/live');
  const feed = company.page;
  await feed.getByRole('grid', { name: 'Live feed' }).waitFor();

  // Robots get no number: the browser says that it is one.
  const { page, consoleErrors } = await openVisit('/demo-site', {
    userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 15_0) Chrome/147.0.0.0',
  });
  expect(await violations(page)).toEqual([]);
  const numbers = new Map<string, string>();
  for (const [name, source] of [
    ['Google Ads', 'Google Ads'],
    ['Direct', 'Direct'],
    ['Email', 'Email'],
  ] as const) {
    await page.getByRole('link', { name: new RegExp(`^${name}`) }).click();
    await page.getByText('You come from').waitFor();
    await expect.poll(() => page.textContent('#seen')).toMatch(/^\(212\) 555-23[67]\d$/);
    numbers.set(name, (await page.textContent('#number')) ?? '');
    await feed
      .getByRole('row', { name: `Visit began, from ${source}` })
      .first()
      .waitFor();
  }
  expect(new Set(numbers.values()).size).toBe(3);
  expect(await page.textContent('[data-dni-noswap]')).toBe('(212) 555-2300');
  expect(await violations(page)).toEqual([]);

  await page.getByRole('button', { name: 'Call this number' }).click();
  await page.getByText(/^Calling .+ from a simulated phone\.$/).waitFor();
  const call = feed.getByRole('row', { name: 'Call, from Email' }).first();
  await call.getByText(numbers.get('Email') ?? '').waitFor();
  await page.getByRole('button', { name: 'Hang up' }).click();
  await page.getByText(/^The call is over/).waitFor();
  await call.getByRole('link', { name: 'Call' }).click();
  await feed.waitForURL(/\/calls\/\d+/);
  const found = feed
    .locator('section')
    .filter({ has: feed.getByRole('heading', { name: 'Source', exact: true }) });
  for (const text of ['Email', 'spring-smile', '100%'])
    await found.getByText(text, { exact: true }).first().waitFor();
  expect(consoleErrors).toEqual([]);
});
