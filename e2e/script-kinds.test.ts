import { createElement as h, Suspense, use } from 'react';
import { renderToPipeableStream } from 'react-dom/server';
import { createSSRApp } from 'vue';
import { renderToString } from 'vue/server-renderer';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { bundle, dashed, numberOf, startWebsites, swapped, type Api } from './tracking/websites.ts';

/** Kinds of pages that customers have: each shows the visitor's number and stays as it is otherwise. */
const { app, pages, origin, aShop, tagOf, scriptOf, visit } = await startWebsites();

/** The page's own number stands nowhere that a person sees; the visitor's may end in its area code. */
const noOwnNumber = async (page: Page, where = 'body') =>
  expect.poll(() => page.innerText(where)).not.toMatch(/\b212\b|555-0100/);

const vueApp = {
  template: `<div><button id="next" @click="n++">Next {{ n }}</button>
    <p id="a">{{ area }} 555-0100</p><p v-if="n % 2" id="late">Late: {{ phone }}</p>
    <p v-else>Plain {{ phone }}</p><ul><li v-for="i in n" :key="i">{{ i }}: {{ phone }}</li></ul>
    <a id="tel" :href="'tel:+12125550100'" v-text="'Call ' + phone"></a></div>`,
  data: () => ({ n: 0, area: '(212)', phone: '212-555-0100' }),
};
const vueProgram = (create: string) =>
  bundle(`import { ${create} } from 'vue';
    ${create}({ template: ${JSON.stringify(vueApp.template)},
      data: () => ({ n: 0, area: '(212)', phone: '212-555-0100' }) }).mount('#app');`);

test.each(['createApp', 'createSSRApp'])(
  'Vue 3, %s: no node is lost through clicks',
  async (create) => {
    const shop = await aShop();
    const isRendered = create === 'createSSRApp';
    const html = isRendered ? await renderToString(createSSRApp(vueApp)) : '';
    const { page, errors } = await visit(
      `${tagOf(shop)}<body><div id=app>${html}</div><script>${vueProgram(create)}</script></body>`,
    );
    await swapped(page);
    const number = await numberOf(page);
    for (let n = 1; n <= 4; n += 1) {
      await page.click('#next');
      await expect.poll(() => page.textContent('#next')).toBe(`Next ${n}`);
      expect(await page.textContent('#a')).toBe(number);
      await noOwnNumber(page);
      expect(await page.locator('li').count()).toBe(n);
      expect(await page.getAttribute('#tel', 'href')).toBe(`tel:+1${number.replace(/\D/g, '')}`);
    }
    expect(errors).toEqual([]);
  },
);

test('React that streams: what comes late is swapped, hydration finds what it rendered', async () => {
  const shop = await aShop();
  // The same program on both sides; the server waits for its slow part.
  const parts = (wait: string) => `
    const slow = ${wait};
    function Slow() { use(slow); return h('p', { id: 'slow' }, 'Late: ', '212-555-0100'); }
    function App() {
      const [n, setN] = useState(0);
      return h('main', null, h('button', { id: 'next', onClick: () => setN(n + 1) }, 'Next ', n),
        h('p', { id: 'a' }, '(212) ', '555-0100'),
        h(Suspense, { fallback: h('p', null, 'Loading 212-555-0100') }, h(Slow)));
    }`;
  const program = bundle(`import { createElement as h, Suspense, use, useState } from 'react';
    import { hydrateRoot } from 'react-dom/client';
    ${parts('Promise.resolve()')}
    hydrateRoot(document.querySelector('#root'), h(App), {
      onRecoverableError: (error) => console.error(error) });`);
  let arrive = (): void => {};
  const slow = new Promise<void>((resolve) => (arrive = resolve));
  function Slow() {
    use(slow);
    return h('p', { id: 'slow' }, 'Late: ', '212-555-0100');
  }
  const onServer = h(
    'main',
    null,
    h('button', { id: 'next' }, 'Next ', 0),
    h('p', { id: 'a' }, '(212) ', '555-0100'),
    h(Suspense, { fallback: h('p', null, 'Loading 212-555-0100') }, h(Slow)),
  );
  setTimeout(arrive, 600);
  const { page, errors } = await visit({
    html: `<!doctype html><head>${tagOf(shop)}</head><body><div id=root>`,
    rest: (response) => {
      const { pipe } = renderToPipeableStream(onServer, {
        onShellReady: () => pipe(response),
        bootstrapScriptContent: `addEventListener('DOMContentLoaded', () => { ${program} })`,
      });
    },
  });
  await swapped(page);
  const number = await numberOf(page);
  await expect.poll(() => page.textContent('#slow')).toBe(`Late: ${dashed(number)}`);
  for (let n = 1; n <= 3; n += 1) {
    await page.click('#next');
    await expect.poll(() => page.textContent('#next')).toBe(`Next ${n}`);
    expect(await page.textContent('#a')).toBe(number);
  }
  await noOwnNumber(page);
  expect(errors).toEqual([]);
});

