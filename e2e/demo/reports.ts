import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { textOfPdf } from '../../server/test/support/read-pdf.ts';
import { switchTheme, violations } from '../axe.ts';
import { openVisit, signInAsDemoRole, waitForNotice } from '../browser.ts';

test('a figure of the dashboard opens its report, a row its calls, and a favorite brings it all back', async () => {
  const { page, consoleErrors } = await openVisit('/login');
  await signInAsDemoRole(page, 'Owner');
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Reports' })
    .click();
  await page.waitForURL('**/analytics/dashboard');
  await page.getByText(/^(Incoming calls are (up|down) |About as many incoming calls)/).waitFor();
  await page.getByRole('img', { name: 'Calls by state' }).waitFor();
  const part = (title: string) =>
    page.locator('section', { has: page.getByRole('heading', { name: title, exact: true }) });
  const main = part('Your numbers').getByRole('listitem').filter({ hasText: 'Main line' });
  const calls = (await main.innerText()).match(/\d+/)![0];

  // The report says the same of that number, and its list has as many calls.
  await part('Your numbers').getByRole('link', { name: 'View report' }).click();
  await page.waitForURL(/analytics\/calls\?group=number/);
  const row = page.getByRole('row', { name: /^Main line/ });
  expect((await row.getByRole('cell').first().innerText()).trim()).toBe(calls);
  await page.goBack();
  await main.getByRole('link', { name: 'Main line' }).click();
  await page.waitForURL(/activity\/calls/);

  await page.goBack();
  await page.getByRole('combobox', { name: 'Period' }).click();
  await page.getByRole('option', { name: 'Last 7 days' }).click();
  await page.waitForURL(/period=week/);
  await page.getByRole('button', { name: 'Add to favorites' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add to favorites' });
  await dialog.getByLabel('Name').fill('This week at a glance');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await waitForNotice(page, 'Search added to favorites');
  await page.goto('/analytics/calls');
  await page.getByRole('link', { name: 'This week at a glance' }).click();
  await page.waitForURL(/analytics\/dashboard\?period=week/);
  expect(consoleErrors).toEqual([]);
});

test('the dashboard of an organization adds up its companies, and opens each of them', async () => {
  const { page, consoleErrors } = await openVisit('/login');
  await signInAsDemoRole(page, 'Owner');
  await page.goto('/organization');
  await page.getByRole('link', { name: 'View dashboard' }).click();
  await page.waitForURL(/analytics\/dashboard\?organization=/);
  await page.getByText(/ of Harborline Group\. Days in Eastern Time\.$/).waitFor();
  const part = page.locator('section', {
    has: page.getByRole('heading', { name: 'By company', exact: true }),
  });
  const dental = part.getByRole('row', { name: /^Harbor Dental/ });
  await dental.waitFor();
  const countOf = (text: string) => Number(text.replaceAll(/\D/g, ''));
  const calls = await part.locator('tbody tr td:nth-of-type(1)').allInnerTexts();
  expect(calls.length).toBeGreaterThanOrEqual(3);
  const tile = page.getByRole('listitem').filter({ hasText: 'Incoming calls' }).locator('strong');
  await page.getByRole('img', { name: 'Calls by state' }).waitFor();
  expect(countOf(await tile.innerText())).toBe(calls.reduce((sum, n) => sum + countOf(n), 0));
  for (const width of [1280, 390])
    for (const theme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 850 });
      await switchTheme(page, theme);
      expect(await violations(page), `${width} ${theme}`).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
  await page.setViewportSize({ width: 1280, height: 850 });

  // One of them in the organization's zone, and then by itself.
  await page.getByRole('combobox', { name: 'Company', exact: true }).click();
  await page.getByRole('option', { name: 'Cedar Auto Service' }).click();
  await page.getByText(/ 1 company of Harborline Group\./).waitFor();
  await part.getByRole('link', { name: 'Cedar Auto Service' }).click();
  await page.waitForURL((url) => !url.search.includes('organization'));
  await page.getByRole('button', { name: /^Cedar Auto Service/ }).waitFor();
  await page.getByRole('link', { name: 'View report' }).first().waitFor();
  expect(consoleErrors).toEqual([]);
});

test('a report is emailed on a schedule, until it is stopped', async () => {
  const { page, consoleErrors } = await openVisit('/login');
  await signInAsDemoRole(page, 'Owner');
  await page.goto('/analytics/calls?group=outcome');
  await page.getByRole('row', { name: /^Answered/ }).waitFor();
  await page.getByRole('button', { name: 'Add to favorites' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add to favorites' });
  await dialog.getByLabel('Name').fill('Outcomes by email');
  await dialog.getByRole('combobox', { name: 'Email this report' }).click();
  await page.getByRole('option', { name: 'Every month' }).click();
  await dialog.getByRole('combobox', { name: 'At', exact: true }).click();
  await page.getByRole('option', { name: '9:00 AM', exact: true }).click();
  // Who schedules it is the first to get it.
  await dialog.getByText('owner@demo.test').waitFor();
  await dialog.getByRole('combobox', { name: 'Attach' }).click();
  await page.getByRole('option', { name: 'CSV file' }).click();
  await dialog.getByText('The first 2,000 rows.').waitFor();
  const to = dialog.getByRole('combobox', { name: 'Send to' });
  await to.fill('nowhere');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Enter an email address.').waitFor();
  for (const theme of ['light', 'dark'] as const) {
    await switchTheme(page, theme);
    expect(await violations(page), theme).toEqual([]);
  }
  await to.press('Backspace');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await waitForNotice(page, 'Search added to favorites');
  const row = page.getByRole('listitem').filter({ hasText: 'Outcomes by email' });
  await row.getByText('Emailed on the 1st of each month at 9:00 AM').waitFor();
  await row.getByRole('button').click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const edit = page.getByRole('dialog', { name: 'Edit favorite' });
  await edit.getByRole('combobox', { name: 'Email this report' }).click();
  await page.getByRole('option', { name: 'Never' }).click();
  await edit.getByRole('button', { name: 'Save' }).click();
  await waitForNotice(page, 'Search updated in favorites');
  await row.getByText(/Emailed/).waitFor({ state: 'detached' });
  expect(consoleErrors.filter((line) => !/422/.test(line))).toEqual([]);
});

test('a report is downloaded as PDF, from its screen and as a favorite', async () => {
  const { page, consoleErrors } = await openVisit('/login', { acceptDownloads: true });
  await signInAsDemoRole(page, 'Owner');
  await page.goto('/analytics/calls?group=outcome');
  const total = page.getByRole('row', { name: /^All calls/ });
  const calls = (await total.getByRole('cell').first().innerText()).trim();
  const download = async (): Promise<string> => {
    const loading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    const text = await textOfPdf(await readFile(await (await loading).path()));
    await page.getByRole('button', { name: /^Hide Exporting/ }).click();
    return text;
  };
  await page.getByRole('button', { name: 'Export as PDF' }).click();
  const report = await download();
  for (const said of ['Calls by outcome', 'Company Harbor Dental', `All calls ${calls} `])
    expect(report).toContain(said);
  const favorite = page.getByRole('listitem').filter({ hasText: 'Calls by source' }).first();
  await favorite.getByRole('button').click();
  await page.getByRole('menuitem', { name: 'Download as PDF' }).click();
  expect(await download()).toMatch(/^Calls by source\n/);
  expect(consoleErrors).toEqual([]);
});

test('a report is shared by link with someone without an account, until the link is withdrawn', async () => {
  const { page, consoleErrors } = await openVisit('/login');
  await signInAsDemoRole(page, 'Owner');
  await page.goto('/analytics/calls?group=week');
  const total = page.getByRole('row', { name: /^All calls/ });
  const calls = (await total.getByRole('cell').first().innerText()).trim();
  await page.getByRole('button', { name: 'Add to favorites' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add to favorites' });
  await dialog.getByLabel('Name').fill('Weeks for our agency');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await waitForNotice(page, 'Search added to favorites');
  const row = page.getByRole('listitem').filter({ hasText: 'Weeks for our agency' }).first();
  await row.getByRole('button').click();
  await page.getByRole('menuitem', { name: 'Share by link' }).click();
  const share = page.getByRole('dialog', { name: 'Share “Weeks for our agency”' });
  await share.getByRole('combobox', { name: 'Link expires' }).click();
  await page.getByRole('option', { name: 'On a date' }).click();
  await share.getByRole('button', { name: 'Create link' }).click();
  await share.getByText('Enter a date.').waitFor();
  await share.getByRole('combobox', { name: 'Link expires' }).click();
  await page.getByRole('option', { name: 'In 30 days' }).click();
  await share.getByRole('button', { name: 'Create link' }).click();
  const link = await share.getByRole('textbox', { name: 'Link' }).inputValue();
  await share.getByText('Never opened').waitFor();
  for (const theme of ['light', 'dark'] as const) {
    await switchTheme(page, theme);
    expect(await violations(page), theme).toEqual([]);
  }

  const { page: reader, consoleErrors: theirErrors } = await openVisit(
    link.replace(/^https?:\/\/[^/]+/, ''),
  );
  await reader.getByRole('heading', { name: 'Weeks for our agency' }).waitFor();
  const shown = reader
    .getByRole('row', { name: /^All calls/ })
    .getByRole('cell')
    .first();
  expect((await shown.innerText()).trim()).toBe(calls);
  expect(await reader.locator('main a').count()).toBe(0);
  for (const theme of ['light', 'dark'] as const) {
    await switchTheme(reader, theme);
    expect(await violations(reader), theme).toEqual([]);
  }

  // The list hears of the visit, and the link ends at once.
  await share.getByText(/Last opened/).waitFor();
  await share.getByRole('button', { name: /^Withdraw the link/ }).click();
  await page
    .getByRole('dialog', { name: 'Withdraw this link?' })
    .getByRole('button', { name: 'Withdraw' })
    .click();
  await waitForNotice(page, 'Link withdrawn');
  await reader.reload();
  await reader.getByRole('heading', { name: 'This link no longer works' }).waitFor();
  for (const theme of ['light', 'dark'] as const) {
    await switchTheme(reader, theme);
    expect(await violations(reader), theme).toEqual([]);
  }
  expect(consoleErrors).toEqual([]);
  expect(theirErrors.filter((line) => !/404/.test(line))).toEqual([]);
});
