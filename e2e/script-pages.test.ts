import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { findTargets } from '../server/src/modules/tracking/script/find-targets.ts';
import { readHtml } from '../server/src/modules/tracking/script/read-html.ts';
import { finderOf } from '../snippet/src/numbers.ts';
import { version } from '../snippet/src/version.ts';
import {
  bundle,
  dashed,
  numberOf,
  startWebsites,
  swapped,
  target,
  type Api,
} from './tracking/websites.ts';

/** Websites of customers, with the script as it is served: nothing of them may break. */
const { app, product, origin, pages, aShop, scriptOf, tagOf, visit } = await startWebsites();

test('plain HTML: every form of the number, links and labels; scripts and fields stay', async () => {
  const shop = await aShop();
  const { page, errors } = await visit(`<!doctype html><html><head>
    <title>Call (212) 555-0100</title>${tagOf(shop)}
    <script>var phone = '(212) 555-0100'; var sum = 0;</script>
    <script type="application/ld+json">{"telephone": "(212) 555-0100"}</script></head><body>
    <p id=a>(212) 555-0100</p><p id=b>Call 212.555.0100!</p><p id=c>+1 212 555 0100</p>
    <a id=tel href="tel:+12125550100" aria-label="Call 212-555-0100">Call</a>
    <a id=sms href="sms:212-555-0100?body=Hi">Text</a>
    <img id=img alt="Call 212-555-0100" title="212-555-0100" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">
    <textarea id=field>212-555-0100</textarea><input id=input value="212-555-0100">
    <p id=kept data-dni-noswap>212-555-0100</p><p id=edited contenteditable>212-555-0100</p>
    <p id=split>(212) <b>555</b>-<i>0100</i></p><p id=apart>212</p><p>555-0100</p>
    <p id=other>212-555-0199</p><noscript>212-555-0100</noscript>
    </body></html>`);
  await swapped(page);
  const number = await numberOf(page);
  expect(number).toMatch(/^\(628\) 555-\d{4}$/);
  const digits = number.replace(/\D/g, '');
  const text = (id: string) => page.textContent(`#${id}`);
  expect(await text('a')).toBe(number);
  expect(await text('b')).toBe(`Call ${dashed(number).replaceAll('-', '.')}!`);
  expect(await text('c')).toBe(`+1 ${dashed(number).replaceAll('-', ' ')}`);
  expect(await page.innerHTML('#split')).toBe(`(628) <b>555</b>-<i>${digits.slice(6)}</i>`);
  expect(await page.getAttribute('#tel', 'href')).toBe(`tel:+1${digits}`);
  expect(await page.getAttribute('#tel', 'aria-label')).toBe(`Call ${dashed(number)}`);
  expect(await page.getAttribute('#sms', 'href')).toBe(`sms:${dashed(number)}?body=Hi`);
  expect(await page.getAttribute('#img', 'alt')).toBe(`Call ${dashed(number)}`);
  expect(await page.getAttribute('#img', 'title')).toBe(dashed(number));
  for (const id of ['kept', 'edited', 'field']) expect(await text(id)).toBe('212-555-0100');
  expect(await page.inputValue('#input')).toBe('212-555-0100');
  expect(await text('apart')).toBe('212');
  expect(await text('other')).toBe('212-555-0199');
  expect(await page.title()).toBe('Call (212) 555-0100');
  expect(await page.evaluate('phone')).toBe('(212) 555-0100');
  expect(await page.textContent('script[type="application/ld+json"]')).toContain('(212) 555-0100');
  expect(errors).toEqual([]);
  // What the page says about itself is with the visit, and the install screen knows the website.
  await expect
    .poll(() => shop.rows('select page_count, url from tracking_visit where company_id = $1'))
    .toMatchObject([{ url: `${origin}/` }]);
  await expect
    .poll(() => shop.rows('select host, version, swapped from tracking_site where company_id = $1'))
    .toEqual([{ host: origin.slice(7), version, swapped: 10 }]);
});

test('the next page shows the number at once, and it is the same one', async () => {
  const shop = await aShop();
  const html = `<body><p id=a>(212) 555-0100</p>${tagOf(shop)}</body>`;
  const { page, context } = await visit(html);
  await swapped(page);
  const number = await numberOf(page);
  expect((await context.cookies()).map(({ name }) => name).sort()).toEqual(['_dni_s', '_dni_v']);
  // Even while we don't answer.
  await context.route(`${product}/api/**`, () => {});
  await page.goto(`${origin}/?next`);
  await swapped(page);
  expect(await page.textContent('#a')).toBe(number);
});

