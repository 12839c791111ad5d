import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { switchTheme, violations } from './axe.ts';
import { openVisit, productUrl, signInAsDemoOwner, waitForNotice } from './browser.ts';

const reader = 'adviser@elsewhere.test';

/** Sends the reports that are due, which the clock does once an hour. */
async function sendReports(): Promise<void> {
  const db = new pg.Client({ connectionString: inject('productDatabase') });
  await db.connect();
  onTestFinished(() => db.end());
  await db.query(`select graphile_worker.add_job('analytics.sendReports', '{}')`);
}
const mailedText = async (): Promise<string | undefined> => {
  const answer = await fetch(`${productUrl()}/dev/outbox.json`);
  const { data } = (await answer.json()) as { data: { to: string; text: string }[] };
  return data.find(({ to }) => to === reader)?.text;
};

test('a row of the dashboard opens its calls, one of them, and the way back keeps the filters', async () => {
  const { page, consoleErrors } = await openVisit('/');
  await signInAsDemoOwner(page);
  await page.goto('/analytics/dashboard?period=quarter&against=1_year');
  const numbers = page.locator('section', {
    has: page.getByRole('heading', { name: 'Your numbers', exact: true }),
  });
  await numbers.getByRole('link', { name: 'Main line' }).click();
  await page.waitForURL(/\/activity\/calls\?.*period=quarter/);
  await page.getByRole('heading', { name: 'Activity', level: 1 }).waitFor();
  const list = page.url();
  const first = page
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') })
    .first();
  // A withheld caller's number is an empty cell, which can't be clicked.
  await first.getByRole('gridcell').filter({ hasText: 'Main line' }).click();
  await page.waitForURL(/\/calls\/\d+/);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.goBack();
  await expect.poll(() => page.url()).toBe(list);
  await page.goBack();
  await page.waitForURL(/dashboard\?period=quarter&against=1_year/);
  const chosen = (name: string) => page.getByRole('combobox', { name, exact: true }).inputValue();
  await numbers.getByRole('link', { name: 'Main line' }).waitFor();
  expect([await chosen('Period'), await chosen('Compared with')]).toEqual([
    'Last 90 days',
    'A year earlier',
  ]);
  expect(consoleErrors.filter((line) => !/401/.test(line))).toEqual([]);
});

test('a report of an organization is saved, emailed to someone without an account, and opens for them', async () => {
  const { page, consoleErrors } = await openVisit('/');
  await signInAsDemoOwner(page);
  await page.goto('/organization');
  await page.getByRole('link', { name: 'View dashboard' }).click();
  await page.waitForURL(/analytics\/dashboard\?organization=/);
  const sources = page.locator('section', {
    has: page.getByRole('heading', { name: 'Sources', exact: true }),
  });
  await sources.getByRole('link', { name: 'View report' }).click();
  await page.waitForURL(/analytics\/calls\?organization=\d+&group=source/);
  await page.getByRole('combobox', { name: 'Group by' }).click();
  await page.getByRole('option', { name: 'Company', exact: true }).click();
  await page.getByRole('row', { name: /^Harbor Dental/ }).waitFor();
  await page.getByText(/ of Harborline Group\. Days in Eastern Time\.$/).waitFor();
  for (const theme of ['light', 'dark'] as const) {
    await switchTheme(page, theme);
    expect(await violations(page), theme).toEqual([]);
  }

  await page.getByRole('button', { name: 'Add to favorites' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add to favorites' });
  await dialog.getByLabel('Name').fill('All companies by email');
  await dialog.getByRole('combobox', { name: 'Email this report' }).click();
  await page.getByRole('option', { name: 'Every day' }).click();
  // At this hour of the organization, so that it is due.
  const hour = new Date().toLocaleTimeString('en-US', {
    timeZone: 'America/New_York',
    hour: 'numeric',
  });
  await dialog.getByRole('combobox', { name: 'At', exact: true }).click();
  await page.getByRole('option', { name: hour.replace(/\s/, ':00 '), exact: true }).click();
  await dialog.getByRole('combobox', { name: 'Send to' }).fill(reader);
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await waitForNotice(page, 'Search added to favorites');
  await sendReports();
  await expect.poll(mailedText, { timeout: 60_000 }).toBeTruthy();
  const text = (await mailedText())!;
  expect(text).toContain('Harborline Group');
  const [link = ''] = /http\S+\/shared\/report#\S+/.exec(text) ?? [];

  const visit = await openVisit(new URL(link).pathname + new URL(link).hash);
  await visit.page.getByRole('heading', { name: 'All companies by email', level: 1 }).waitFor();
  await visit.page.getByText('Harborline Group', { exact: true }).first().waitFor();
  expect(await visit.page.getByRole('navigation', { name: 'Main' }).count()).toBe(0);
  for (const theme of ['light', 'dark'] as const) {
    await switchTheme(visit.page, theme);
    expect(await violations(visit.page), theme).toEqual([]);
  }
  for (const errors of [consoleErrors, visit.consoleErrors])
    expect(errors.filter((line) => !/401/.test(line))).toEqual([]);
});
