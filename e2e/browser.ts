import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { expect, inject, onTestFinished } from 'vitest';
import { usFederalHolidays } from '../contract/src/routing/schedules/rules.ts';
import { launchChromium } from '../tools/chromium.ts';
import type {} from './global.ts';

/** Where the product under test answers. */
export const productUrl = (): string => inject('productUrl');

/** A page in a person's own browser window, with everything that went wrong in it. */
export interface Visit {
  page: Page;
  context: BrowserContext;
  /** Errors the page threw or wrote to its console, and requests to anybody but the product. */
  consoleErrors: string[];
}

let browser: Promise<Browser> | null = null;

/** The one browser of this worker, for all its files; it ends with it. One that crashed fails one test, not those after it. */
export async function sharedBrowser(): Promise<Browser> {
  if (!browser || !(await browser).isConnected()) browser = launchChromium();
  return browser;
}

/** Opens a fresh window (own cookies, own session) on an address of the product; it closes when its test ends. */
export async function openVisit(
  address: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const context = await (
    await sharedBrowser()
  ).newContext({
    baseURL: productUrl(),
    viewport: { width: 1360, height: 850 },
    permissions: ['microphone'],
    locale: 'en-US',
    timezoneId: 'America/New_York',
    ...options,
  });
  const consoleErrors: string[] = [];
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail')
      for (const one of context.pages())
        (task.meta.pages ??= []).push(await pageState(one, consoleErrors));
    await context.close();
  });
  await context.addInitScript(recordNotices);
  const page = await context.newPage();
  // For what must happen: a machine that runs everything else, too, is slow, and nothing here is about speed.
  page.setDefaultTimeout(120_000);
  page.on('pageerror', (error) => consoleErrors.push(`threw: ${error.message}`));
  page.on(
    'console',
    (line) => line.type() === 'error' && consoleErrors.push(`console: ${line.text()}`),
  );
  page.on('response', (answer) => {
    if (answer.status() >= 400)
      lastRefused.set(
        page,
        `${answer.status()} ${answer.request().method()} ${new URL(answer.url()).pathname}`,
      );
  });
  page.on('request', (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(productUrl()))
      consoleErrors.push(`asked a stranger: ${request.url()}`);
  });
  await page.goto(address);
  return { page, context, consoleErrors };
}

const lastRefused = new WeakMap<Page, string>();
/** Where a page is, its text, notices, last refused request and errors, on one line: a failure on another machine is told by this alone. */
async function pageState(page: Page, consoleErrors: readonly string[]): Promise<string> {
  const { text, notices } = await page
    .evaluate(() => ({ text: document.body.innerText, notices: window.saidHere ?? [] }))
    .catch(() => ({ text: 'no answer', notices: [] }));
  const short = (words: string, most: number): string => words.replace(/\s+/g, ' ').slice(0, most);
  return `${page.url()} shows: ${short(text, 1200)} | notices: ${short(notices.slice(-5).join('; '), 300)} | refused last: ${lastRefused.get(page) ?? 'nothing'} | errors: ${short(consoleErrors.slice(-3).join('; '), 300)}`;
}

/** Everybody of the demo world who comes in by the sign-in of people. */
export const demoRoles = [
  'Owner',
  'Administrator',
  'Billing',
  'Reporting',
  'User',
  'Organization administrator',
  'Platform admin',
] as const;

/** One click at the sign-in, as newcomers do; Harbor Dental, when there are several companies to choose from. Ends when the frame stands. */
export async function signInAsDemoRole(
  page: Page,
  role: (typeof demoRoles)[number],
): Promise<void> {
  await page
    .getByRole('button', { name: new RegExp(`^.{0,3}${role}`, 'i') })
    .first()
    .click();
  const main = page.getByRole('navigation', { name: 'Main' });
  const choose = page.getByRole('heading', { name: 'Choose a company' });
  await main.or(choose).first().waitFor();
  // Other journeys found companies whose names begin alike.
  if (await choose.count())
    await page
      .getByRole('button')
      .filter({ has: page.getByText('Harbor Dental', { exact: true }) })
      .click();
  await main.waitFor();
  await page.locator('h1').first().waitFor();
}
export const signInAsDemoOwner = (page: Page): Promise<void> => signInAsDemoRole(page, 'Owner');