test('a page that changes later: new nodes, changed text, and a number written every moment', async () => {
  const shop = await aShop();
  const { page, errors } = await visit(`<body><div id=list></div><p id=clock>212-555-0100</p>
    ${tagOf(shop)}</body>`);
  await swapped(page);
  const number = dashed(await numberOf(page));
  // Before each frame, what is on the screen is the visitor's number: it never flickers.
  const seen = await page.evaluate(async () => {
    const shown = new Set<string>();
    const clock = document.querySelector('#clock')!;
    const list = document.querySelector('#list')!;
    for (let at = 0; at < 40; at += 1) {
      clock.firstChild!.nodeValue = '212-555-0100';
      const line = document.createElement('div');
      line.innerHTML = '<span>212-</span><span>555-0100</span> <a href="tel:2125550100">Call</a>';
      list.append(line);
      await new Promise(requestAnimationFrame);
      shown.add(`${clock.textContent} ${line.textContent} ${line.querySelector('a')!.href}`);
    }
    return [...shown];
  });
  const digits = number.replace(/\D/g, '');
  expect(seen).toEqual([`${number} ${number} Call tel:${digits}`]);
  expect(errors).toEqual([]);
});

test('a script that puts its number back at once doesn’t stop the page', async () => {
  const shop = await aShop();
  const { page } = await visit(`<body><p id=a>212-555-0100</p><script>
    new MutationObserver(() => {
      const a = document.querySelector('#a').firstChild;
      if (a.nodeValue !== '212-555-0100') a.nodeValue = '212-555-0100';
    }).observe(document.body, { subtree: true, characterData: true });
    </script>${tagOf(shop)}</body>`);
  await swapped(page);
  const ticks = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let n = 0;
        const timer = setInterval(() => {
          n += 1;
          if (n === 50) resolve((clearInterval(timer), n));
        }, 10);
      }),
  );
  expect(ticks).toBe(50);
});

const react = (mode: 'client' | 'hydrate'): string =>
  bundle(`
        import { createElement as h, useState } from 'react';
        import { createRoot, hydrateRoot } from 'react-dom/client';
        import { renderToString } from 'react-dom/server.browser';
        function App() {
          const [n, setN] = useState(0);
          const area = '(212)';
          return h('div', null,
            h('button', { id: 'next', onClick: () => setN(n + 1) }, 'Next ', n),
            h('p', { id: 'a' }, area, ' ', '555-0100'),
            n % 2 ? h('p', { id: 'late' }, 'Late: 212-555-0100') : 'Plain 212-555-0100',
            h('a', { id: 'tel', href: 'tel:+12125550100' }, 'Call ', n));
        }
        if (${mode === 'client'}) createRoot(document.querySelector('#root')).render(h(App));
        else {
          document.querySelector('#root').innerHTML = renderToString(h(App));
          addEventListener('load', () => setTimeout(() => hydrateRoot(document.querySelector('#root'), h(App), {
            onRecoverableError: (error) => console.error(error) }), 0));
        }`);

test.each(['client', 'hydrate'] as const)(
  'React, %s: no node is lost through clicks',
  async (mode) => {
    const shop = await aShop();
    const { page, errors } = await visit(
      `<body><div id=root></div><script>${react(mode)}</script>${tagOf(shop)}</body>`,
    );
    await swapped(page);
    const number = await numberOf(page);
    for (let n = 1; n <= 4; n += 1) {
      await page.click('#next');
      await expect.poll(() => page.textContent('#next')).toBe(`Next ${n}`);
      expect(await page.textContent('#a')).toBe(number);
      expect(await page.textContent('#root')).toContain(dashed(number));
      expect(await page.textContent('#root')).not.toContain('212');
      expect(await page.getAttribute('#tel', 'href')).toBe(`tel:+1${number.replace(/\D/g, '')}`);
    }
    expect(errors).toEqual([]);
  },
);

