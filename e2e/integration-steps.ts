import type { Page } from 'playwright-core';
import pg from 'pg';
import { expect, inject } from 'vitest';
import { productUrl, waitForNotice } from './browser.ts';
import { sandboxRequest, type Company } from './test-company.ts';

/** A tool that can be connected, in the list of `/integrations`. */
export const offered = (page: Page, provider: string) =>
  page.getByRole('listitem').filter({ has: page.locator('strong', { hasText: provider }) });

/** The list of what is connected, on `/integrations`. */
export const accounts = (page: Page) =>
  page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Connected accounts' }) });

/** Connects an account at a simulated provider, from `/integrations`. */
export async function connect(page: Page, provider: string, account: 'main' | 'test') {
  await offered(page, provider).getByRole('button', { name: 'Connect' }).click();
  await page.getByRole('button', { name: `Allow for the ${account} account` }).click();
  await waitForNotice(page, `${provider} is connected`);
}

/** Connects an account and opens what is set of it. */
export async function setUpAccount(page: Page, provider: string, account: 'main' | 'test') {
  await connect(page, provider, account);
  await page.getByRole('link', { name: 'Set up' }).click();
  await page.getByRole('button', { name: 'Set up' }).click();
  const dialog = page.getByRole('dialog');
  /** Chooses an option of a field of the dialog. */
  const choose = async (name: RegExp, option: string | RegExp): Promise<void> => {
    await dialog.getByRole('combobox', { name }).click();
    await page.getByRole('option', { name: option }).click();
  };
  /** Chooses one of our fields, and the provider’s that it is written to. */
  const pair = async (ours: string, label: string, theirs: string): Promise<void> => {
    await dialog.getByRole('button', { name: 'Add field' }).click();
    await dialog.getByRole('combobox', { name: 'Our field' }).last().click();
    await page.getByRole('option', { name: ours }).click();
    await dialog.getByRole('combobox', { name: label }).last().click();
    await page.getByRole('option', { name: theirs }).click();
  };
  /** Saves it, which turns the account on. */
  const save = async (): Promise<void> => {
    await dialog.getByRole('button', { name: 'Save' }).click();
    await waitForNotice(page, `${provider} settings saved`);
    await page.getByText('Active').first().waitFor();
  };
  return { dialog, choose, pair, save };
}

/** Someone calls a number and hangs up before anyone answers. */
export async function missCall(from: string, to: string): Promise<void> {
  const { data: call } = await sandboxRequest<{ data: { id: string } }>('POST', '/calls', {
    from,
    to,
  });
  await expect
    .poll(async () => (await sandboxRequest<{ state: string }>('GET', `/calls/${call.id}`)).state)
    .not.toBe('new');
  await sandboxRequest('POST', `/calls/${call.id}/hangup`, {});
}

/** What a simulated provider has, as its page of the sandbox lists it. */
export async function inSandbox<T>(name: string): Promise<T[]> {
  const answer = await fetch(`${productUrl()}/sandbox/${name}.json`);
  return ((await answer.json()) as { data: T[] }).data;
}

/**
 * Waits until a provider has so many. What failed once is sent again a minute later, and what broke
 * off two minutes later. Throws with what became of the company's deliveries if they don't arrive.
 */
export async function arrived(
  company: Company,
  found: () => Promise<readonly unknown[]>,
  count: number,
): Promise<void> {
  try {
    await expect.poll(async () => (await found()).length, { timeout: 180_000 }).toBe(count);
  } catch (cause) {
    const db = new pg.Client({ connectionString: inject('productDatabase') });
    await db.connect();
    const { rows } = await db.query(
      `select event, state, attempts, error, created_at, next_try_at, claimed_until from delivery
        where company_id = $1 order by id`,
      [company.id],
    );
    await db.end();
    throw new Error(`There are ${(await found()).length}: ${JSON.stringify(rows)}`, { cause });
  }
}
