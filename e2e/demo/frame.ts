import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import {
  api,
  signInAsDemoRole,
  signInAsDemoOwner,
  harborDental,
  waitForPhoneReady,
  productUrl,
  openVisit,
} from '../browser.ts';

/** Signs in with one click, as newcomers do, and picks the first company if there are several. */

test(
  'the first load is at most 250 kB of compressed script, and no screen adds more than 120',
  { timeout: 600_000 },
  async () => {
    const { page } = await openVisit('/link-expired');
    const seen = new Set<string>();
    page.on('response', (r) => {
      const file = /\/assets\/([^?]+\.js)$/.exec(r.url())?.[1];
      if (file) seen.add(file);
    });
    // Measured separately: the page may have dropped the response by then.
    const weigh = async (file: string): Promise<number> =>
      gzipSync(await (await page.request.get(`/assets/${file}`)).body()).length;
    await page.goto('/login');
    await page.waitForLoadState('networkidle');
    const html = await (await page.request.get('/login')).text();
    const first = await Promise.all(
      [...html.matchAll(/assets\/([^"]+\.js)/g)].map((m) => weigh(m[1]!)),
    );
    expect(Math.min(...first)).toBeGreaterThan(0);
    expect(first.reduce((all, size) => all + size, 0)).toBeLessThanOrEqual(250_000);
    await signInAsDemoOwner(page);
    for (const address of [
      '/',
      '/inbox',
      '/activity/calls',
      '/numbers',
      '/numbers/buy',
      '/settings/company',
      '/settings/blocked',
    ]) {
      await page.goto(address);
      await page.locator('h1').first().waitFor();
      await page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'));
    }
    const further = [...seen].filter((file) => !html.includes(file));
    expect(further.length).toBeGreaterThan(5);
    const sizes = await Promise.all(
      further.map(async (file) => [file, await weigh(file)] as const),
    );
    expect(sizes.filter(([, size]) => size > 120_000)).toEqual([]);
  },
);

test(
  'a deep link survives sign-in, a role without permission is told so, and everything works by keyboard',
  { timeout: 600_000 },
  async () => {
    const { page } = await openVisit('/settings/blocked?search=555');
    await page.waitForURL(/\/login\?next=/);
    await signInAsDemoRole(page, 'Billing');
    await page.getByText('Your role does not allow this.').waitFor();
    expect(page.url()).toContain('/settings/blocked?search=555');
    await page.getByRole('button', { name: /your menu/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL(/\/login/);

    await page.goto('/login?next=%2Fsettings%2Fusers');
    await signInAsDemoOwner(page);
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
    // Enter opens the highlighted result.
    await page.locator('[data-selected]', { hasText: 'Blocked numbers' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/settings\/blocked/);
    await find.waitFor({ state: 'detached' });
    // Two keys within a second, which a busy machine may miss.
    await expect
      .poll(
        async () => {
          await page.keyboard.press('g');
          await page.keyboard.press('h');
          return new URL(page.url()).pathname;
        },
        { timeout: 60_000, interval: 1000 },
      )
      .toBe('/');
  },
);

test('the tour is offered once, covers nothing, and can be reopened from the menu', async () => {
  const { page } = await openVisit('/login');
  await signInAsDemoOwner(page);
  // The phone loads after the page; the tour skips what isn't shown yet.
  await waitForPhoneReady(page);
  await page.getByRole('button', { name: 'Take the tour' }).click();
  await page.getByText('One inbox for everything').waitFor();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText('Your phone', { exact: true }).waitFor();
  // The page underneath keeps working.
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: /^Activity/ })
    .click();
  await page.waitForURL(/\/activity/);
  await page.keyboard.press('Escape');
  await page.goto('/');
  await page.getByRole('heading', { name: 'Latest' }).waitFor();
  expect(await page.getByText('New here?').count()).toBe(0);
  await page.getByRole('button', { name: /your menu/ }).click();
  await page.getByRole('menuitem', { name: 'Take the tour' }).click();
  await page.getByText('One inbox for everything').waitFor();
});

test('what arrives after a page has read and before it subscribes is shown', async () => {
  const { page } = await openVisit('/login');
  await signInAsDemoOwner(page);
  let open = (): void => {};
  const held = new Promise<void>((resolve) => {
    open = resolve;
  });
  await page.routeWebSocket(/socket\.io/, async (line) => {
    await held;
    line.connectToServer();
  });
  await page.goto('/inbox');
  const list = page.getByRole('list', { name: 'Conversations' });
  await list.getByRole('listitem').first().waitFor();
  const words = `Between reading and listening ${Date.now()}`;
  expect(
    (
      await fetch(`${productUrl()}/sandbox/texts`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ from: '+12125550142', to: '+12125552300', text: words, media: [] }),
      })
    ).status,
  ).toBe(201);
  await expect
    .poll(async () =>
      JSON.stringify(
        (await api(page, 'GET', `/companies/${await harborDental(page)}/conversations?perPage=5`))
          .body,
      ),
    )
    .toContain(words);
  expect(await list.getByText(words).count(), 'nobody told the page yet').toBe(0);
  open();
  await list.getByText(words).waitFor();
}, 180_000);

test('offline, the phone says that it can’t ring, and a message waits in its thread to be sent once', async () => {
  const { page, context, consoleErrors } = await openVisit('/login');
  await signInAsDemoOwner(page);
  await page.goto('/inbox');
  await page.getByRole('list', { name: 'Conversations' }).getByRole('link').first().click();
  const message = page.getByRole('textbox', { name: 'Message' });
  await message.waitFor();
  await waitForPhoneReady(page);
  consoleErrors.length = 0;
  await context.setOffline(true);
  await page
    .getByRole('button', { name: 'In-app phone: Offline – calls won’t ring here' })
    .waitFor();
  const words = `On my way ${Date.now()}`;
  await message.fill(words);
  await page.keyboard.press('Enter');
  await page.getByText('You’re offline. Your message is saved.').waitFor();
  expect(await page.getByText(/unknown error/i).count()).toBe(0);
  // It survives a reload, from the service worker's cache or, as here, from the network.
  await context.setOffline(false);
  await page.reload();
  await page.getByRole('button', { name: 'Retry' }).click();
  await page.getByText('You’re offline. Your message is saved.').waitFor({ state: 'detached' });
  const thread = page.getByRole('log');
  await expect
    .poll(
      async () =>
        JSON.stringify(
          (
            await api(page, 'POST', '/activity', {
              company_id: await harborDental(page),
              perPage: 50,
              message: true,
            })
          ).body.data,
        ).split(words).length - 1,
    )
    .toBe(1);
  expect(await thread.getByText(words).count()).toBe(1);
  await waitForPhoneReady(page);
  expect(consoleErrors.filter((line) => !/net::ERR_|WebSocket/.test(line))).toEqual([]);
}, 180_000);

test('when nearly every response is an error, the shell stays and says so once', async () => {
  const { page } = await openVisit('/login');
  await signInAsDemoOwner(page);
  await page.route('**/api/**', (route) =>
    route.fulfill({ status: 500, json: { message: 'Server Error' } }),
  );
  await page.reload();
  await page.getByRole('heading', { name: 'Couldn’t load this' }).waitFor();
  const main = page.getByRole('navigation', { name: 'Main' });
  expect(await main.getByRole('link').count()).toBeGreaterThan(5);
  expect(await page.getByText(/unknown error has occurred/).count()).toBe(1);
  await page.unroute('**/api/**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Latest' }).waitFor();
}, 180_000);

test('without a session the address shows the sign-in page, which requests nothing else', async () => {
  const { page, consoleErrors } = await openVisit('/');
  await page
    .getByLabel(/e-?mail/i)
    .first()
    .waitFor();
  await page.waitForLoadState('networkidle');
  // Not being signed in is an expected response, not an error.
  expect(consoleErrors.filter((line) => !line.includes('401'))).toEqual([]);
});

test('the product reports that it is alive and ready', async () => {
  expect((await fetch(`${productUrl()}/livez`)).status).toBe(200);
  expect((await fetch(`${productUrl()}/readyz`)).status).toBe(200);
  expect(await (await fetch(`${productUrl()}/metrics`)).text()).toContain('process_cpu');
});

test('the API reference opens without third-party requests', async () => {
  const { page, consoleErrors } = await openVisit('/docs');
  // One bundled page of two megabytes, which takes a while on a busy machine.
  await page.getByText('Trunkline API').first().waitFor({ timeout: 300_000 });
  await page.waitForLoadState('networkidle');
  expect(consoleErrors.filter((line) => line.startsWith('requested another origin'))).toEqual([]);
});
