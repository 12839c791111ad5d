import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { expect, inject, onTestFinished } from 'vitest';
import { usFederalHolidays } from '../contract/src/routing/schedules/rules.ts';
import { launchChromium } from '../tools/chromium.ts';
import type {} from './global.ts';

/** The origin of the product under test. */
export const productUrl = (): string => inject('productUrl');

/** A page in a user's own browser window, with every error in it. */
export interface Visit {
  page: Page;
  context: BrowserContext;
  /** Errors that the page threw or logged, and requests to other origins. */
  consoleErrors: string[];
}

let browser: Promise<Browser> | null = null;

/**
 * This worker's only browser, shared by its files. If it crashes, one test fails and the next gets
 * a new one.
 */
export async function sharedBrowser(): Promise<Browser> {
  if (!browser || !(await browser).isConnected()) browser = launchChromium();
  return browser;
}

/**
 * Opens a new window (own cookies, own session) at an address of the product. Closes with its test.
 */
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
    // It stores every file a second time, a third of what opening a screen costs the browser. `apps` and
    // `caddy` allow it.
    serviceWorkers: 'block',
    // A frame of an animation is drawn without a GPU here; a fifth of a journey's processor time.
    reducedMotion: 'reduce',
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
  // For conditions that must come true: a busy machine is slow, and speed isn't tested here.
  page.setDefaultTimeout(120_000);
  page.on('pageerror', (error) => consoleErrors.push(`threw: ${error.message}`));
  page.on('console', (line) => {
    const { url } = line.location();
    if (line.type() !== 'error' || isLateQuestion(line.text(), url)) return;
    consoleErrors.push(`console: ${line.text()}`);
  });
  page.on('response', (answer) => {
    if (answer.status() >= 400)
      lastRefused.set(
        page,
        `${answer.status()} ${answer.request().method()} ${new URL(answer.url()).pathname}`,
      );
  });
  page.on('request', (request) => {
    if (
      /^https?:/.test(request.url()) &&
      !request.url().startsWith(options.baseURL ?? productUrl())
    )
      consoleErrors.push(`requested another origin: ${request.url()}`);
  });
  await page.goto(address);
  return { page, context, consoleErrors };
}

/** A call may end while the page asks how it is; 409 is the right answer. */
const isLateQuestion = (text: string, url: string): boolean =>
  text.includes('409') && /\/api\/calls\/\d+\/live$/.test(url);

const lastRefused = new WeakMap<Page, string>();
/**
 * Address, text, notices, last refused request and errors of a page on one line, so that a failure
 * on another machine can be understood.
 */
async function pageState(page: Page, consoleErrors: readonly string[]): Promise<string> {
  const { text, notices } = await page
    .evaluate(() => ({ text: document.body.innerText, notices: window.shownNotices ?? [] }))
    .catch(() => ({ text: 'no answer', notices: [] }));
  const short = (words: string, most: number): string => words.replace(/\s+/g, ' ').slice(0, most);
  return `${page.url()} shows: ${short(text, 1200)} | notices: ${short(notices.slice(-5).join('; '), 300)} | refused last: ${lastRefused.get(page) ?? 'nothing'} | errors: ${short(consoleErrors.slice(-3).join('; '), 300)}`;
}

/** The demo world's people, by how they sign in. */
export const demoRoles = [
  'Owner',
  'Administrator',
  'Billing',
  'Reporting',
  'User',
  'Organization administrator',
  'Platform admin',
] as const;

/**
 * Signs in with one click, as newcomers do, and picks Harbor Dental if there are several companies.
 * Resolves when the shell is shown.
 */
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
  const adminMode = page.getByRole('heading', { name: 'Enter admin mode' });
  await main.or(choose).or(adminMode).first().waitFor();
  if (await adminMode.count()) {
    await page.getByLabel('Reason').fill('Trying the product');
    await page.getByRole('button', { name: 'Enter admin mode' }).click();
    await main.or(choose).first().waitFor();
  }
  // Other journeys create companies with similar names.
  if (await choose.count())
    await page
      .getByRole('button')
      .filter({ has: page.getByText('Harbor Dental', { exact: true }) })
      .click();
  await main.waitFor();
  await page.locator('h1').first().waitFor();
}
export const signInAsDemoOwner = (page: Page): Promise<void> => signInAsDemoRole(page, 'Owner');

/**
 * Calls the API (`/contacts`) or the sandbox carrier (`/sandbox/texts`) with the page's session.
 */
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

/** The demo world's company. */
export const harborDental = async (page: Page): Promise<number> =>
  ((await api(page, 'GET', '/companies/slim')).body.data as { id: number; name: string }[]).find(
    ({ name }) => name === 'Harbor Dental',
  )!.id;

/** A weekday (2: Tuesday) more than a week ahead that is no holiday, so business hours apply. */
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

/** Resolves when the phone in this page is connected and can ring. */
export const waitForPhoneReady = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'In-app phone: Receiving calls' }).waitFor();

/**
 * Waits until the page has shown a notice or a job in the tray (`Changing 25 numbers, Done`) since
 * it was loaded.
 * Those disappear after a while, and a slow machine might look too late, so they are recorded as
 * they appear. Each counts once.
 */
export async function waitForNotice(page: Page, words: string): Promise<void> {
  await expect
    .poll(
      () =>
        page
          .evaluate((wanted) => {
            const at = (window.shownNotices ?? []).findIndex((line) => line.includes(wanted));
            return at >= 0 && (window.shownNotices!.splice(at, 1), true);
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
    /** Recorded notices not waited for yet, oldest first. */
    shownNotices?: string[];
  }
}
/** Runs in the page before its own scripts. */
function recordNotices(): void {
  const notices: string[] = (window.shownNotices = []);
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
        notices.push(words);
      }
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });
}