test('strict CSP: with its nonce it works; without, the page stays as it is', async () => {
  const shop = await aShop();
  const csp = (connect: string) => ({
    'content-security-policy': `default-src 'none'; script-src 'nonce-n1'; connect-src ${connect}`,
  });
  const html = `<body><p id=a>212-555-0100</p><script nonce=n1 async src="${scriptOf(shop)}"></script></body>`;
  const allowed = await visit({ html, headers: csp(product) });
  await swapped(allowed.page);
  expect(allowed.errors).toEqual([]);
  const refused = await visit({ html, headers: csp("'none'") }, { path: '/refused' });
  await refused.page.waitForFunction(() => 'DNI' in window);
  await refused.page.evaluate(
    () => new Promise<void>((resolve) => (window as unknown as { DNI: Api }).DNI.onReady(resolve)),
  );
  expect(await refused.page.textContent('#a')).toBe('212-555-0100');
  // The browser itself says what it refused; nothing was thrown.
  expect(refused.errors.filter((text) => !/Content Security Policy|violates/.test(text))).toEqual(
    [],
  );
});

test('Tag Manager: attributes stripped, integrity set by code', async () => {
  const shop = await aShop();
  const { data } = (
    await app.as(shop.owner).inject({
      method: 'GET',
      url: `/api/companies/${shop.owner.companyId}/trackingNumbers/script`,
    })
  ).body;
  const tag = data.gtmSnippet.replaceAll(new URL(data.changelogUrl).origin, product);
  const { page, errors } = await visit(`<body><p id=a>212-555-0100</p>${tag}</body>`);
  await swapped(page);
  expect(await page.textContent('#a')).toBe(dashed(await numberOf(page)));
  expect(errors).toEqual([]);
});

test('we are away, slow or blocked: the page keeps its numbers and hears nothing of it', async () => {
  const shop = await aShop();
  const html = `<body><p id=a>212-555-0100</p>${tagOf(shop)}</body>`;
  const stays = async (path: string, route: (page: Page) => Promise<unknown>): Promise<void> => {
    pages.set(path, { html });
    const { page, errors } = await visit('<body></body>', { path: '/empty' });
    await page.evaluate(() => {
      const seen = ((window as unknown as { failures: string[] }).failures = [] as string[]);
      addEventListener('error', (event) => seen.push(String(event.message)));
      addEventListener('unhandledrejection', (event) => seen.push(String(event.reason)));
    });
    await route(page);
    await page.goto(origin + path);
    await page.waitForTimeout(2200);
    expect(await page.textContent('#a')).toBe('212-555-0100');
    expect(errors.filter((text) => !/Failed to load resource/.test(text))).toEqual([]);
  };
  await Promise.all([
    stays('/away', (page) => page.route(`${product}/**`, (route) => route.abort())),
    stays('/no-api', (page) => page.route(`${product}/api/**`, (route) => route.abort())),
    stays('/broken', (page) =>
      page.route(`${product}/api/**`, (route) => route.fulfill({ status: 502, body: '<html>' })),
    ),
    stays('/odd', (page) =>
      page.route(`${product}/api/**`, (route) =>
        route.fulfill({
          json: { data: null },
          headers: {
            'access-control-allow-origin': origin,
            'access-control-allow-credentials': 'true',
          },
        }),
      ),
    ),
    stays('/slow', (page) =>
      page.route(`${product}/api/**/session`, async (route) => {
        await new Promise((resolve) => setTimeout(resolve, 1700));
        await route.continue();
      }),
    ),
  ]);
});

test('the check of a page finds a number exactly where the script does', () => {
  const finder = finderOf([
    {
      target,
      number: '+16285558001',
      display: { national: '', international: '+1-628', e164: '' },
    },
  ]);
  for (const text of [
    ...['(212) 555-0100', '212.555.0100', '+1 212 555 0100', '12125550100', '212555-01000'],
    ...[
      'x2125550100',
      '92125550100',
      '212 — 555 — 0100',
      '212-JKL-0100',
      '212-555-010',
      '+2125550100',
    ],
    ...['212-555-0100a', '212/555-0100, 212-555-0100', '2 12-555-0100', '212\u00a0555\u00a00100'],
  ]) {
    const [found] = findTargets(readHtml(`<p>${text}</p>`), [target]);
    const willSwap = (finder?.(text) ?? []).length;
    expect(found!.willSwap ? found!.occurrences : 0, text).toBe(willSwap);
  }
});
