import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { switchTheme, violations } from './axe.ts';
import { createCompany, sandboxRequest, type Company } from './test-company.ts';

const isConsoleNoise = (consoleErrors: string[]) =>
  consoleErrors.filter((line) => !/401|favicon/.test(line));
const tile = (page: Page, name: string) =>
  page
    .getByRole('region', { name: /^Waiting for a reply/ })
    .getByRole('link', { name: new RegExp(`^${name}`) });
const figure = (page: Page, name: string) => tile(page, name).locator('strong').innerText();
const shows = (page: Page, name: string, value: string) =>
  expect.poll(() => figure(page, name)).toBe(value);

/** Calls and hangs up while the menu or a phone is on: a missed call. */
async function missCall({ ask, id }: Company, from: string, to: string): Promise<void> {
  const { data: call } = await sandboxRequest<{ data: { id: string } }>('POST', '/calls', {
    from,
    to,
  });
  await expect
    .poll(async () => (await sandboxRequest<{ state: string }>('GET', `/calls/${call.id}`)).state)
    .not.toBe('new');
  await sandboxRequest('POST', `/calls/${call.id}/hangup`, {});
  await expect
    .poll(async () => {
      const { data } = await ask<{ data: { recipient: string; details: { outcome: number } }[] }>(
        'POST',
        '/activity',
        { company_id: id, call: true, tz: 'UTC' },
      );
      return data.find((row) => row.recipient === from)?.details.outcome;
    })
    .toBe(2);
}

test('each waiting figure opens the list it counts, and updates live', async () => {
  const company = await createCompany('Waiting Room');
  const { number, open } = company;
  const { number: line } = await number('659');
  const [texter, other, caller] = ['+16595550101', '+16595550102', '+16595550103'];

  const { page, consoleErrors } = await open('/');
  await page.getByText('You’re all caught up.').waitFor();
  await page.getByText('No calls in this period').waitFor();
  for (const name of ['Unread', 'Calls to return', 'Unheard voicemails']) {
    await shows(page, name, '0');
  }

  // Counts live.
  await sandboxRequest('POST', '/texts', {
    from: texter,
    to: line,
    text: 'Open today?',
    media: [],
  });
  await shows(page, 'Unread', '1');
  await sandboxRequest('POST', '/texts', { from: other, to: line, text: 'Hello?', media: [] });
  await missCall(company, caller, line);
  await shows(page, 'Unread', '3');
  await shows(page, 'Calls to return', '1');
  await tile(page, 'Longest wait').getByText('(659) 555-0101 · text').waitFor();

  for (const scheme of ['light', 'dark'] as const) {
    await switchTheme(page, scheme);
    await page.getByText('More', { exact: true }).click();
    expect(await violations(page), scheme).toEqual([]);
    await page.getByText('More', { exact: true }).click();
  }

  // Each opens a list with as many rows. What is opened is marked read a moment later.
  const isRead = (left: number) =>
    expect
      .poll(async () => {
        const { data } = await company.ask<{ data: { unread: { total: number } } }>(
          'GET',
          `/analytics/waiting?company_id=${company.id}`,
        );
        return data.unread.total;
      })
      .toBe(left);
  await tile(page, 'Unread').click();
  const list = page.getByRole('list', { name: 'Conversations' });
  await expect
    .poll(() => list.getByRole('listitem').first().getAttribute('aria-setsize'))
    .toBe('3');
  await page.goBack();
  await tile(page, 'Calls to return').click();
  await page.getByText('(659) 555-0103').first().waitFor();
  await page.getByText('1–1 of 1', { exact: true }).waitFor();
  await page.goBack();
  await tile(page, 'Unheard voicemails').click();
  await page.getByText('No results match these filters.').waitFor();
  await page.goBack();
  await tile(page, 'Longest wait').click();
  await page.getByRole('log').getByText('Open today?').waitFor();
  await isRead(2);
  await page.goBack();

  // A colleague texts the caller back: nothing is left to return, without a reload.
  await shows(page, 'Calls to return', '1');
  const numbers = await company.ask<{ data: { id: number }[] }>(
    'GET',
    `/numbers?company_id=${company.id}`,
  );
  await company.ask('POST', '/message', {
    companyId: company.id,
    numberId: numbers.data[0]!.id,
    to: caller,
    message: 'Sorry we missed you. How can we help?',
  });
  await shows(page, 'Calls to return', '0');
  await tile(page, 'Unread').click();
  await list.getByText('(659) 555-0102').first().click();
  await page.getByRole('log').getByText('Hello?').waitFor();
  await isRead(1);
  await page.goBack();
  await page.goBack();
  await shows(page, 'Unread', '1');
  expect(isConsoleNoise(consoleErrors)).toEqual([]);
});
