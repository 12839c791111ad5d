import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { api, signInAsDemoOwner, harborDental, openVisit } from '../browser.ts';

test('messages are exported with chosen columns; a word said in a voicemail is found and played from its moment', async () => {
  const { page, consoleErrors } = await openVisit('/login');
  await signInAsDemoOwner(page);

  await page.goto('/activity/messages?direction=inbound&period=month');
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Export messages' });
  await dialog.getByRole('button', { name: 'Default columns' }).click();
  for (const column of ['Number', 'Label', 'Delivery', 'Sent by'])
    await dialog.getByRole('checkbox', { name: column, exact: true }).uncheck();
  await dialog.getByRole('button', { name: 'Move Text up' }).click();
  await dialog.getByRole('button', { name: 'Export', exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download', exact: true }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^messages-\d{4}-\d{2}-\d{2}\.csv$/);
  const rows = parse(await readFile(await file.path()), { bom: true }) as string[][];
  expect(rows[0]).toEqual([
    'Time (America/New_York)',
    'Direction',
    'Other party',
    'Text',
    'Contact',
  ]);
  expect(rows.length).toBeGreaterThan(10);
  expect(new Set(rows.slice(1).map((row) => row[1]))).toEqual(new Set(['inbound']));

  // The demo's voicemails are spoken and transcribed after the start.
  const company = await harborDental(page);
  await expect
    .poll(
      async () =>
        (
          await api(
            page,
            'GET',
            `/calls/search?companyId=${company}&q=${encodeURIComponent('speaker:client appointments')}`,
          )
        ).body.data.length,
      { timeout: 200_000, interval: 1000 },
    )
    .toBeGreaterThan(0);
  await page.goto('/activity/calls');
  await page.getByRole('link', { name: 'Search calls' }).click();
  await page.getByRole('heading', { name: 'Search calls' }).waitFor();
  await page.getByLabel('Search calls').fill('speaker:client appointments');
  const hit = page
    .getByRole('listitem')
    .filter({ hasText: 'I need to move my appointment' })
    .first();
  await expect
    .poll(async () => (await hit.locator('mark').allTextContents()).join())
    .toContain('appointment');
  await hit
    .getByRole('button', { name: /Play from/ })
    .first()
    .click();
  // Plays from the word, not from the beginning.
  await expect
    .poll(() => page.evaluate(() => document.querySelector('audio')?.currentTime ?? 0), {
      timeout: 60_000,
    })
    .toBeGreaterThan(2);
  expect(consoleErrors.filter((line) => !/401|404|net::ERR_ABORTED/.test(line))).toEqual([]);
}, 600_000);
