import { expect, test } from 'vitest';
import { expectFine, friend, openWithNumber, textFrom } from './caddy-person.ts';

test('a number that texted takes the name it is given, and is renamed after a question', async () => {
  const { visit, page, mine } = await openWithNumber();
  const other = friend();
  await textFrom(other, mine, 'Is it still there?');
  await page.goto('/caddy/');
  await page.getByRole('list', { name: 'Conversations' }).getByRole('link').waitFor();
  await page.goto('/caddy/account/contacts');
  const save = async (name: string): Promise<void> => {
    await page.getByRole('button', { name: 'New contact' }).tap();
    const form = page.getByRole('dialog');
    await form.getByLabel('Name').fill(name);
    await form.getByLabel('Phone').fill(other);
    await form.getByRole('button', { name: 'Save' }).tap();
  };
  await save('Jo Bicycle');
  await page.getByRole('listitem').getByText('Jo Bicycle').waitFor();
  await save('Jo Carver');
  await page.getByText('You saved this number as Jo Bicycle. Rename it?').waitFor();
  await expectFine(visit);
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).tap();
  await page.getByRole('listitem').getByText('Jo Carver').waitFor();
  await page.goto('/caddy/');
  await page.getByText('Jo Carver').waitFor();
});

test('a person chooses how dates and times are written', async () => {
  const { visit, page, mine } = await openWithNumber();
  await textFrom(friend(), mine, 'Hello');
  await page.goto('/caddy/');
  const row = page.getByRole('list', { name: 'Conversations' }).getByRole('link');
  await row.getByText(/^\d{1,2}:\d\d (AM|PM)$/).waitFor();
  await page.goto('/caddy/account/profile');
  await page.getByRole('combobox', { name: 'Language' }).tap();
  await page.getByRole('option', { name: 'English (United Kingdom)' }).tap();
  await page.getByText(/Dates look like 27 Nov \d{4}, 15:05/).waitFor();
  await expectFine(visit);
  await page.getByRole('button', { name: 'Save' }).tap();
  await page.getByText('Profile saved').waitFor();
  await page.getByRole('link', { name: /^Messages/ }).tap();
  await row.getByText(/^\d{1,2}:\d\d$/).waitFor();
  // From the first screen on, also after a reload.
  await page.reload();
  await row.getByText(/^\d{1,2}:\d\d$/).waitFor();
  expect(await row.getByText(/AM|PM/).count()).toBe(0);
});
