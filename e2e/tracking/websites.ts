import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildSync } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { afterAll, onTestFinished } from 'vitest';
import { createTestApp } from '../../server/test/support/test-app.ts';
import { aSite, browser as visitorsBrowser } from '../../server/test/support/tracking-site.ts';
import { launchChromium } from '../../tools/chromium.ts';

/** The number that stands on every page. */
export const target = '+12125550100';

interface Site {
  html: string;
  headers?: Record<string, string>;
  /** Writes what follows `html` and ends the response; without it, it ends there. */
  rest?: (response: ServerResponse) => void;
}

/** What `DNI` is on a page. */
export interface Api {
  session(): { sessionId: string | null; visitorId: string | null; swaps: { number: string }[] };
  onReady(run: () => void): void;
  consent(given: boolean): void;
  event(name: string, data: object): void;
  getNumbers(targets: string[], tell: (swaps: { number: string }[]) => void): void;
  debug(): { swapped: number; version: string };
}

/**
 * The product, and websites of customers with its script, in a Chromium of their own. Every host
 * that ends in `.test` is this machine; what a website shows at a path is in `pages`.
 */
export async function startWebsites() {
  const app = await createTestApp();
  const product = await app.server.listen({ port: 0, host: '127.0.0.1' });
  const pages = new Map<string, Site>();
  const asked: string[] = [];
  const website = createServer((request, response) => {
    asked.push(`${request.headers.host}${request.url}`);
    const page = pages.get(new URL(request.url ?? '/', 'http://x').pathname);
    response.writeHead(page ? 200 : 404, { 'content-type': 'text/html', ...page?.headers });
    if (!page?.rest) return response.end(page?.html);
    response.write(page.html);
    return page.rest(response);
  });
  await new Promise<void>((resolve) => website.listen(0, '127.0.0.1', resolve));
  const { port } = website.address() as AddressInfo;
  const chromium: Browser = await launchChromium({
    args: ['--host-resolver-rules=MAP *.test 127.0.0.1'],
  });
  afterAll(async () => {
    await chromium.close();
    website.closeAllConnections();
    website.close();
  });
  const origin = `http://127.0.0.1:${port}`;

  /** A company with a pool of three numbers for our website. */
  const aShop = (settings: Parameters<typeof aSite>[2] = {}) =>
    aSite(app, 3, {
      domains: ['127.0.0.1'],
      swapTargets: [{ number: target, formats: 'auto' }],
      ...settings,
    });
  type Shop = Awaited<ReturnType<typeof aShop>>;
  const scriptOf = ({ pool }: Shop): string => `${product}/t/${pool.companyKey}/1/dni.js`;
  const tagOf = (shop: Shop): string => `<script async src="${scriptOf(shop)}"></script>`;

  /** Opens a page as a visitor. `errors`: whatever the page threw or logged as an error. */
  async function visit(
    site: Site | string,
    { path = '/', init = '', timezone = 'America/New_York', at = origin } = {},
  ) {
    pages.set(path.split('?')[0] ?? '/', typeof site === 'string' ? { html: site } : site);
    const context = await chromium.newContext({
      userAgent: visitorsBrowser,
      timezoneId: timezone,
      baseURL: at,
    });
    onTestFinished(() => context.close());
    if (init) await context.addInitScript(init);
    const page = await context.newPage();
    const errors: string[] = [];
    page.on('pageerror', ({ message }) => errors.push(message));
    page.on('console', (line) => line.type() === 'error' && errors.push(line.text()));
    await page.goto(at + path);
    return { page, context, errors };
  }
  return { app, product, origin, port, pages, asked, chromium, aShop, scriptOf, tagOf, visit };
}

/** A page's own program, of its frameworks as they are in production. */
export const bundle = (contents: string): string =>
  buildSync({
    stdin: { resolveDir: import.meta.dirname, contents, loader: 'js' },
    bundle: true,
    write: false,
    minify: true,
    define: {
      'process.env.NODE_ENV': '"production"',
      __VUE_OPTIONS_API__: 'true',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'true',
    },
    alias: { vue: 'vue/dist/vue.esm-bundler.js' },
  }).outputFiles[0]!.text.replaceAll('</script', '<\\/script');

/** Waits until the script heard from the server and changed the page. */
export const swapped = (page: Page) =>
  page.waitForFunction(() => ((window as unknown as { DNI?: Api }).DNI?.debug().swapped ?? 0) > 0);

/** The visitor's number as it would stand on the page: "(628) 555-8001". */
export const numberOf = async (page: Page): Promise<string> => {
  const number = await page.evaluate(
    () => (window as unknown as { DNI: Api }).DNI.session().swaps[0]?.number ?? '',
  );
  return number.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3');
};
export const dashed = (number: string): string => number.replace('(', '').replace(') ', '-');
