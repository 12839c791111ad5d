import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  nextWorkday,
  signInAsDemoOwner,
  productUrl,
  waitForNotice,
  openVisit,
} from '../browser.ts';

const withoutNoise = (consoleErrors: string[]) =>
  consoleErrors.filter((line) => !/401|favicon/.test(line));
const ourNumber = '+16465552310';

/** An option of a dropdown. */
async function choose(page: Page, label: string | RegExp, option: string | RegExp): Promise<void> {
  await page
    .getByRole('combobox', { name: label, exact: typeof label === 'string' })
    .or(page.getByRole('textbox', { name: label, exact: typeof label === 'string' }))
    .first()
    .click();
  await page.getByRole('option', { name: option }).first().click();
}
async function sandbox<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
  const answer = await fetch(`${productUrl()}/sandbox${path}`, {
    method,
    ...(body
      ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
      : {}),
  });
  return (await answer.json()) as T;
}

test('on a closed day callers get voicemail, with the greeting that was written a minute ago', async () => {
  const { page, consoleErrors } = await openVisit('/login');
  await signInAsDemoOwner(page);

  // Hours: one date differs, and the preview shows it before it is saved.
  const off = nextWorkday(2);
  await page.goto('/numbers/schedule');
  const days = page.getByRole('list', { name: 'Special dates' }).getByRole('listitem');
  const add = page.getByRole('button', { name: 'Add date' });
  await add.waitFor();
  const before = await days.count();
  await add.click();
  await expect.poll(() => days.count()).toBe(before + 1);
  const day = days.last();
  await day.getByLabel('First day').fill(off);
  await day.getByLabel('Name').fill('Staff outing');
  await page
    .getByRole('textbox', { name: 'Check a time' })
    .or(page.locator('input[type="datetime-local"]'))
    .first()
    .fill(`${off}T10:00`);
  await page.getByText(/^Closed at Tue 10:00 AM .*: Staff outing\.$/).waitFor();
  await page.getByRole('button', { name: 'Save schedule' }).click();
  await waitForNotice(page, 'Schedule updated');

  // A number whose route follows the business hours goes to voicemail on that date, and rings the
  // day after.
  await page.goto('/numbers?search=5552310');
  await page.getByRole('grid').getByText('(646) 555-2310').click();
  await page.getByRole('button', { name: 'Hours, voicemail and options' }).first().click();
  await choose(page, 'Open', 'Business Hours');
  await page.getByRole('button', { name: 'Save routes' }).click();
  await waitForNotice(page, 'Number updated');
  await page.getByLabel('When', { exact: true }).fill(`${off}T11:00`);
  await page.getByRole('button', { name: /^(Try it|Run test)/ }).click();
  const way = page.getByRole('list', { name: 'Call path' });
  await way
    .getByText(/Staff outing/)
    .first()
    .waitFor();
  await way
    .getByText(/voicemail/i)
    .first()
    .waitFor();

  // A text-to-speech greeting, played before it is saved, and assigned to the number.
  const words = `Our team is out together today. Greeting ${Date.now() % 100_000}.`;
  await page.goto('/numbers/greetings');
  await page.getByRole('button', { name: 'Add greeting' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add greeting' });
  await dialog.getByLabel('Name').fill('Team day');
  await dialog.getByLabel('Text', { exact: true }).fill(words);
  await choose(page, 'Voice', /^Henry/);
  await dialog.getByRole('button', { name: 'Listen' }).click();
  await dialog.getByRole('button', { name: /^Play Preview/ }).waitFor();
  await dialog.getByRole('button', { name: 'Add greeting' }).click();
  await waitForNotice(page, 'Greeting added');
  await page.goto('/numbers?search=5552310');
  await page.getByRole('grid').getByText('(646) 555-2310').click();
  await page.getByRole('tab', { name: 'Voicemail' }).click();
  await choose(page, 'Greeting', /^Team day/);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await waitForNotice(page, 'Number updated');

  // Direct Voicemail for everything that follows the hours; then a call.
  await page.goto('/numbers/schedule');
  await choose(page, 'Open', 'Direct Voicemail');
  await page.getByRole('button', { name: 'Save schedule' }).click();
  await waitForNotice(page, 'Schedule updated');
  const call = (
    await sandbox<{ data: { id: string } }>('POST', '/calls', {
      from: '+12125550147',
      to: ourNumber,
    })
  ).data.id;
  const heard = async () =>
    (await sandbox<{ heard: { kind: string; what: string }[] }>('GET', `/calls/${call}`)).heard;
  await expect
    .poll(heard, { timeout: 60_000 })
    .toContainEqual(expect.objectContaining({ kind: 'play', what: words }));
  await sandbox('POST', `/calls/${call}/hangup`);

  // Restored: other journeys call as well.
  await choose(page, 'Open', 'Mon-Fri (9-5)');
  await page.getByRole('button', { name: 'Save schedule' }).click();
  await waitForNotice(page, 'Schedule updated');

  // While in use it can't be deleted; the places are listed instead.
  await page.goto('/numbers/greetings');
  await page.getByRole('button', { name: 'Actions for Team day' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByText('To delete it, choose another greeting in these places first.').waitFor();
  expect(withoutNoise(consoleErrors)).toEqual([]);
}, 600_000);
