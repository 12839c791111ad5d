import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { switchTheme, violations } from './axe.ts';
import { productUrl, sharedBrowser } from './browser.ts';
import { createCompany, sandboxRequest } from './test-company.ts';

/** No axe violations and no horizontal overflow, in both themes, wide and narrow. */
async function expectFine(page: Page): Promise<void> {
  for (const width of [1360, 390])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 850 });
      await switchTheme(page, colorScheme);
      const pictures = process.env['SCRIPT_PICTURES'];
      if (pictures)
        await page.screenshot({
          path: `${pictures}/script-${width}-${colorScheme}-${Date.now()}.png`,
          fullPage: true,
        });
      expect(await violations(page), `${page.url()} ${width} ${colorScheme}`).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    }
  await page.setViewportSize({ width: 1360, height: 850 });
}

test('from the copied script to the call that an ad made', async () => {
  const { id: companyId, ask, number, open } = await createCompany('Script Dental');
  const lines = [await number('934'), await number('934')];
  await ask('POST', `/companies/${companyId}/dniPools`, {
    name: 'Website',
    numberIds: lines.map(({ id }) => id),
    domains: ['127.0.0.1'],
    swapTargets: [{ number: '+12125550100', formats: 'auto' }],
  });

  // Each screen of tracking is found by its subject, and the script by what people call it.
  const { page, consoleErrors } = await open('/inbox');
  const find = page.getByPlaceholder(/Find a screen/);
  const found = (name: string) => page.getByRole('dialog').getByText(name, { exact: true });
  await page.getByRole('button', { name: /^Find/ }).click();
  await find.fill('tracking');
  for (const name of ['pools', 'script', 'sources', 'reports'])
    await found(`Tracking ${name}`).waitFor();
  await found('Live feed').waitFor();
  for (const word of ['install', 'snippet', 'wordpress', 'dni script']) {
    await find.fill(word);
    await found('Tracking script').waitFor();
  }
  await page.keyboard.press('Enter');
  await page.waitForURL('**/tracking/script');

  // The company copies the script from the screen into its website.
  await page.getByText('Not seen yet').waitFor();
  const code = (await page.getByLabel('Code to copy').textContent()) ?? '';
  expect(code).toMatch(
    /^<script async src="[^"]+" integrity="sha384-[^"]+" crossorigin="anonymous">/,
  );
  await expectFine(page);
  const website = createServer((_, reply) =>
    reply
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html><head>${code}</head><body><p id=phone>(212) 555-0100</p></body>`),
  );
  await new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve));
  const visitor = await (
    await sharedBrowser()
  ).newContext({ userAgent: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 15_0) Chrome/147.0.0.0' });
  onTestFinished(async () => {
    await visitor.close();
    website.closeAllConnections();
    website.close();
  });

  // A visitor comes from an ad, sees a number of their own, and calls it; all of it is seen live.
  const feed = await page.context().newPage();
  await feed.goto('/tracking/live');
  await feed.getByText('No visits yet').waitFor();
  await expectFine(feed);
  const site = await visitor.newPage();
  await site.goto(`http://127.0.0.1:${(website.address() as AddressInfo).port}/?gclid=Ea1`);
  await expect.poll(() => site.textContent('#phone')).toMatch(/^\(934\) 555-\d{4}$/);
  const shown = `+1${(await site.textContent('#phone'))!.replace(/\D/g, '')}`;
  const { data: call } = await sandboxRequest<{ data: { id: string } }>('POST', '/calls', {
    from: '+19345550101',
    to: shown,
  });
  expect(call.id).toBeTruthy();
  for (const what of ['Visit began', 'Number shown', 'Call'])
    await feed.getByRole('row', { name: `${what}, from Google Ads` }).waitFor();
  await expectFine(feed);
  await feed.getByRole('combobox', { name: 'Kind' }).click();
  await feed.getByRole('option', { name: 'Call' }).click();
  await expect.poll(() => feed.getByRole('row').count()).toBe(2);
  await feed.keyboard.press('Escape');
  await feed.getByRole('button', { name: 'Pause' }).click();
  await feed.getByText('Paused').waitFor();
  await feed.close();
  // The list of websites, opened before, followed.
  await page.getByRole('row', { name: /127\.0\.0\.1/ }).waitFor();
  await page.goto('/inbox');
  await page.getByRole('list', { name: 'Conversations' }).getByRole('listitem').first().click();
  await page
    .getByText(/Google Ads/)
    .first()
    .waitFor();

  // The screen knows the website; a page that isn't public is refused in words.
  await page.goto('/tracking/script');
  await page.getByRole('row', { name: /127\.0\.0\.1/ }).waitFor();
  await page.getByRole('textbox', { name: 'Address of the page' }).fill('http://192.168.0.10/');
  await page.getByRole('button', { name: 'Test page' }).click();
  await page.getByText('This isn’t an address on the public internet.').waitFor();
  await page.getByText('WordPress').click();
  await page.getByRole('link', { name: 'Download plugin' }).waitFor();
  await expectFine(page);

  // Switched off, the next page keeps its own number.
  await page.getByRole('button', { name: 'Switch off' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click();
  await page.getByText('The script is off').waitFor();
  await site.goto(`http://127.0.0.1:${(website.address() as AddressInfo).port}/again`);
  await expect
    .poll(() => site.evaluate(() => typeof (window as unknown as { DNI?: object }).DNI))
    .toBe('object');
  expect(productUrl()).toMatch(/^http/);
  expect(consoleErrors).toEqual([]);
});
