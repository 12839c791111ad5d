import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, inject } from 'vitest';
import { launchChromium } from '../tools/chromium.ts';
import type {} from './global.ts';

/** Where the product under test answers. */
export const productUrl = (): string => inject('productUrl');

/** A page in a person's own browser window, with everything that went wrong in it. */
export interface Visit {
  page: Page;
  context: BrowserContext;
  /** Errors the page threw or wrote to its console, and requests to anybody but the product. */
  troubles: string[];
}

let browser: Promise<Browser> | null = null;

/** Opens a fresh window (own cookies, own session) on an address of the product. One browser a file; it closes by itself. */
export async function visit(address: string, options: BrowserContextOptions = {}): Promise<Visit> {
  if (!browser) {
    browser = launchChromium();
    afterAll(async () => (await browser)?.close());
  }
  const context = await (await browser).newContext({ baseURL: productUrl(), viewport: { width: 1360, height: 850 }, permissions: ['microphone'], locale: 'en-US', timezoneId: 'America/New_York', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
  const troubles: string[] = [];
  page.on('pageerror', (error) => troubles.push(`threw: ${error.message}`));
  page.on('console', (line) => line.type() === 'error' && troubles.push(`console: ${line.text()}`));
  page.on('request', (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(productUrl())) troubles.push(`asked a stranger: ${request.url()}`);
  });
  await page.goto(address);
  return { page, context, troubles };
}
