import { expect, test } from 'vitest';
import { api } from './browser.ts';
import { createCompany } from './test-company.ts';

/** Custom fields of many numbers from a file: template, upload, row errors, undo. */
test('a file from the template changes custom fields, shows its wrong rows, and is undone', async () => {
  const { id: company, number, open } = await createCompany('Harbor Dental Files');
  const [first, second] = [await number('347'), await number('347')];
  const { page } = await open('/numbers/custom-fields');
  await page.getByText('No files yet').waitFor();
  const made = await api(page, 'POST', '/eavEntityTypes/number/eavAttributes', {
    company_id: company,
    name: 'Line',
    type: 'stringKeyword',
  });
  expect(made.status).toBe(201);

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download template' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('numbers.csv');

  await page.locator('input[type=file]').setInputFiles({
    name: 'lines.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      `number,line\n${first.number},Radio\n${second.number},TV\n+12125550100,None\n`,
    ),
  });
  const row = page.getByRole('row', { name: /lines\.csv/ });
  await row.getByText('Done').waitFor();
  await row.click();
  const details = page.getByRole('dialog');
  await details.getByText('There’s no such number here.').waitFor();
  await details.getByText('3 of 3 rows done, 2 changed, 1 with errors.').waitFor();
  await page.keyboard.press('Escape');
  await details.waitFor({ state: 'hidden' });

  await row.getByRole('button', { name: 'Undo lines.csv' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
  await row.getByText('Undone').waitFor();
  expect(await row.getByRole('button', { name: 'Undo lines.csv' }).count()).toBe(0);
});
