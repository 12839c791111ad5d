import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { visit } from './visit.ts';

/** Every screen, in both themes and narrow too: nothing that axe finds, nothing in the console, nothing wider than its window. */
const open = ['/login', '/signup', '/forgot-password', '/reset-password/some-token', '/link-expired', '/what-is-simulated', '/handset'];
const signedIn = ['/', '/inbox', '/activity/calls', '/activity/messages', '/activity/voicemails', '/activity/fax', '/numbers', '/numbers/buy', '/settings/company', '/settings/users', '/settings/blocked', '/whats-new', '/nowhere'];

async function look(page: Page, address: string, troubles: string[]): Promise<void> {
  await page.goto(address);
  // Not `networkidle`: the phone's line stays open as long as the page.
  await page.locator('h1').first().waitFor();
  await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'));
  await page.waitForTimeout(400); // a fade must be over before colours are measured
  const { violations } = await new AxeBuilder({ page }).withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']).analyze();
  expect(violations.map((v) => `${address}: ${v.id} ${v.nodes.slice(0, 3).map((n) => n.target.join(' ')).join(' | ')}`)).toEqual([]);
  const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(tooWide, `${address} is wider than its window`).toBeLessThanOrEqual(1);
  expect(troubles.filter((line) => !/401|404|net::ERR_ABORTED/.test(line)), address).toEqual([]);
}
async function enter(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^.{0,3}Owner/i }).first().click();
  await page.waitForURL((url) => !url.pathname.startsWith('/login'));
  if (page.url().includes('select-company')) await page.getByText('Harbor Dental').click();
  await page.locator('h1').first().waitFor();
}

describe.each([['light', 1360], ['dark', 1360], ['light', 390], ['dark', 390]] as const)('%s at %i pixels', (colorScheme, width) => {
  test('screens for anybody', async () => {
    const { page, troubles } = await visit('/login', { colorScheme, viewport: { width, height: 850 } });
    for (const address of open) await look(page, address, troubles);
  }, 120_000);

  test('screens for people who are signed in, a conversation, a call and a number', async () => {
    const { page, troubles } = await visit('/login', { colorScheme, viewport: { width, height: 850 } });
    await enter(page);
    for (const address of signedIn) await look(page, address, troubles);
    const ids = await page.evaluate(async () => {
      const xsrf = decodeURIComponent(/XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? '');
      const get = async (path: string, body?: object) => (await (await fetch(`/api${path}`, { method: body ? 'POST' : 'GET', headers: { 'x-xsrf-token': xsrf, 'content-type': 'application/json' }, ...(body ? { body: JSON.stringify(body) } : {}) })).json()) as { data: { id: number; name?: string; conversationId?: number; details?: { callId?: number } }[] };
      const company = (await get('/companies/slim')).data.find((c) => c.name === 'Harbor Dental')!.id;
      const activity = await get('/activity', { company_id: company, perPage: 50 });
      const call = activity.data.find((i) => i.details?.callId);
      return { number: (await get(`/numbers?company_id=${company}`)).data[0]!.id, conversation: activity.data[0]!.conversationId, call: call?.details?.callId };
    });
    for (const address of [`/inbox/${ids.conversation}`, `/calls/${ids.call}`, `/numbers/${ids.number}`]) await look(page, address, troubles);
  }, 240_000);
});
