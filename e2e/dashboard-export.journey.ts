import { readFileSync } from 'node:fs';
import { PDFDocument } from 'pdf-lib';
import type { Download, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { switchTheme, violations } from './axe.ts';
import { openVisit, signInAsDemoOwner } from './browser.ts';

const choose = async (page: Page, item: string): Promise<void> => {
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: item }).click();
};
const saved = async (page: Page, item: string): Promise<Download> => {
  const [download] = await Promise.all([page.waitForEvent('download'), choose(page, item)]);
  return download;
};
/** Prints as browsers do, and tells the colors that the page had meanwhile. */
async function print(page: Page): Promise<{ pages: number; scheme: string | undefined }> {
  await page.evaluate(() => {
    window.addEventListener(
      'beforeprint',
      () => {
        document.body.dataset['printed'] =
          document.documentElement.dataset['mantineColorScheme'] ?? '';
      },
      { once: true },
    );
  });
  const pdf = await PDFDocument.load(await page.pdf({ format: 'Letter' }));
  const scheme = await page.evaluate(() => document.body.dataset['printed']);
  return { pages: pdf.getPageCount(), scheme };
}
/** What paper shows: letter, without its margins. */
async function showPaper(page: Page): Promise<void> {
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: 690, height: 900 });
}

test('the dashboard is saved as a table and a picture, and printed without the frame', async () => {
  const { page, consoleErrors } = await openVisit('/');
  await signInAsDemoOwner(page);
  await page.goto('/analytics/dashboard?period=year');
  await page.getByRole('heading', { name: 'Where callers are' }).waitFor();
  await page.getByRole('img', { name: 'Calls by state' }).waitFor();
  for (const theme of ['light', 'dark'] as const) {
    await switchTheme(page, theme);
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'Print or save as PDF' }).waitFor();
    expect(await violations(page), theme).toEqual([]);
    await page.keyboard.press('Escape');
  }

  const table = await saved(page, 'All rows (CSV)');
  expect(table.suggestedFilename()).toMatch(
    /^dashboard-harbor-dental-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv$/,
  );
  const lines = readFileSync(await table.path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  const total = Number(lines[1]!.split(',')[6]);
  const days = lines.filter((line) => line.split(',')[4] === 'Day');
  expect(days).toHaveLength(365);
  expect(days.reduce((sum, line) => sum + Number(line.split(',')[6]), 0)).toBe(total);
  expect(total).toBeGreaterThan(0);

  const picture = readFileSync(await (await saved(page, 'Picture (PNG)')).path());
  expect(picture.subarray(1, 4).toString()).toBe('PNG');
  expect(picture.readUInt32BE(16)).toBe(2400);
  expect(picture.readUInt32BE(20)).toBeGreaterThan(2000);
  // Drawn, not blank: as much doesn't compress to less.
  expect(picture.length).toBeGreaterThan(200_000);

  // The page is dark, paper is light, and the page is dark again.
  const { pages, scheme } = await print(page);
  expect([scheme, pages >= 1 && pages <= 3]).toEqual(['light', true]);
  const now = () => page.evaluate(() => document.documentElement.dataset['mantineColorScheme']);
  await expect.poll(now).toBe('dark');
  await showPaper(page);
  await page.getByText(/^Harbor Dental · Days in Eastern Time$/).waitFor();
  for (const hidden of [
    page.getByRole('navigation', { name: 'Main' }),
    page.getByRole('button', { name: 'Export' }),
    page.getByRole('combobox', { name: 'Period' }),
    page.getByRole('link', { name: 'View report' }).first(),
  ])
    expect(await hidden.isVisible()).toBe(false);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(690);
  expect(consoleErrors.filter((line) => !/401|favicon/.test(line))).toEqual([]);
});

test('a report is printed with what it is limited to, and all its columns', async () => {
  const { page } = await openVisit('/');
  await signInAsDemoOwner(page);
  await page.goto('/analytics/calls?group=day&status=answered&first=no');
  await page.getByRole('rowheader', { name: 'All calls' }).waitFor();
  await page.getByRole('button', { name: 'Print or save as PDF' }).waitFor();
  await showPaper(page);
  await page.getByText('Outcome: Answered · Known callers').waitFor();
  await page.getByText(/^Harbor Dental · .* · Days in Eastern Time$/).waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(690);
  await page.emulateMedia({ media: 'screen' });
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto('/tracking/reports?source=google_ads');
  await page.getByRole('rowheader', { name: 'Total' }).waitFor();
  await showPaper(page);
  await page.getByText('Source: Google Ads').waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(690);
});
