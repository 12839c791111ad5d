import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { createCompany } from './test-company.ts';
import { api, nextWorkday, waitForNotice } from './browser.ts';

/**
 * 3:10: a menu with geo routing and after-hours, built by drag and by keyboard, tested for a
 * holiday, published, called and rolled back.
 */
const caller = '+12125550177';

/** Like `api`, but throws unless the response is 2xx. */
async function ask<T>(page: Page, method: string, path: string, body?: object): Promise<T> {
  const answer = await api(page, method, path, body);
  expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body as T;
}

test('3:10: a call flow is built, tested for a holiday, published, called and rolled back', async () => {
  const { id: company, owner, number: buy, ask: seed, open } = await createCompany('Flow Dental');
  const { id, number } = await buy('332', { label: 'Front desk' });
  // Today and tomorrow are company holidays, because it may be a minute to midnight.
  const dayIn = (days: number) =>
    new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(
      Date.now() + days * 86_400_000,
    );
  await seed('PUT', `/companies/${company}/schedule`, {
    exceptions: [{ from: dayIn(0), to: dayIn(1), label: 'Founders Day', closed: true, times: [] }],
  });

  // Without transitions, so that drop targets don't move.
  const { page, consoleErrors } = await open(`/numbers/${id}/flow`, owner, {
    reducedMotion: 'reduce',
  });
  const canvas = page.locator('.react-flow');
  await canvas.locator('.react-flow__node').first().waitFor();
  const box = (words: string) => canvas.locator('.react-flow__node', { hasText: words }).first();
  /**
   * A new step moves the drawing a moment later, and a drop before that misses. Two equal positions
   * in a row mean it has settled.
   */
  const stands = async (words: string): Promise<void> => {
    let before = '';
    await expect
      .poll(
        async () => {
          const [seen, now] = [before, JSON.stringify(await box(words).boundingBox())];
          before = now;
          return now === seen;
        },
        { interval: 250 },
      )
      .toBe(true);
  };

  // By keyboard, in the list: one more extension, named and restricted by area.
  await page.getByRole('tab', { name: 'List' }).click();
  await page.getByRole('button', { name: 'Add: Extension' }).focus();
  await page.keyboard.press('Enter');
  const side = page.getByRole('complementary', { name: 'Selected step' });
  await side.getByLabel('Label', { exact: true }).fill('Sales');
  await side.getByRole('combobox', { name: 'Ring type' }).click();
  await page.getByRole('option', { name: /^Geo/ }).click();
  const list = page.getByRole('list', { name: 'Steps of the call flow' });
  await list.getByRole('button', { name: /press 2: 2 · Sales/ }).focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await list.locator('[aria-current="step"]', { hasText: 'By the caller’s area' }).waitFor();
  // Removed and restored.
  await list.getByRole('button', { name: /press 2: 2 · Sales/ }).focus();
  await page.keyboard.press('Delete');
  await list.getByText('2 · Sales').waitFor({ state: 'detached' });
  await page.keyboard.press('Control+z');
  await list.getByText('2 · Sales').waitFor();

  // By drag, on the canvas: a destination onto the step, hours onto the edge to it.
  await page.getByRole('tab', { name: 'Canvas' }).click();
  await stands('By the caller’s area');
  await page.getByRole('button', { name: 'Add: Destination' }).dragTo(box('By the caller’s area'));
  await side.getByLabel('Phone number or SIP address').fill('(212) 555-0181');
  await side
    .getByLabel(/^Area codes and states/)
    .first()
    .fill('212,');
  await stands('2 · Sales');
  await page.getByRole('button', { name: 'Add: Hours' }).dragTo(box('2 · Sales'));
  await side.getByRole('combobox', { name: 'Open', exact: true }).click();
  await page.getByRole('option', { name: 'Business Hours' }).click();
  await side.getByRole('combobox', { name: 'After hours' }).click();
  await page.getByRole('option', { name: 'Play a message and hang up' }).click();
  await side.getByLabel('What callers hear').fill('We are closed for the holiday.');
  await box('We are closed for the holiday.').waitFor();

  // Tested for now, the holiday: the path lights up with its reasons.
  await side.getByRole('tab', { name: 'Try it' }).click();
  await side.getByLabel('Caller', { exact: true }).fill(caller);
  await side.getByLabel('Keys the caller presses').fill('2');
  await side.getByRole('button', { name: /^(Try it|Run test)/ }).click();
  await side.getByText('The caller hears a message and is hung up').waitFor();
  for (const words of ['2 · Sales', 'Business Hours', 'We are closed for the holiday.'])
    await box(words).locator('[data-lit]').first().waitFor();
  expect(await box('By the caller’s area').locator('[data-lit]').count()).toBe(0);
  await canvas
    .getByText(/Founders Day/)
    .first()
    .waitFor();
  const way = side.getByRole('list', { name: 'Call path' });
  const tried = await way
    .locator('li')
    .evaluateAll((steps) => steps.map((step) => step.getAttribute('data-rule')));
  // On an ordinary day the same caller rings the destination of the area.
  await side.getByLabel('When', { exact: true }).fill(`${nextWorkday(3)}T12:00`);
  await side.getByRole('button', { name: /^(Try it|Run test)/ }).click();
  await side.getByText('The call is connected').waitFor();
  await box('(212) 555-0181').locator('[data-lit]').first().waitFor();

  // Published: the next call follows the new flow.
  await page.getByRole('button', { name: 'Publish' }).click();
  await waitForNotice(page, 'Version 2 is live');
  await page.getByText('Live, version 2').waitFor();
  const { data: call } = await ask<{ data: { id: string } }>(page, 'POST', '/sandbox/calls', {
    from: caller,
    to: number,
  });
  await expect
    .poll(
      async () =>
        (
          await ask<{ state: string; data?: { state: string } }>(
            page,
            'GET',
            `/sandbox/calls/${call.id}`,
          )
        ).state,
      { timeout: 60_000 },
    )
    .toBe('answered');
  // Pressed when the menu asks for it.
  await expect
    .poll(
      async () =>
        (await ask<{ heard: { what: string }[] }>(page, 'GET', `/sandbox/calls/${call.id}`)).heard
          .map(({ what }) => what)
          .join(' '),
      { timeout: 60_000 },
    )
    .toContain('press 2');
  await ask(page, 'POST', `/sandbox/calls/${call.id}/keys`, { digits: '2' });
  await expect
    .poll(
      async () => (await ask<{ state: string }>(page, 'GET', `/sandbox/calls/${call.id}`)).state,
      { timeout: 60_000 },
    )
    .toBe('ended');
  interface Found {
    data: { id: number; details: { callId?: number }; party?: string }[];
  }
  type Way = { rule: string; detail?: string; because?: string }[];
  const recorded = async (): Promise<Way | null> => {
    const { data } = await ask<Found>(page, 'POST', '/activity', {
      company_id: company,
      perPage: 10,
    });
    for (const { details } of data) {
      if (!details.callId) continue;
      const record = (
        await ask<{ data: { from: string; path: Way } }>(page, 'GET', `/calls/${details.callId}`)
      ).data;
      if (record.from === caller) return record.path;
    }
    return null;
  };
  await expect
    .poll(async () => (await recorded())?.map((one) => one.rule), { timeout: 60_000 })
    .toEqual(tried);
  expect(JSON.stringify(await recorded())).toContain('Founders Day');

  // Rolled back.
  await page.getByRole('tab', { name: 'Versions' }).click();
  await page.getByText('Sales was added').first().waitFor();
  await page.getByRole('button', { name: 'Roll back to version 1' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click();
  await page.getByText('Live, version 3').waitFor();
  await expect
    .poll(
      async () =>
        (await ask<{ data: { routes: unknown[] } }>(page, 'GET', `/numbers/${id}`)).data.routes
          .length,
    )
    .toBe(1);
  expect(consoleErrors.filter((line) => !/401|favicon/.test(line))).toEqual([]);
}, 600_000);
