import { expect, test } from 'vitest';
import { switchTheme, violations } from './axe.ts';
import { createCompany } from './test-company.ts';

/** A person is put under legal hold, and erased once the hold has ended, by keyboard. */
test('a held person can’t be erased; after the hold ends they are gone for everyone', async () => {
  const {
    id: company,
    ask,
    open,
    people,
  } = await createCompany('Harbor Dental Erasing', {
    Olive: 'owner',
    Una: 'user',
  });
  const { id } = (
    await ask<{ data: { id: number } }>('POST', `/contacts?company_id=${company}`, {
      number: '+16175552301',
      name: 'Peggy Fairweather',
    })
  ).data;
  const { page, consoleErrors } = await open(`/contacts/${id}`);
  const heading = { level: 1, name: 'Peggy Fairweather' };
  await page.getByRole('heading', heading).waitFor();
  const colleague = await open(`/contacts/${id}`, people.Una);
  await colleague.page.getByRole('heading', heading).waitFor();

  const more = page.getByRole('button', { name: 'More', exact: true });
  const choose = async (name: string): Promise<void> => {
    await more.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name }).focus();
    await page.keyboard.press('Enter');
  };
  const inBothThemes = async (): Promise<string[]> => {
    const light = await violations(page);
    await switchTheme(page, 'dark');
    const dark = await violations(page);
    await switchTheme(page, 'light');
    return [...light, ...dark];
  };

  await choose('Put under legal hold');
  const holding = page.getByRole('dialog', { name: 'Put Peggy Fairweather under legal hold?' });
  await holding.getByRole('textbox', { name: 'Reason' }).waitFor();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await holding.getByText('Enter a reason.').waitFor();
  expect(await inBothThemes()).toEqual([]);
  await holding.getByRole('textbox', { name: 'Reason' }).fill('Case 26-1182');
  await holding.getByRole('button', { name: 'Put under legal hold' }).press('Enter');
  await holding.waitFor({ state: 'hidden' });
  const notice = page.getByRole('alert').filter({ hasText: 'Under legal hold' });
  await notice.getByText('Case 26-1182').waitFor();
  await notice.getByText('Olive Owner').waitFor();
  expect(await inBothThemes()).toEqual([]);

  // A colleague hears of it at once, but not why, and can't erase.
  const theirs = colleague.page.getByRole('alert').filter({ hasText: 'Under legal hold' });
  await theirs.getByText('Olive Owner').waitFor();
  expect(await theirs.getByText('Case 26-1182').count()).toBe(0);
  await colleague.page.getByRole('button', { name: 'More', exact: true }).click();
  await colleague.page.getByRole('menuitem', { name: 'Save as a vCard' }).waitFor();
  expect(await colleague.page.getByRole('menuitem', { name: 'Erase this person' }).count()).toBe(0);
  await colleague.page.keyboard.press('Escape');

  await choose('Erase this person');
  const item = page.getByRole('menuitem', { name: 'Erase this person End the legal hold first' });
  expect(await item.getAttribute('aria-disabled')).toBe('true');
  expect(await page.getByRole('dialog').count()).toBe(0);
  await page.keyboard.press('Escape');
  await notice.getByRole('button', { name: 'End legal hold' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'End legal hold' }).press('Enter');
  await notice.waitFor({ state: 'hidden' });
  await theirs.waitFor({ state: 'hidden' });

  await choose('Erase this person');
  const erasing = page.getByRole('dialog', { name: 'Erase Peggy Fairweather?' });
  await erasing.getByText('Opt-outs and proofs of consent').waitFor();
  const name = erasing.getByRole('textbox', { name: 'Type Peggy Fairweather to confirm' });
  const erase = erasing.getByRole('button', { name: 'Erase this person' });
  await name.fill('Peggy');
  expect(await erase.isDisabled()).toBe(true);
  expect(await inBothThemes()).toEqual([]);
  await name.fill('Peggy Fairweather');
  await name.press('Enter');

  await page.getByRole('heading', { name: 'This person was erased' }).waitFor();
  await page.getByRole('region', { name: 'Running jobs' }).getByText('Done').waitFor();
  await colleague.page.getByRole('heading', { name: 'This person was erased' }).waitFor();
  expect(await inBothThemes()).toEqual([]);
  await page.getByRole('link', { name: 'Back to contacts' }).press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Contacts' }).waitFor();
  await page.getByText('No contacts yet').waitFor();
  await page.goto(`/contacts/${id}`);
  await page.getByRole('heading', { name: 'Contact not found' }).waitFor();
  expect(consoleErrors.filter((line) => !/40[14]|favicon/.test(line))).toEqual([]);
});
