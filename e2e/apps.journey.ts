import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { switchTheme, violations } from './axe.ts';
import { openVisit, productUrl, signInAsDemoOwner } from './browser.ts';

/** The response at an address, once the app there is built (after a first start). */
async function answerAt(path: string): Promise<Response> {
  await expect
    .poll(async () => (await fetch(`${productUrl()}${path}`)).status, { timeout: 120_000 })
    .toBe(200);
  return fetch(`${productUrl()}${path}`);
}

/** No axe violations and no horizontal overflow, in both themes, wide and narrow. */
async function expectFine(page: Page): Promise<void> {
  for (const width of [1360, 390])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 850 });
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await switchTheme(page, colorScheme);
      expect(await violations(page), `${page.url()} ${width} ${colorScheme}`).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
}

test.each(['/admin/', '/caddy/'])(
  '%s has the same policy and caching as the main app',
  async (path) => {
    const page = await answerAt(path);
    const main = await answerAt('/');
    const policy = 'content-security-policy';
    expect(page.headers.get(policy)).toBe(main.headers.get(policy));
    expect(page.headers.get('cache-control')).toBe('no-cache');
    const script = /src="([^"]+\/assets\/[^"]+\.js)"/.exec(await page.text())![1]!;
    expect(script.startsWith(`${path}assets/`)).toBe(true);
    const file = await answerAt(script);
    expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(file.headers.get('content-encoding')).not.toBeNull();
    // What only means something for a document isn't sent with each of its dozens of files.
    expect(file.headers.get(policy)).toBeNull();
    expect(file.headers.get('x-content-type-options')).toBe('nosniff');
    // The address of a screen is served the app's page as well; a missing file is a 404.
    expect(await (await answerAt(`${path}some/screen`)).text()).toContain(script);
    expect((await fetch(`${productUrl()}${path}assets/none.js`)).status).toBe(404);
  },
);

test('admin lets platform staff in and refuses everyone else', async () => {
  await answerAt('/admin/');
  const { page, consoleErrors } = await openVisit('/admin/', {
    serviceWorkers: 'allow',
  });
  await page.waitForURL('**/login?next=%2Fadmin%2F');
  await page
    .getByRole('button', { name: /^.{0,3}User/ })
    .first()
    .click();
  await page.waitForURL('**/admin/');
  await page.getByRole('heading', { name: 'Not allowed' }).waitFor();
  await expectFine(page);
  await page.getByRole('link', { name: 'Go home' }).click();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  expect(await page.locator('a[href^="/admin"], a[href^="/caddy"]').count()).toBe(0);

  // The main app's service worker must not answer with its offline page here.
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.goto('/inbox');
  await page.goto('/admin/');
  await page.getByRole('heading', { name: 'Not allowed' }).waitFor();
  const kept = await page.evaluate(async () => (await caches.match('/'))?.text());
  expect(kept).toContain('/assets/');
  expect(kept).not.toContain('/admin/assets/');

  const staff = await openVisit('/admin/');
  await staff.page
    .getByRole('button', { name: /^.{0,3}Platform admin/ })
    .first()
    .click();
  await staff.page.getByLabel('Reason').fill('A look at the jobs');
  await staff.page.getByRole('button', { name: 'Enter admin mode' }).click();
  await staff.page.waitForURL('**/admin/');
  await staff.page.getByRole('heading', { name: 'Status', exact: true }).waitFor();
  await staff.page.getByRole('heading', { name: 'Jobs' }).waitFor();
  await staff.page.getByText('platform@demo.test').waitFor();
  // Every number and plural is filled in, although bundles hold no message compiler.
  expect(await staff.page.locator('main').innerText()).not.toMatch(/[{}]/);
  await expectFine(staff.page);
  await staff.page.getByRole('link', { name: 'Carriers' }).click();
  await staff.page.getByRole('heading', { name: 'Carriers', exact: true }).waitFor();
  await staff.page.getByText(/^\d+ numbers of \d+ companies$/).waitFor();
  await expectFine(staff.page);
  await staff.page.getByRole('link', { name: 'Support requests' }).click();
  await staff.page.getByRole('heading', { name: 'Support requests', exact: true }).waitFor();
  await expectFine(staff.page);

  // Staff open a request; its sender reads the answer, replies and ends it.
  await staff.page.getByText('S-7K3M-9QPD').click();
  const request = staff.page.getByRole('dialog', { name: 'S-7K3M-9QPD' });
  await request.getByText('Pat Platform looks after it.').waitFor();
  await request.getByLabel('Your answer').waitFor();
  await request.getByRole('button', { name: 'Give back' }).waitFor();
  await expectFine(staff.page);
  await staff.page.keyboard.press('Escape');
  await staff.page.getByRole('button', { name: 'Allow changes' }).click();
  await staff.page.getByText('Admin mode, with changes: A look at the jobs').waitFor();
  await staff.page.getByText('S-7K3M-9QPD').click();
  await request.getByLabel('Your answer').fill('Then place a test call.');
  await request.getByRole('button', { name: 'Send answer' }).click();
  await request.getByText('Then place a test call.').waitFor();
  const owner = await openVisit('/login');
  await signInAsDemoOwner(owner.page);
  await owner.page.goto('/support');
  await owner.page.getByText('S-7K3M-9QPD').click();
  const own = owner.page.getByRole('dialog', { name: 'Request S-7K3M-9QPD' });
  await own.getByText(/^Open the number, then Routes/).waitFor();
  await own.getByText('Then place a test call.').waitFor();
  await expectFine(owner.page);
  await own.getByLabel('Your reply').fill('It does, thank you.');
  await own.getByRole('button', { name: 'Send reply' }).click();
  await own.getByText('It does, thank you.').waitFor();
  await own.getByRole('button', { name: 'Close request' }).click();
  await own.getByText('Closed', { exact: true }).waitFor();

  // An account in words, and no refund without a question.
  await staff.page.keyboard.press('Escape');
  await staff.page.getByRole('link', { name: 'Billing' }).click();
  await staff.page.getByRole('row', { name: 'Blue Mesa Realty' }).getByText('Past due').waitFor();
  await expectFine(staff.page);
  // Other journeys have companies of similar names.
  await staff.page.getByRole('searchbox').fill('Harbor Dental');
  // Until the list has followed, its rows can move from under the click.
  await staff.page.getByRole('row', { name: 'Blue Mesa Realty' }).waitFor({ state: 'detached' });
  await staff.page.getByRole('row', { name: 'Harbor Dental', exact: true }).click();
  await staff.page.getByRole('heading', { name: 'Harbor Dental', exact: true }).waitFor();
  await staff.page
    .getByRole('button', { name: /^Refund INV-/ })
    .first()
    .click();
  const refund = staff.page.getByRole('dialog', { name: /^Refund INV-/ });
  await refund.getByLabel('Amount').fill('1');
  await refund.getByLabel('Reason').fill('A line that crackled');
  await expectFine(staff.page);
  await refund.getByRole('button', { name: 'Refund $1' }).click();
  await staff.page.getByText('Partly refunded').waitFor();
  const errors = [...consoleErrors, ...staff.consoleErrors, ...owner.consoleErrors];
  expect(errors.filter((line) => !line.includes('401'))).toEqual([]);
});
