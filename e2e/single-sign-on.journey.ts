import { OAuth2Server } from 'oauth2-mock-server';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { violations } from './axe.ts';
import { openVisit, waitForNotice } from './browser.ts';
import { removeDataDir, startReadyProduct, temporaryDataDir } from './product.ts';

const provider = new OAuth2Server();
/** As whom the provider signs everyone in. */
let claims: Record<string, unknown> = {};
let product: Awaited<ReturnType<typeof startReadyProduct>>;
const dataDir = temporaryDataDir();
beforeAll(async () => {
  await provider.issuer.keys.generate('RS256');
  await provider.start(0, '127.0.0.1');
  provider.service.on('beforeTokenSigning', (token: { payload: Record<string, unknown> }) => {
    Object.assign(token.payload, { aud: 'trunkline' }, claims);
  });
  product = await startReadyProduct(dataDir, { SSO_PRIVATE_NETWORK: '1' });
});
afterAll(async () => {
  await product.stop();
  removeDataDir(dataDir);
  await provider.stop();
});

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('owner@demo.test');
  await page.getByRole('textbox', { name: 'Password' }).fill('trunkline-demo');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: /Harbor Dental/ }).click();
}

test('an organization sets up single sign-on, and someone new comes in through it', async () => {
  const { url } = product;
  const { page, context, consoleErrors } = await openVisit('/login', { baseURL: url });
  await signIn(page);
  await page.waitForURL(`${url}/`);
  await page.goto(`${url}/organization/single-sign-on`);
  await page.getByText('Not set up').waitFor();
  expect(await violations(page)).toEqual([]);

  await page.getByLabel('Issuer').fill(`${provider.issuer.url!}/`); // started
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await page.getByText('This provider calls itself').waitFor();
  await page.getByLabel('Issuer').fill(provider.issuer.url!);
  await page.getByLabel('Client ID').fill('trunkline');
  await page.getByLabel('Client secret').fill('secret');
  await page.getByRole('button', { name: 'Connect', exact: true }).click();
  await waitForNotice(page, 'Provider connected');

  await page.getByLabel('Domain').fill('harborline.com');
  await page.getByRole('button', { name: 'Add domain' }).click();
  await page.getByRole('button', { name: 'Create these records' }).click();
  await page.getByRole('group', { name: 'harborline.com' }).getByText('Proven').waitFor();

  await page.getByRole('button', { name: 'Add rule' }).click();
  const rule = page.getByRole('group', { name: 'Rule 1' });
  await rule.getByLabel('Group').fill('Front desk');
  await rule.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: 'Reporting' }).click();
  await page
    .locator('form')
    .filter({ has: rule })
    .getByRole('button', { name: 'Save', exact: true })
    .click();
  await waitForNotice(page, 'Access saved');
  expect(await violations(page)).toEqual([]);

  claims = {
    ...{ sub: 'ann', email: 'ann@harborline.com', email_verified: true },
    ...{ given_name: 'Ann', family_name: 'Fox' },
  };
  await context.clearCookies();
  await page.goto(`${url}/login?next=%2Fcalls`);
  const way = page.getByRole('link', { name: /^Continue with / });
  await page.getByLabel('Email').fill('ann@harborline.com');
  await page.getByLabel('Email').press('Tab');
  await way.click();
  await page.getByText('hasn’t given you access yet').waitFor();

  claims = { ...claims, groups: ['Front desk'] };
  await page.getByLabel('Email').fill('ann@harborline.com');
  await page.getByLabel('Email').press('Tab');
  await way.waitFor();
  expect(await violations(page)).toEqual([]);
  await way.click();
  await page.waitForURL(`${url}/calls`);
  await page.getByRole('button', { name: /Ann Fox/ }).waitFor();
  expect(consoleErrors.filter((line) => !/401|favicon|\/authorize\?/.test(line))).toEqual([]);
});
