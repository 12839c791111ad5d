import { expect, test } from 'vitest';
import { switchTheme, violations } from './axe.ts';
import { waitForNotice } from './browser.ts';
import { createCompany } from './test-company.ts';

/**
 * General settings: an owner changes how times are written, whom missed calls are texted, holidays,
 * the weekly summary and how long texts are kept, and sees each where it acts.
 */
test('a company’s settings are seen where they act', async () => {
  const { number, open } = await createCompany('Cedar Lane Optics', { Olive: 'owner' });
  const front = await number('716');
  const { page, consoleErrors } = await open('/settings/general');
  await page.getByRole('heading', { name: 'General', exact: true }).waitFor();
  const log = (await open('/settings/audit-log')).page;
  await log.getByRole('heading', { name: 'Audit log' }).waitFor();

  const pick = async (label: string, option: string): Promise<void> => {
    await page.getByRole('combobox', { name: label, exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  await pick('Times', '14:05');
  await pick('Holidays', 'US federal holidays, too');
  await page.getByRole('switch', { name: 'Text back missed callers' }).click();
  await page
    .getByRole('textbox', { name: 'Text: Text back missed callers' })
    .fill('Sorry, we were fitting glasses.');
  await pick('How often', 'Every Monday');
  // Without an address it isn't saved, and the field says so.
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Enter an email address.').waitFor();
  const to = page.getByRole('combobox', { name: 'Send to' });
  expect(await to.evaluate((node) => node === document.activeElement)).toBe(true);
  await to.fill('boss@cedar-lane.test');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Keep texts for' }).fill('300');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const asked = page.getByRole('dialog', { name: 'Delete older records?' });
  await asked.getByText('Texts older than 300 days are deleted.').waitFor();
  expect(await violations(page)).toEqual([]);
  await asked.getByRole('button', { name: 'Save and delete' }).click();
  await waitForNotice(page, 'Settings updated');

  // The open log follows, and writes its time as the company wants it now.
  await log
    .getByText(/^\d{2}:\d{2}$/)
    .first()
    .waitFor();
  await page.goto(`/numbers/${front.id}?tab=automatic`);
  await page.getByText('“Sorry, we were fitting glasses.”').waitFor();
  await page.goto('/numbers/schedule');
  await page.getByText('Closed on US federal holidays, too.').waitFor();
  await page.goto('/settings/general');
  await page.getByText('boss@cedar-lane.test').waitFor();
  for (const width of [1360, 390])
    for (const theme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 850 });
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await switchTheme(page, theme);
      expect(await violations(page), `${width} ${theme}`).toEqual([]);
    }
  // The refused form.
  expect(consoleErrors.filter((line) => !/422/.test(line))).toEqual([]);
});
