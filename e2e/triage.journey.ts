import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createCompany, sandboxRequest } from './test-company.ts';
import { api, waitForNotice } from './browser.ts';

const text = (from: string, to: string, words: string) =>
  sandboxRequest('POST', '/texts', { from, to, text: words, media: [] });
const isConsoleNoise = (consoleErrors: string[]) =>
  consoleErrors.filter((line) => !/401|favicon/.test(line));

test('twenty conversations by keyboard alone: assigned, snoozed, archived, answered', async () => {
  const { id: company, number, open } = await createCompany('Triage Dental');
  const { number: line } = await number('628');
  const phones = Array.from(
    { length: 20 },
    (_, i) => `+1628555${String(110 + i).padStart(4, '0')}`,
  );
  for (const [i, phone] of phones.entries()) await text(phone, line, `Question ${20 - i}`);

  const { page, consoleErrors } = await open('/inbox');
  const list = page.getByRole('list', { name: 'Conversations' });
  const rows = list.getByRole('listitem');
  /** The count shown in the list. */
  const size = (n: number) =>
    expect.poll(() => rows.first().getAttribute('aria-setsize')).toBe(String(n));
  const cursor = () =>
    page.evaluate(
      () =>
        document.activeElement?.closest('[role="listitem"]')?.getAttribute('aria-posinset') ?? null,
    );
  const dialog = page.getByRole('dialog');
  const began = Date.now();
  await size(20);
  const key = (name: string) => page.keyboard.press(name);
  /** A dialog gets the focus a moment after it appears; a key before that goes to the list. */
  const focused = (what: Locator) =>
    expect.poll(() => what.evaluate((el) => el === document.activeElement)).toBe(true);

  // Five are assigned to the user.
  for (let n = 1; n <= 5; n++) {
    await key('j');
    await expect.poll(cursor).toBe(String(n));
    await key('a');
    await dialog.getByRole('option').first().waitFor();
    await focused(dialog.getByRole('combobox', { name: 'Find a teammate' }));
    await key('Enter');
    await dialog.waitFor({ state: 'hidden' });
    await rows
      .nth(n - 1)
      .getByText('Assigned to Olive Owner')
      .waitFor();
    await expect.poll(cursor).toBe(String(n));
  }
  // Five are snoozed, five archived: an archived one makes room, and the next one is under the
  // cursor.
  await key('j');
  await expect.poll(cursor).toBe('6');
  for (let n = 1; n <= 5; n++) {
    await key('s');
    await focused(dialog.getByRole('button', { name: /^In 1 hour/ }));
    await key('Enter');
    await dialog.waitFor({ state: 'hidden' });
    await size(20 - n);
    await expect.poll(cursor).toBe('6');
  }
  for (let n = 1; n <= 5; n++) {
    await key('e');
    await size(15 - n);
    await expect.poll(cursor).toBe('6');
  }
  await waitForNotice(page, 'Conversation archived');
  // Five are answered and then archived: the next one opens automatically.
  await key('Enter');
  for (let n = 1; n <= 5; n++) {
    // In the thread: the list shows its text before it opens.
    await page
      .getByRole('log')
      .getByText(`Question ${15 + n}`, { exact: true })
      .waitFor();
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    await key('r');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
      .toBe('Message');
    await page.keyboard.type(`Answer ${15 + n}`);
    await key('Enter');
    await page
      .getByRole('log')
      .getByText(`Answer ${15 + n}`)
      .waitFor();
    // It has moved to the top; next is what was below it before.
    await rows
      .first()
      .getByText(`Answer ${15 + n}`)
      .waitFor();
    await key('Escape');
    await key('e');
    await size(10 - n);
  }
  console.log(`triage: 20 conversations in ${((Date.now() - began) / 1000).toFixed(1)} s`);

  const total = async (query: string) =>
    (await api(page, 'GET', `/companies/${company}/conversations?perPage=1&${query}`)).body.meta
      .total;
  await expect.poll(() => total('isArchived=1')).toBe(10);
  await expect
    .poll(async () => [
      await total('isArchived=0'),
      await total('isArchived=0&assigned=me'),
      await total('isSnoozed=1'),
    ])
    .toEqual([5, 5, 5]);
  // The other keys: unread, search, help.
  await key('/');
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label')))
    .toBe('Search conversations');
  await page.keyboard.type('is:snoozed');
  await size(5);
  await key('Escape');
  await key('Escape');
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await key('?');
  await dialog.getByText('Snooze').first().waitFor();
  for (const label of [
    'Assign',
    'Archive, or move to inbox',
    'Mark unread',
    'Reply',
    'Next conversation',
  ])
    expect(await dialog.getByText(label, { exact: true }).count(), label).toBeGreaterThan(0);
  expect(isConsoleNoise(consoleErrors)).toEqual([]);
}, 600_000);

test('two users in one conversation see each other typing, and are warned before two replies are sent', async () => {
  const {
    id: company,
    people,
    number,
    ask,
    open,
  } = await createCompany('Pair Dental', { Olive: 'owner', Una: 'user' });
  await text('+12015550186', (await number('628')).number, 'Who answers me?');
  const conversation = async () =>
    (await ask<{ data: { id: number }[] }>('GET', `/companies/${company}/conversations?perPage=1`))
      .data[0]?.id;
  await expect.poll(conversation).toBeTypeOf('number');
  const id = await conversation();
  const [ann, ben] = await Promise.all([open(`/inbox/${id}`), open(`/inbox/${id}`, people['Una'])]);
  const message = (page: Page) => page.getByRole('textbox', { name: 'Message' });
  await Promise.all([message(ann.page).waitFor(), message(ben.page).waitFor()]);
  await ann.page.getByText('Una User is here too').waitFor();
  // A few seconds without a key ends typing, so they keep typing until the other has seen it.
  const writes = (writer: Page, seen: Locator) =>
    expect
      .poll(
        async () => {
          await message(writer).pressSequentially('m');
          return seen.isVisible();
        },
        { timeout: 60_000, interval: 250 },
      )
      .toBe(true);
  await message(ben.page).pressSequentially('Let me ', { delay: 30 });
  await writes(ben.page, ann.page.getByText('Una User is replying', { exact: true }));
  await message(ann.page).pressSequentially('I will ', { delay: 30 });
  await writes(ben.page, ann.page.getByText('Una User is replying too'));
  await writes(ann.page, ben.page.getByText('Olive Owner is replying too'));
  await message(ben.page).press('Enter');
  await ann.page
    .getByText('Una User replied while you were writing. Check before you send.')
    .waitFor();
  await message(ann.page).fill('');
  await ann.page.getByText('Una User answered while').waitFor({ state: 'hidden' });
  // An assignment is shown to the other immediately.
  await ben.page.keyboard.press('Escape');
  await ben.page.getByRole('button', { name: 'Assign', exact: true }).click();
  await ben.page.getByRole('option', { name: /Una User/ }).click();
  await ann.page.getByRole('button', { name: /^Assigned to Una User/ }).waitFor();
  expect([...isConsoleNoise(ann.consoleErrors), ...isConsoleNoise(ben.consoleErrors)]).toEqual([]);
}, 600_000);
