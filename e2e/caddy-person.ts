import { expect } from 'vitest';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { switchTheme, violations } from './axe.ts';
import { openVisit, productUrl, type Visit } from './browser.ts';

/** A phone: narrow, with touch. */
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;
/** Caddy on a telephone, once the product serves it. */
export const openPhone = async (
  address: string,
  options: BrowserContextOptions = {},
): Promise<Visit> => {
  await expect
    .poll(async () => (await fetch(`${productUrl()}/caddy/`)).status, { timeout: 120_000 })
    .toBe(200);
  return openVisit(address, { ...phone, ...options });
};
let count = 0;
/** An address that no other test has. */
export const newEmail = (): string => `caddy-${Date.now()}-${++count}@example.com`;

/** Every code that was mailed to an address, the newest first. */
export const codesTo = async (email: string): Promise<string[]> => {
  const answer = await fetch(`${productUrl()}/dev/outbox.json`);
  const { data } = (await answer.json()) as { data: { to: string; subject: string }[] };
  return data.flatMap(({ to, subject }) =>
    to === email ? (/^\d{6}/.exec(subject)?.slice(0, 1) ?? []) : [],
  );
};
/** Types the code that is mailed for what `ask` does. */
export async function enterCode(
  page: Page,
  email: string,
  ask: () => Promise<void>,
): Promise<void> {
  const before = (await codesTo(email)).length;
  await ask();
  await page.getByLabel('Digit 1').waitFor();
  await expect
    .poll(async () => (await codesTo(email)).length, { timeout: 60_000 })
    .toBe(before + 1);
  await page.getByLabel('Digit 1').click();
  await page.keyboard.type((await codesTo(email))[0]!);
}

/** No axe violations and no horizontal overflow, in both themes. */
export async function expectFine({ page }: Visit): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const colorScheme of ['light', 'dark'] as const) {
    await switchTheme(page, colorScheme);
    expect(await violations(page), `${page.url()} ${colorScheme}`).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  }
}

/** Signs up with the keyboard alone and takes the number that is offered. */
export async function signUp(visit: Visit, email: string): Promise<string> {
  const { page } = visit;
  await page.getByRole('heading', { name: 'A second number, just for you' }).waitFor();
  await enterCode(page, email, async () => {
    await page.getByRole('textbox', { name: 'Email' }).focus();
    await page.keyboard.type(email);
    await page.keyboard.press('Enter');
  });
  await page.getByRole('heading', { name: 'Choose a number' }).waitFor();
  const offered = page.getByRole('region', { name: 'A number for you' });
  await offered.getByText(/^\(\d{3}\) \d{3}-\d{4}$/).waitFor();
  return (await offered.getByText(/^\(\d{3}\) \d{3}-\d{4}$/).textContent())!;
}

/** Takes the number that is offered, and says what it is for. */
export async function getNumber(page: Page, label: string): Promise<void> {
  await page.getByRole('button', { name: 'Get this number' }).tap();
  const sheet = page.getByRole('dialog');
  await sheet.getByText('can’t call 911').waitFor();
  await sheet.getByLabel('What is it for?').fill(label);
  await sheet.getByRole('button', { name: 'Get this number' }).tap();
  await page.getByRole('heading', { name: 'Numbers', exact: true }).waitFor();
}

/** Someone new in Caddy with a number, which is E.164. */
export async function openWithNumber(
  label = 'Marketplace',
): Promise<Visit & { visit: Visit; mine: string }> {
  const visit = await openPhone('/caddy/');
  const mine = e164(await signUp(visit, newEmail()));
  await getNumber(visit.page, label);
  return { ...visit, visit, mine };
}

/** A text from an outside phone, as the sandbox carrier delivers it. */
export const textFrom = async (from: string, to: string, text: string): Promise<void> => {
  const answer = await fetch(`${productUrl()}/sandbox/texts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ from, to, text }),
  });
  expect(answer.status).toBeLessThan(300);
};
/** The number of an outside phone. */
export const friend = (): string => `+1312555${String(1000 + (Date.now() % 9000)).slice(0, 4)}`;
/** A formatted number as E.164. */
export const e164 = (formatted: string): string => `+1${formatted.replace(/\D/g, '')}`;
