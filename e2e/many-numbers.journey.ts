import { expect, test } from 'vitest';
import { createCompany, sandboxRequest } from './test-company.ts';
import { api, waitForNotice } from './browser.ts';

/**
 * Twenty-five numbers in daily use: bought, labeled in bulk, set up by a template, forwarded,
 * replying to a keyword.
 */
const isConsoleNoise = (consoleErrors: string[]) =>
  consoleErrors.filter((line) => !/401|favicon/.test(line));

test('25 numbers: labeled in bulk with live progress, a template, a forwarding number replaced, JOIN answered', async () => {
  const { id: company, open } = await createCompany('Harbor Dental Lab');
  const { page, consoleErrors } = await open('/numbers/buy?kind=bulk');

  // As many as the company is allowed: twenty-five.
  const { limit, used } = (await api(page, 'GET', `/number-limit?company_id=${company}`)).body
    .data as { limit: number; used: number };
  expect(limit).toBe(25);
  expect(used).toBe(0);
  await page.getByRole('combobox', { name: 'Category' }).click();
  await page.getByRole('option', { name: 'Local numbers' }).click();
  await page.getByRole('textbox', { name: 'Area code' }).fill('415');
  await page.getByRole('textbox', { name: 'How many' }).fill(String(limit));
  await page.getByRole('button', { name: 'Find numbers' }).click();
  const selection = page.getByRole('complementary', { name: 'Your selection' });
  await selection.getByRole('textbox', { name: 'Label' }).fill('New line');
  await selection.getByRole('button', { name: `Buy ${limit} numbers` }).click();
  // This many are bought by a job, which shows its progress.
  const purchase = selection.getByRole('status');
  await purchase.getByText('25 numbers bought').waitFor();
  await purchase.getByText('25 of 25').waitFor();
  await waitForNotice(page, 'Buying 25 numbers, Done');
  await purchase.getByRole('link', { name: 'Show my numbers' }).click();
  await page.getByText(/^1–25 of 25$/).waitFor();

  // All on the page get a label while the tray shows progress.
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
  await page.getByText('25 selected').waitFor();
  const bar = page.getByRole('toolbar', { name: 'Selected numbers' });
  await bar.getByRole('button', { name: 'Label', exact: true }).click();
  await page.getByRole('textbox', { name: 'Label' }).fill('Spring campaign');
  await page.getByRole('button', { name: 'Change 25' }).click();
  const tray = page.getByRole('region', { name: 'Running jobs' });
  await waitForNotice(page, 'Changing 25 numbers, Done');
  await expect
    .poll(() => page.getByRole('grid').getByText('Spring campaign').count(), { timeout: 60_000 })
    .toBeGreaterThan(9);
  await expect
    .poll(
      async () =>
        (await api(page, 'GET', `/numbers/datatable?company_id=${company}&search=Spring`)).body.meta
          .total,
    )
    .toBe(25);
  // It disappears when finished.
  await tray.waitFor({ state: 'hidden' });

  // A new template, applied to three of them.
  await page.goto('/numbers/templates');
  await page.getByRole('button', { name: 'Add template' }).first().click();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Quiet line');
  await page.getByRole('switch', { name: 'Let AI fill in fields' }).click();
  await expect
    .poll(() => page.getByRole('switch', { name: 'Record calls' }).isChecked())
    .toBe(true);
  await page.getByRole('button', { name: 'Add a route' }).click();
  await page.getByRole('combobox', { name: 'Ring type' }).click();
  await page.getByRole('option', { name: /^Voicemail/ }).click();
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('row', { name: 'Quiet line' }).getByText('Unused').waitFor();
  await page.goto('/numbers?search=415');
  for (const n of [0, 1, 2])
    await page
      .getByRole('row')
      .nth(n + 1)
      .getByRole('checkbox')
      .check();
  await bar.getByRole('button', { name: 'Template', exact: true }).click();
  await page.getByRole('combobox', { name: 'Template' }).click();
  await page.getByRole('option', { name: 'Quiet line' }).click();
  await page.getByRole('button', { name: 'Apply to 3' }).click();
  await waitForNotice(page, 'Changing 3 numbers, Done');
  await expect
    .poll(() => page.getByRole('grid').getByText('Voicemail', { exact: true }).count(), {
      timeout: 60_000,
    })
    .toBe(3);
  await page.goto('/numbers/templates');
  await page.getByRole('row', { name: 'Quiet line' }).getByText('3 numbers').waitFor();

  // A forwarding number used by two routes is replaced in both.
  const desk = (
    await api(page, 'POST', '/forward-contacts', {
      company_id: company,
      name: 'Old desk',
      number: '+12125550171',
      type: 'phone',
    })
  ).body.data.id as number;
  await api(page, 'POST', '/forward-contacts', {
    company_id: company,
    name: 'New desk',
    number: '+12125550172',
    type: 'phone',
  });
  const two = (
    await api(
      page,
      'GET',
      `/numbers/datatable?company_id=${company}&search=415&sort=number&perPage=2`,
    )
  ).body.data as { id: number }[];
  for (const n of two)
    await api(page, 'PUT', `/numbers/${n.id}`, {
      routes: [{ extension: 1, forwards: [{ contact_id: desk }] }],
    });
  await page.goto('/numbers/forwarding');
  await page.getByRole('row', { name: 'Old desk' }).getByText('2 routes').waitFor();
  await page.getByRole('row', { name: 'Old desk' }).click();
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await page
    .getByText('This forwarding number is used by 2 routes. Choose a replacement first.')
    .waitFor();
  await page.getByRole('combobox', { name: 'Replace it with' }).click();
  await page.getByRole('option', { name: /New desk/ }).click();
  await page.getByRole('button', { name: 'Replace and delete' }).click();
  await page.getByRole('row', { name: 'New desk' }).getByText('2 routes').waitFor();
  await page.getByRole('row', { name: 'Old desk' }).waitFor({ state: 'detached' });
  await expect
    .poll(async () => (await api(page, 'GET', `/numbers/${two[1]!.id}`)).body.data.forwardNumber, {
      timeout: 60_000,
    })
    .toBe('+12125550172');

  // A keyword, answered while the test phone is watched.
  const line = (await api(page, 'GET', `/numbers/${two[0]!.id}`)).body.data.number as string;
  await page.goto(`/numbers/${two[0]!.id}?tab=keywords`);
  await page.getByRole('button', { name: 'Add keyword' }).click();
  await page.getByRole('textbox', { name: 'Keyword' }).fill('STOP');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByText('This word is reserved by carriers. Choose another.').waitFor();
  await page.getByRole('textbox', { name: 'Keyword' }).fill('JOIN');
  await page.getByRole('textbox', { name: 'Answer', exact: true }).fill('Welcome to the club.');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  // Saved: the form shows the answer's text too while it is on its way.
  await waitForNotice(page, 'Keyword added');
  const guest = '+12015550183';
  await sandboxRequest('POST', '/texts', { from: guest, to: line, text: 'join', media: [] });
  const heard = () =>
    sandboxRequest<{ text: string }[]>('GET', `/texts?phone=${encodeURIComponent(guest)}`);
  await expect
    .poll(async () => (await heard()).map((text) => text.text), { timeout: 60_000 })
    .toContain('Welcome to the club.');
  await page.goto(`/numbers/${two[0]!.id}/timeline`);
  await page.getByText('Keywords: JOIN').first().waitFor();
  expect(isConsoleNoise(consoleErrors)).toEqual([]);
}, 600_000);
