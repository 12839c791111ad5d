import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { visit } from './visit.ts';

/** One click at the sign-in, as newcomers do; the first company when there are several. */
async function enterAs(page: Page, role: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`^${role}`) }).first().click();
  const main = page.getByRole('navigation', { name: 'Main' });
  const choose = page.getByRole('heading', { name: 'Choose a company' });
  await main.or(choose).first().waitFor({ timeout: 30_000 });
  if (await choose.count()) await page.getByRole('button', { name: /Harbor Dental/ }).first().click();
  await main.waitFor();
}

test('the first load is at most 250 kB of compressed script, and no screen adds more than 120', { timeout: 120_000 }, async () => {
  const { page } = await visit('/link-expired');
  const sizes = new Map<string, number>();
  page.on('response', (r) => { if (/\/assets\/.*\.js$/.test(r.url())) void r.body().then((body) => sizes.set(r.url().split('/').at(-1)!, gzipSync(body).length), () => {}); });
  await page.goto('/login');
  await page.waitForLoadState('networkidle');
  const html = await (await page.request.get('/login')).text();
  const first = [...html.matchAll(/assets\/([^"]+\.js)/g)].map((m) => sizes.get(m[1]!) ?? 0);
  expect(Math.min(...first)).toBeGreaterThan(0);
  expect(first.reduce((all, size) => all + size, 0)).toBeLessThanOrEqual(250_000);
  await enterAs(page, 'Owner');
  for (const address of ['/', '/inbox', '/activity/calls', '/numbers', '/numbers/buy', '/settings/company', '/settings/blocked']) {
    await page.goto(address);
    await page.locator('h1').first().waitFor();
    await page.waitForTimeout(500);
  }
  expect([...sizes].filter(([file, size]) => size > 120_000 && !html.includes(file))).toEqual([]);
});

test('a deep link survives the log-in, a role that may not is told so, and the keyboard goes everywhere', { timeout: 120_000 }, async () => {
  const { page } = await visit('/settings/blocked?search=555');
  await page.waitForURL(/\/login\?next=/);
  await enterAs(page, 'Billing');
  await page.getByText('Your role does not allow this.').waitFor();
  expect(page.url()).toContain('/settings/blocked?search=555');
  await page.getByRole('button', { name: /your menu/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL(/\/login/);

  await page.goto('/login?next=%2Fsettings%2Fusers');
  await enterAs(page, 'Owner');
  await page.waitForURL(/\/settings\/users/);
  await page.getByText('owner@demo.test').first().waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-index'));
  await page.keyboard.press('j');
  await expect.poll(focused).toBe('0');
  await page.keyboard.press('j');
  await expect.poll(focused).toBe('1');
  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await help.waitFor();
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'detached' });
  await page.keyboard.press('Control+k');
  const find = page.getByPlaceholder(/Find a screen/);
  await find.fill('blocked');
  await page.getByRole('button', { name: 'Blocked numbers' }).last().waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/settings\/blocked/);
  await find.waitFor({ state: 'detached' });
  await page.keyboard.press('g');
  await page.keyboard.press('h');
  await page.waitForURL((url) => url.pathname === '/');
});
