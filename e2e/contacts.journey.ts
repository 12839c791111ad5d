import { expect, test } from 'vitest';
import { createCompany } from './test-company.ts';
import { api } from './browser.ts';

/**
 * Contacts: a smart group, a label on all matches, two contacts that are merged, and one who
 * doesn't want texts for a while.
 */

test('a virtual group is created, all matches are labeled, two contacts are merged and unmerged, one is opted out and in', async () => {
  const { id: company, ask, open } = await createCompany('Harbor Dental Friends');
  const people = Array.from({ length: 70 }, (_, i) => ({
    number: `+1617555${1000 + i}`,
    name: `${i < 60 ? 'Bostonian' : 'Visitor'} ${String(i).padStart(2, '0')}`,
    city: i < 60 ? 'Boston' : 'Salem',
  }));
  const put = await ask<{ data: { created: number } }>('PUT', `/companies/${company}/contacts`, {
    contacts: people,
  });
  expect(put.data.created).toBe(70);

  // A group with a filter; the number of matches is shown while it is edited.
  const { page, consoleErrors } = await open('/contacts/groups');
  await page.getByRole('button', { name: 'Add group' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add group' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('From Boston');
  await dialog.getByText('Rule-based').click();
  await dialog.getByRole('textbox', { name: 'Value' }).fill('boston');
  await dialog.getByText('60 contacts match now, 60 can receive texts').waitFor();
  await dialog.getByRole('button', { name: 'Add group' }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('row', { name: /From Boston/ }).click();

  // All matches, including those on the next page, get a label; one click undoes it.
  await page.getByText(/^1–50 of 60$/).waitFor();
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  const bar = page.getByRole('toolbar', { name: 'Selected contacts' });
  await bar.getByRole('button', { name: 'Select all 60 that match' }).click();
  await bar.getByText('60 selected').waitFor();
  await bar.getByRole('button', { name: 'Labels' }).click();
  await page.getByRole('menuitem', { name: 'Add label' }).click();
  const labelling = page.getByRole('dialog', { name: 'Label 60 contacts' });
  await labelling.getByRole('combobox', { name: 'Label' }).fill('Harbour');
  await labelling.getByRole('button', { name: 'Label 60 contacts' }).click();
  // Hovering keeps the notice, and the Undo in it, open.
  const notice = page.getByText('60 contacts labeled Harbour');
  await notice.hover();
  const labelled = async () =>
    (
      (await api(page, 'GET', `/companies/${company}/contactLabels`)).body.data as {
        label: string;
        contactCount: number;
      }[]
    ).find((l) => l.label === 'Harbour')?.contactCount;
  await expect.poll(labelled).toBe(60);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect.poll(labelled).toBe(0);

  // Two contacts of one person are merged, and unmerged.
  await page.goto('/contacts?search=visitor%2060');
  await page.getByRole('row', { name: /Visitor 60/ }).click();
  await page.getByRole('heading', { level: 1, name: 'Visitor 60' }).waitFor();
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Merge with another contact' }).click();
  const merging = page.getByRole('dialog', { name: /Merge Visitor 60/ });
  await merging.getByRole('combobox', { name: 'Other contact' }).fill('visitor 61');
  await page.getByRole('option', { name: /Visitor 61/ }).click();
  await merging.getByRole('radio', { name: 'Name: Visitor 61' }).check();
  await merging.getByText('The merged contact will be Visitor 61, (617) 555-1060.').waitFor();
  await merging.getByRole('button', { name: 'Merge', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Visitor 61' }).waitFor();
  await page.getByText('(617) 555-1061').first().waitFor();
  const timeline = page.getByRole('list', { name: 'Timeline' });
  await timeline.getByRole('button', { name: 'Undo the merge' }).click();
  await page.getByRole('heading', { level: 1, name: 'Visitor 60' }).waitFor();
  const names = async () =>
    (
      (await api(page, 'GET', `/contacts?companyId=${company}&search=visitor&sort=name`)).body
        .data as { name: string }[]
    ).map((c) => c.name);
  await expect.poll(names).toEqual(people.slice(60).map((p) => p.name));

  // A person asks by phone to get no texts, and later to get them again: both are in the history
  // with who and why.
  const say = async (item: string, note: string, button: string) => {
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: item }).click();
    const asking = page.getByRole('dialog', { name: `${item}?` });
    await asking.getByRole('textbox', { name: 'Note' }).fill(note);
    await asking.getByRole('button', { name: button, exact: true }).click();
    await asking.waitFor({ state: 'hidden' });
    await timeline.getByText(note).waitFor();
  };
  const optedOut = async () =>
    (
      (await api(page, 'GET', `/contacts?companyId=${company}&state=unsubscribed`)).body.data as {
        name: string;
      }[]
    ).map((c) => c.name);
  await say('Opt out of texts', 'Called at noon: no texts please', 'Opt out');
  const text = page.getByRole('button', {
    name: 'Text This contact opted out and cannot be texted.',
  });
  await text.waitFor();
  expect([await text.getAttribute('aria-disabled'), await optedOut()]).toEqual([
    'true',
    ['Visitor 60'],
  ]);
  await timeline.getByText('Opted out of texts').waitFor();
  await say('Allow texts again', 'Wants the newsletter after all', 'Allow texts');
  await page.getByRole('button', { name: 'Text', exact: true }).waitFor();
  await timeline.getByText('Opted in again').waitFor();
  expect(await optedOut()).toEqual([]);
  expect(consoleErrors.filter((line) => !/401|favicon/.test(line))).toEqual([]);
}, 600_000);
