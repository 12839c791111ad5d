import { expect, test } from 'vitest';
import { createCompany, sandboxRequest } from './test-company.ts';
import { api, waitForNotice } from './browser.ts';

/**
 * Custom fields: a list of choices on calls, an amount on numbers, and columns saved as a preset.
 */
const isConsoleNoise = (consoleErrors: string[]) =>
  consoleErrors.filter((line) => !/401|favicon/.test(line));

test('a custom field on calls and one on numbers are defined, filled and filtered by; chosen columns are saved as a preset', async () => {
  const { id: company, number, open } = await createCompany('Harbor Dental Studio');
  const [dear, cheap] = [await number('347'), await number('347')];
  // A caller for the list of calls, ringing while the fields are created.
  const { data: call } = await sandboxRequest<{ data: { id: string } }>('POST', '/calls', {
    from: '+12125550163',
    to: dear.number,
  });

  // Calls: a list of choices, reordered by keyboard before it is saved.
  const { page, consoleErrors } = await open('/settings/custom-fields?entity=call');
  await page.getByRole('button', { name: 'New custom field' }).first().click();
  const editor = page.getByRole('dialog');
  await editor.getByRole('textbox', { name: 'Name' }).fill('Stage');
  await editor.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'List of choices' }).click();
  await editor.getByRole('textbox', { name: 'Choice 1', exact: true }).fill('Won');
  await editor.getByRole('textbox', { name: 'Choice 2', exact: true }).fill('Asked');
  await editor.getByRole('button', { name: /^Move Asked/ }).press('ArrowUp');
  await editor.getByRole('status').getByText('Asked is now 1 of 2').waitFor();
  await editor.getByRole('switch', { name: /Shown in lists/ }).check();
  await editor.getByRole('button', { name: 'Create' }).click();
  await waitForNotice(page, 'Custom field created successfully');
  await editor.waitFor({ state: 'hidden' });
  await page.getByRole('row', { name: 'Stage' }).getByText('2 choices').waitFor();

  // Numbers: an amount.
  await page.getByRole('radiogroup', { name: 'Fields for' }).getByText('Numbers').click();
  await page.getByRole('button', { name: 'New custom field' }).first().click();
  await editor.getByRole('textbox', { name: 'Name' }).fill('Deal value');
  await editor.getByRole('combobox', { name: 'Type' }).click();
  await page.getByRole('option', { name: 'Number', exact: true }).click();
  await editor.getByRole('button', { name: 'Create' }).click();
  await editor.waitFor({ state: 'hidden' });
  await page.getByRole('row', { name: 'Deal value' }).waitFor();

  // The call has its record; it is given a stage, and the list of calls shows it and finds it.
  await sandboxRequest('POST', `/calls/${call.id}/hangup`, {});
  const callId = async () =>
    (
      (await api(page, 'POST', '/activity', { company_id: company, call: true })).body.data as {
        details: { callId: number };
      }[]
    )[0]?.details.callId;
  await expect.poll(callId, { timeout: 60_000 }).toBeTypeOf('number');
  await page.goto(`/calls/${await callId()}`);
  await page.getByRole('combobox', { name: 'Stage' }).click();
  await page.getByRole('option', { name: 'Won' }).click();
  await page.getByText('Stage changed').first().waitFor();
  await page.goto('/activity/calls');
  await page.getByRole('columnheader', { name: 'Stage' }).waitFor();
  await page.getByRole('gridcell', { name: 'Won', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Custom fields' }).click();
  await page.getByRole('combobox', { name: 'Stage' }).click();
  await page.getByRole('option', { name: 'Asked' }).click();
  await page.getByText('No results match these filters.').waitFor();

  // A number gets its amount on its page; an invalid amount is refused at the field.
  await page.goto(`/numbers/${dear.id}?tab=settings`);
  const amount = page.getByRole('textbox', { name: 'Deal value' });
  await amount.fill('12600');
  await amount.press('Tab');
  await waitForNotice(page, 'Number updated');
  // Enter saves as well; Escape restores the old value.
  const kept = async () =>
    (
      (await api(page, 'GET', `/numbers/${dear.id}?company_id=${company}`)).body.data as {
        eavAttributeValues: { value: unknown }[];
      }
    ).eavAttributeValues[0]?.value;
  await amount.fill('12500.5');
  await amount.press('Enter');
  await expect.poll(kept, { timeout: 30_000 }).toBe(12_500.5);
  await amount.fill('1');
  await amount.press('Escape');
  await expect.poll(() => amount.inputValue(), { timeout: 30_000 }).toBe('12,500.5');
  await amount.press('Tab');
  await api(page, 'PUT', `/numbers/${cheap.id}`, {
    company_id: company,
    eavAttributeValues: [{ key: 'deal_value', value: 20 }],
  });

  // The list is filtered by amount.
  await page.goto('/numbers');
  await page.getByText(/^1–2 of 2$/).waitFor();
  await page.getByRole('button', { name: 'Custom fields' }).click();
  await page.getByRole('textbox', { name: 'Deal value, from' }).fill('1000');
  await page.keyboard.press('Enter');
  await page.getByText(/^1–1 of 1$/).waitFor();
  await page.keyboard.press('Escape');

  // Its columns: the amount first, no location; saved as a preset.
  await page.getByRole('button', { name: 'Choose columns' }).click();
  const chooser = page.getByRole('dialog', { name: 'Columns' });
  await chooser.getByRole('checkbox', { name: 'Deal value' }).check();
  await chooser.getByRole('checkbox', { name: 'Place' }).uncheck();
  for (
    let more = 12;
    more > 0 && (await chooser.getByRole('listitem').nth(1).getByText('Deal value').count()) === 0;
    more--
  )
    await chooser.getByRole('button', { name: /^Move Deal value/ }).press('ArrowUp');
  await chooser.getByRole('button', { name: 'Save as preset' }).click();
  await page.getByRole('textbox', { name: 'Preset name' }).fill('Deals');
  await page.getByRole('switch', { name: 'Use as my default' }).check();
  await page.getByRole('button', { name: 'Save preset' }).click();
  await waitForNotice(page, 'Column preset was successfully created');
  const heads = async () =>
    (await page.getByRole('columnheader').allInnerTexts())
      .map((head) => head.trim())
      .filter(Boolean);
  await expect
    .poll(async () => (await heads()).slice(0, 3))
    .toEqual(['Number', 'Deal value', 'Label']);
  const chosen = await heads();
  expect(chosen).not.toContain('Place');

  // After a reload on a fresh device: the filter is in the address, the columns are in the preset.
  await page.reload();
  await page.getByText(/^1–1 of 1$/).waitFor();
  await page.getByRole('gridcell', { name: '12,500.5' }).waitFor();
  await expect.poll(heads).toEqual(chosen);
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage))
      if (key.startsWith('trunkline.columns.')) localStorage.removeItem(key);
  });
  await page.reload();
  await page.getByRole('columnheader', { name: 'Deal value' }).waitFor();
  await expect.poll(heads).toEqual(chosen);

  await page.goto('/settings/column-presets');
  await page.getByRole('row', { name: 'Deals' }).getByText('My default').waitFor();
  expect(isConsoleNoise(consoleErrors)).toEqual([]);
}, 600_000);