test('open shadow roots: nested, declared, filled later and made by elements defined later', async () => {
  const shop = await aShop();
  const { page, errors } = await visit(`${tagOf(shop)}<body><p id=a>212-555-0100</p>
    <div id=declared><template shadowrootmode=open><p>212-555-0100</p></template></div>
    <x-early></x-early><x-late></x-late><x-closed></x-closed>
    <script>
      const make = (name, mode) => customElements.define(name, class extends HTMLElement {
        connectedCallback() {
          const root = this.attachShadow({ mode });
          root.innerHTML = '<p>Call <b>212</b>-555-0100</p><div id=in></div>';
          root.querySelector('#in').attachShadow({ mode: 'open' }).innerHTML = '<a href="tel:2125550100">212-555-0100</a>';
          if (mode === 'closed') window.closedRoot = root;
        }
      });
      make('x-early', 'open'); make('x-closed', 'closed');
    </script></body>`);
  await swapped(page);
  const number = dashed(await numberOf(page));
  const shadow = (selector: string) =>
    page.evaluate(
      `(() => { const { shadowRoot } = document.querySelector('${selector}');
        const inner = shadowRoot.querySelector('#in')?.shadowRoot;
        return [shadowRoot.textContent.trim(), inner?.textContent, inner?.querySelector('a').getAttribute('href')].join(' '); })()`,
    );
  const whole = `Call ${number} ${number} tel:${number.replace(/\D/g, '')}`;
  expect(await shadow('#declared')).toContain(number);
  expect(await shadow('x-early')).toBe(whole);
  await page.evaluate(`make('x-late', 'open')`);
  await expect.poll(() => shadow('x-late')).toBe(whole);
  await page.evaluate(
    `document.querySelector('x-early').shadowRoot.querySelector('p').textContent = 'Now 212.555.0100'`,
  );
  await expect.poll(() => shadow('x-early')).toContain(`Now ${number.replaceAll('-', '.')}`);
  // What a component hides stays its own.
  expect(await page.evaluate('closedRoot.textContent')).toContain('212-555-0100');
  expect(errors).toEqual([]);
});

test('iframes: ours shows the same number, others and sandboxed ones stay as they are', async () => {
  const shop = await aShop();
  const html = `<p id=a>212-555-0100</p>${tagOf(shop)}`;
  pages.set('/frame', { html });
  const { page, errors } = await visit(
    `<body>${html}<iframe name=ours src="/frame"></iframe>
    <iframe name=boxed sandbox=allow-scripts src="/frame"></iframe>
    <iframe name=written srcdoc="<p id=a>212-555-0100</p>"></iframe></body>`,
    { path: '/with-frames' },
  );
  await swapped(page);
  const number = dashed(await numberOf(page));
  const inFrame = (name: string) => page.frame(name)!.textContent('#a');
  await expect.poll(() => inFrame('ours')).toMatch(/628/);
  expect(await page.textContent('#a')).toBe(number);
  for (const name of ['boxed', 'written']) expect(await inFrame(name)).toBe('212-555-0100');
  expect(errors.filter((text) => !/CORS policy|ERR_FAILED|sandboxed/.test(text))).toEqual([]);
});

test('print and right to left: what is printed and read is the visitor’s number', async () => {
  const shop = await aShop();
  const { page, errors } =
    await visit(`<!doctype html><html dir=rtl lang=ar><head><meta charset=utf-8>
    <style>.paper { display: none } @media print { .screen { display: none } .paper { display: block } }</style>
    ${tagOf(shop)}</head><body><p class=screen>اتصل بنا: <bdi id=bdi dir=ltr>(212) 555-0100</bdi> الآن</p>
    <p class=paper id=paper>اطبع 212-555-0100</p>
    <p id=marks>هاتف \u200e+1 212\u200e-555\u200e-0100\u200e</p>
    <p id=isolated>هاتف \u2066212-555-0100\u2069.</p></body></html>`);
  await swapped(page);
  const number = await numberOf(page);
  expect(await page.textContent('#bdi')).toBe(number);
  expect(await page.textContent('#isolated')).toBe(`هاتف \u2066${dashed(number)}\u2069.`);
  const [area, ...rest] = dashed(number).split('-');
  expect(await page.textContent('#marks')).toBe(
    `هاتف \u200e+1 ${[area, ...rest].join('\u200e-')}\u200e`,
  );
  await page.emulateMedia({ media: 'print' });
  expect(await page.innerText('body')).toContain(dashed(number));
  await noOwnNumber(page);
  expect(errors).toEqual([]);
});

