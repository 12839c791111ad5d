import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { violations } from './axe.ts';
import { createCompany } from './test-company.ts';
import { api, waitForNotice } from './browser.ts';

/**
 * An import of 5,000 contacts with mistakes, which are shown, downloaded, fixed and imported again;
 * then undone.
 */
const figure = async (page: Page, name: string): Promise<string> =>
  (
    await page
      .locator('dl div', { has: page.locator('dt', { hasText: new RegExp(`^${name}$`) }) })
      .locator('dd')
      .first()
      .innerText()
  ).replace(/,/g, '');
async function saved(page: Page, link: string): Promise<string[][]> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: link }).click(),
  ]);
  return parse(await readFile((await download.path())!, 'utf8'), { bom: true }) as string[][];
}
const uploadRows = (page: Page, name: string, rows: string[][]) =>
  page
    .getByLabel('Contacts file')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(stringify(rows)) });
/** Checked again while something still fades in. */
const sound = (page: Page) => expect.poll(() => violations(page)).toEqual([]);

test('5,000 rows with mistakes: reviewed, imported, fixed, imported again, exported, undone', async () => {
  const { id: company, owner, open } = await createCompany('Harbor Mailing');
  const { page, consoleErrors } = await open('/contacts/import', owner, {
    acceptDownloads: true,
  });
  const people = async (query = '') =>
    (await api(page, 'GET', `/contacts?companyId=${company}&perPage=1${query}`)).body;
  const counted = async () =>
    (await api(page, 'POST', `/companies/${company}/contacts/count`, { filters: {} })).body.data
      .total as number;

  // 5,000 rows: every hundredth with an invalid number, every thousandth duplicated.
  const head = ['Customer name', 'Cell phone', 'Email', 'Lists', 'Shoe size'];
  const rows = Array.from({ length: 5000 }, (_, i) => [
    `Person ${i}`,
    i % 100 === 50
      ? `ask ${i}`
      : `(617) 5${String(i % 1000 === 999 ? i - 1 : i)
          .padStart(6, '0')
          .replace(/^(..)/, '$1-')}`,
    i % 500 === 7 ? 'not an address' : `person${i}@example.com`,
    i % 2 ? 'Newsletter' : 'Newsletter|Spring fair',
    '42',
  ]);
  await page.getByText('No imports yet').waitFor();
  await uploadRows(page, 'mailing.csv', [head, ...rows]);

  // All columns but one were recognized; the fifth is skipped.
  const place = (column: string) => page.getByRole('combobox', { name: `Import ${column} as` });
  await place('Cell phone').waitFor();
  expect(await Promise.all(head.map((h) => place(h).inputValue()))).toEqual([
    'Name',
    'Number',
    'Email',
    'Groups',
    '',
  ]);
  await sound(page);
  await page.getByRole('button', { name: 'Preview import' }).click();
  await page
    .getByText('New groups: Newsletter, Spring fair')
    .or(page.getByText('New groups: Spring fair, Newsletter'))
    .waitFor();
  await expect
    .poll(() =>
      Promise.all(
        ['Rows', 'New', 'Skipped', 'Partially imported'].map((name) => figure(page, name)),
      ),
    )
    .toEqual(['5000', '4945', '55', '10']);
  expect(await counted()).toBe(0);
  // Only the invalid numbers.
  await page.getByRole('combobox', { name: 'Error type' }).click();
  await page.getByRole('option', { name: 'Invalid number' }).click();
  await page.getByText('50 rows').waitFor();
  await sound(page);
  const begun = page.waitForResponse((answer) => answer.url().endsWith('/start'));
  await page.getByRole('button', { name: 'Import 4,945 contacts' }).click();
  expect((await begun).ok()).toBe(true);

  // It continues while the page is reloaded.
  await page.reload();
  await page.getByText('Results', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Download results' }).waitFor({ timeout: 120_000 });
  await expect
    .poll(() => Promise.all(['New', 'Skipped'].map((name) => figure(page, name))))
    .toEqual(['4945', '55']);
  await sound(page);
  await expect.poll(counted).toBe(4945);
  const first = new URL(page.url()).searchParams.get('import');
  const result = await saved(page, 'Download results');
  expect([
    result.length,
    result[0]!.slice(0, 3),
    result.filter((r) => r[1] === 'skipped').length,
  ]).toEqual([5001, ['Row', 'Outcome', 'Problem'], 55]);

  // The mistakes are fixed in the rejects file, whose columns are mapped already.
  const mistakes = await saved(page, 'Download rows with errors');
  expect([mistakes.length, mistakes[0]]).toEqual([66, [...head, 'Problem']]);
  const mended = mistakes
    .slice(1)
    .map((r) =>
      r[5]!.includes('a phone number')
        ? [r[0]!, `(508) 555-${r[1]!.replace('ask ', '').padStart(4, '0')}`, ...r.slice(2)]
        : r[5]!.includes('Email was skipped')
          ? [r[0]!, r[1]!, 'mended@example.com', ...r.slice(3)]
          : r,
    );
  await page.getByRole('link', { name: 'Import another file' }).click();
  await page.getByRole('grid', { name: 'Imports' }).getByText('mailing.csv').waitFor();
  await uploadRows(page, 'mailing mistakes.csv', [mistakes[0]!, ...mended]);
  await page.getByText('the same way as last time').waitFor();
  await page.getByRole('button', { name: 'Preview import' }).click();
  await page.getByRole('button', { name: 'Import 65 contacts' }).click();
  await page.getByRole('link', { name: 'Download results' }).waitFor();
  // The five duplicates are updated by their second row.
  await expect
    .poll(() => Promise.all(['New', 'Updated', 'Skipped'].map((name) => figure(page, name))))
    .toEqual(['50', '15', '0']);
  await expect.poll(counted).toBe(4995);

  // Exported, with the chosen columns.
  await page.goto('/contacts');
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Export all contacts' }).click();
  const dialog = page.getByRole('dialog', { name: /Export/ });
  await dialog.getByRole('checkbox', { name: 'Email', exact: true }).waitFor();
  await sound(page);
  await dialog.getByRole('button', { name: 'Create file' }).click();
  await waitForNotice(page, 'Your file is ready');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ]);
  expect(
    (parse(await readFile((await download.path())!, 'utf8'), { bom: true }) as string[][]).length,
  ).toBe(4996);

  // One contact is edited by hand and so stays when the first import is undone.
  const kept = (await people('&search=Person%2042&sort=name&dir=asc')).data[0] as { id: number };
  await api(page, 'PATCH', `/contacts/${kept.id}?companyId=${company}`, {
    notes: 'Called about Friday',
  });
  await page.goto(`/contacts/import?import=${first}`);
  await page.getByRole('button', { name: 'Undo this import' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click();
  await page.getByText(/^Undone: /).waitFor({ timeout: 120_000 });
  // Fifteen were changed by the second import since, one by hand: they stay, with the fifty that
  // the second import created.
  await expect
    .poll(() => page.getByText(/^Undone: /).innerText())
    .toContain('4,929 removed, 0 restored, 16 kept');
  await expect.poll(counted).toBe(66);
  expect(consoleErrors.filter((line) => !/401|favicon/.test(line))).toEqual([]);
}, 600_000);