/** What the page's own session asks of the interface (`/contacts`) or of the carrier in the sandbox (`/sandbox/texts`). */
export const api = (
  page: Page,
  method: string,
  path: string,
  body?: object,
  // oxlint-disable-next-line no-explicit-any -- whatever came back
): Promise<{ status: number; body: any }> =>
  page.evaluate(
    async ([how, where, what]) => {
      const xsrf = decodeURIComponent(/XSRF-TOKEN=([^;]+)/.exec(document.cookie)?.[1] ?? '');
      const answer = await fetch(where, {
        method: how,
        headers: { 'x-xsrf-token': xsrf, 'content-type': 'application/json' },
        ...(what ? { body: what } : {}),
      });
      const text = await answer.text();
      return { status: answer.status, body: text ? JSON.parse(text) : null };
    },
    [
      method,
      path.startsWith('/sandbox/') ? path : `/api${path}`,
      body ? JSON.stringify(body) : '',
    ] as const,
  );

/** The company of the demo world. */
export const harborDental = async (page: Page): Promise<number> =>
  ((await api(page, 'GET', '/companies/slim')).body.data as { id: number; name: string }[]).find(
    ({ name }) => name === 'Harbor Dental',
  )!.id;

/** A weekday (2: Tuesday) more than a week ahead that is no holiday: open, if nobody says otherwise. */
export function nextWorkday(weekday: number): string {
  const day = new Date(Date.now() + 8 * 86_400_000);
  const holidays = new Set(
    [0, 1]
      .flatMap((more) => usFederalHolidays(day.getUTCFullYear() + more))
      .map(({ from }) => from),
  );
  while (day.getUTCDay() !== weekday || holidays.has(day.toISOString().slice(0, 10)))
    day.setUTCDate(day.getUTCDate() + 1);
  return day.toISOString().slice(0, 10);
}

/** The phone in this page's frame is connected: it rings from now on. */
export const waitForPhoneReady = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'In-app phone: Receiving calls' }).waitFor();

/**
 * Waits until the page has said something in passing since it was loaded: a notice, or a job in the tray (`Changing 25 numbers, Done`).
 * Those leave by themselves, and a slow machine may look too late; so they are written down as they come. Each counts once.
 */
export async function waitForNotice(page: Page, words: string): Promise<void> {
  await expect
    .poll(
      () =>
        page
          .evaluate((wanted) => {
            const at = (window.saidHere ?? []).findIndex((line) => line.includes(wanted));
            return at >= 0 && (window.saidHere!.splice(at, 1), true);
          }, words)
          .catch(() => false),
      { timeout: 120_000, message: `the page says “${words}”` },
    )
    .toBe(true);
}

declare module 'vitest' {
  interface TaskMeta {
    /** What the pages of a failed journey showed at its end. */
    pages?: string[];
  }
}
declare global {
  interface Window {
    /** What was said in passing and not yet waited for, oldest first. */
    saidHere?: string[];
  }
}
/** Runs in the page before anything of it does. */
function recordNotices(): void {
  const heard: string[] = (window.saidHere = []);
  const before = new WeakMap<Element, string>();
  new MutationObserver(() => {
    for (const [places, between] of [
      ['[data-flash] > div > div', ' '],
      ['[aria-label="Running jobs"] > div', ', '],
    ] as const) {
      for (const place of document.querySelectorAll(places)) {
        const words = [...place.querySelectorAll('div, span')]
          .filter((one) => one.childElementCount === 0 || one.role === 'status')
          .map((one) => one.textContent?.trim())
          .filter(Boolean)
          .join(between);
        if (before.get(place) === words) continue;
        before.set(place, words);
        heard.push(words);
      }
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });
}