test('document.write: while the page is read, of our own tag, and a page written anew', async () => {
  const shop = await aShop();
  const { page, errors } = await visit(
    `<body><script>document.write('<p id=a>212-555-0100</p>' + ${JSON.stringify(tagOf(shop).replace('</', '<\\/'))}.replace('<\\\\/', '</'))</script></body>`,
  );
  await swapped(page);
  const number = dashed(await numberOf(page));
  expect(await page.textContent('#a')).toBe(number);
  await page.evaluate(
    `document.open(); document.write('<body><p id=b>Anew: 212-555-0100</p></body>'); document.close()`,
  );
  await expect.poll(() => page.textContent('#b')).toBe(`Anew: ${number}`);
  expect(errors).toEqual([]);
});

test('structured data and what else machines read stay as they are', async () => {
  const shop = await aShop();
  const kept = `<script type="application/ld+json">{"telephone":"+12125550100"}</script>
    <meta name=description content="Call 212-555-0100"><meta property="og:phone_number" content="212-555-0100">
    <link rel=alternate href="https://shop.example/2125550100">`;
  const { page } = await visit(
    `<head>${kept}${tagOf(shop)}</head><body><p>212-555-0100</p>
    <p itemscope><meta itemprop=telephone content="+12125550100"></p>
    <template id=later><p>212-555-0100</p></template><svg><text id=svg>212-555-0100</text></svg>
    <select><option id=option value="212-555-0100">212-555-0100</option></select></body>`,
  );
  await swapped(page);
  const machine = await page.evaluate(
    `JSON.stringify([...document.querySelectorAll('head > *:not([src]), [itemprop]')].map((one) => one.outerHTML))`,
  );
  expect(String(machine).match(/628/)).toBeNull();
  expect(await page.getAttribute('#option', 'value')).toBe('212-555-0100');
  expect(await page.textContent('#svg')).toBe(dashed(await numberOf(page)));
  // A template is no part of the page until it is used.
  await page.evaluate(
    `document.body.append(document.querySelector('#later').content.cloneNode(true))`,
  );
  await noOwnNumber(page);
});

test('back to a page that the browser kept: a number that is another’s meanwhile is changed', async () => {
  const shop = await aShop();
  const { page, errors } = await visit(`<body><p id=a>212-555-0100</p>${tagOf(shop)}</body>`);
  await swapped(page);
  const session = () => page.evaluate(() => (window as unknown as { DNI: Api }).DNI.session());
  const before = await session();
  // This Chromium keeps no pages, so the page hears what a kept one does, an hour apart.
  await page.evaluate("dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))");
  app.clock.advance(65 * 60);
  const others = await Promise.all(
    [1, 2, 3].map(() => shop.open({ url: `${origin}/` }, { origin })),
  );
  expect(others.map(({ body }) => body.data.swaps[0]?.number)).toContain(before.swaps[0]?.number);
  await page.evaluate(`{ const now = Date.now; Date.now = () => now() + 65 * 60_000 }
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`);
  await expect.poll(async () => (await session()).sessionId).not.toBe(before.sessionId);
  expect((await session()).visitorId).toBe(before.visitorId);
  await expect.poll(() => page.textContent('#a')).toBe(dashed(await numberOf(page)));
  expect((await numberOf(page)).slice(-4)).not.toBe(before.swaps[0]?.number.slice(-4));
  expect(errors).toEqual([]);
});

test('nothing moves: no layout shift, also where the number changes late', async () => {
  const shop = await aShop();
  const { page } = await visit(
    `<!doctype html><body><header>Call (212) 555-0100 now <nav>and more</nav></header>
    <p style="width:30em">A longer text that has 212-555-0100 in its middle and goes on, so that it wraps.</p>
    <a href="tel:2125550100" style="display:inline-block;border:1px solid">212.555.0100</a><p>After</p>
    <script>window.shift = 0; new PerformanceObserver((list) => list.getEntries().forEach((one) => (shift += one.value)))
      .observe({ type: 'layout-shift', buffered: true });</script></body>`,
  );
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50))),
  );
  await page.addScriptTag({ url: scriptOf(shop) });
  await swapped(page);
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50))),
  );
  expect(await page.evaluate('shift')).toBe(0);
});
