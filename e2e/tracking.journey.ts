import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { switchTheme, violations } from './axe.ts';
import { productUrl } from './browser.ts';
import { createCompany, sandboxRequest } from './test-company.ts';

const site = 'https://www.journey-dental.example';
/** Whether a phone was on, or voicemail took it. */
const ended = /Missed call|Call sent to voicemail/;
const ad = `${site}/implants?gclid=Ea1&utm_campaign=implants&utm_term=dental+implants`;

/** What the script on a page sends when the page opens. */
async function openPage(companyKey: string, url: string, referrer: string) {
  const response = await fetch(`${productUrl()}/api/dni/v1/session`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: site,
      'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 26_0 like Mac OS X) Safari/604.1',
    },
    body: JSON.stringify({ companyKey, url, referrer, targets: ['+12125550100'] }),
  });
  expect(response.status).toBe(200);
  const { data } = (await response.json()) as { data: { swaps: { number: string }[] } };
  return data.swaps[0]!.number;
}

/** No axe violations and no horizontal overflow, in both themes, wide and narrow. */
async function expectFine(page: Page): Promise<void> {
  for (const width of [1360, 390])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 850 });
      await switchTheme(page, colorScheme);
      expect(await violations(page), `${page.url()} ${width} ${colorScheme}`).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
  await page.setViewportSize({ width: 1360, height: 850 });
}

test('a visitor from an ad calls the number that only they see, and the call says so', async () => {
  const company = await createCompany('Journey Dental');
  const { id: companyId, ask, number, open } = company;
  const lines = [await number('934'), await number('934')];
  const { data: pool } = await ask<{ data: { companyKey: string } }>(
    'POST',
    `/companies/${companyId}/dniPools`,
    { name: 'Website', numberIds: lines.map(({ id }) => id), domains: ['journey-dental.example'] },
  );
  const shown = await openPage(pool.companyKey, ad, 'https://www.google.com/');
  const others = await openPage(pool.companyKey, `${site}/`, 'https://www.bing.com/');
  expect(new Set([shown, others]).size).toBe(2);

  // The thread is open before the phone rings: it fills live.
  const { page, consoleErrors } = await open('/inbox');
  const { data: call } = await sandboxRequest<{ data: { id: string } }>('POST', '/calls', {
    from: '+19345550101',
    to: shown,
  });
  const list = page.getByRole('list', { name: 'Conversations' });
  await list.getByRole('listitem').first().click();
  await page.getByText(/Google Ads · implants · “dental implants” · \/implants/).waitFor();
  await expect
    .poll(async () => (await sandboxRequest<{ state: string }>('GET', `/calls/${call.id}`)).state)
    .not.toBe('new');
  await sandboxRequest('POST', `/calls/${call.id}/hangup`, {});
  await page.getByText(ended).first().waitFor();
  await page.getByText(/Google Ads · implants/).waitFor();

  await page.getByRole('link', { name: ended }).last().click();
  await page.waitForURL(/\/calls\/\d+/);
  const source = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Source', exact: true }) });
  for (const text of ['Google Ads', 'cpc', 'implants', 'dental implants', '100%'])
    await source.getByText(text, { exact: true }).first().waitFor();
  await source.getByText('Only this visitor was seeing the number.').waitFor();
  await source.getByText('journey-dental.example/implants').waitFor();
  await expectFine(page);

  await page.goto('/activity/calls');
  await page.getByText('Google Ads · implants').waitFor();
  await expectFine(page);

  // Lists are filtered by source, and by words of the campaign, keyword and page.
  await page.getByRole('combobox', { name: 'Source' }).click();
  await page.getByRole('option', { name: 'Google Ads', exact: true }).click();
  await page.getByRole('searchbox', { name: 'Campaign, keyword or page' }).fill('dental impl');
  await page.waitForURL(/source=google_ads.*from=dental/);
  await page.getByText('Google Ads · implants').waitFor();
  await expectFine(page);
  await page.goto('/activity/calls?source=yelp');
  await page.getByText('No results match these filters.').waitFor();

  // The other visitor texts the number that they see; the thread is open and says the source.
  await page.goto('/inbox');
  const text = (words: string) =>
    sandboxRequest('POST', '/texts', { from: '+19345550102', to: others, text: words, media: [] });
  await text('Do you have time on Friday?');
  await list.getByRole('listitem').filter({ hasText: 'Do you have time' }).click();
  const match = page.getByText('Source: Bing');
  await match.waitFor();
  await text('Or on Saturday?');
  await page.getByText('Or on Saturday?').last().waitFor();
  expect(await match.count()).toBe(1);
  await match.click();
  await page.getByText('The page showed the number').waitFor();
  await page.getByText('Only this visitor was seeing the number.').waitFor();
  await expectFine(page);

  // The inbox is searched by source.
  await page.goto('/inbox?search=source%3A%22google+ads%22');
  await list.getByText('(934) 555-0101').waitFor();
  expect(await list.getByText('(934) 555-0102').count()).toBe(0);

  // The report counts both, opens the calls behind a row, and is kept with its file.
  await page.goto('/tracking/reports');
  const row = page.getByRole('row', { name: /Google Ads/ }).first();
  await row.waitFor();
  await page.getByRole('heading', { name: 'Over all visitors' }).waitFor();
  await expectFine(page);
  await page.getByRole('button', { name: 'Save report' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('First week');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const file = page.getByRole('link', { name: 'First week' });
  await file.waitFor();
  const csv = await (await fetch(`${productUrl()}${await file.getAttribute('href')}`)).text();
  expect(csv).toMatch(/google_ads,Google Ads,1,1,/);
  await page.getByRole('button', { name: 'Delete First week' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await file.waitFor({ state: 'detached' });
  await page.getByRole('combobox', { name: 'Group by' }).click();
  await page.getByRole('option', { name: 'Campaign' }).click();
  await page.getByRole('row', { name: /implants/ }).waitFor();
  await expectFine(page);
  await page.goto('/tracking/reports');
  await row.getByRole('link', { name: 'Google Ads' }).click();
  await page.getByText('Google Ads · implants').waitFor();
  expect(consoleErrors).toEqual([]);
});
