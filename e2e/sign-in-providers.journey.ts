import { OAuth2Server } from 'oauth2-mock-server';
import { expect, onTestFinished, test } from 'vitest';
import { violations } from './axe.ts';
import { openVisit, waitForNotice } from './browser.ts';
import { withProduct } from './product.ts';

/** A provider that signs everyone in as this person. */
async function startProvider(claims: Record<string, unknown>): Promise<string> {
  const server = new OAuth2Server();
  await server.issuer.keys.generate('RS256');
  await server.start(0, '127.0.0.1');
  onTestFinished(() => server.stop());
  server.service.on('beforeTokenSigning', (token: { payload: Record<string, unknown> }) => {
    Object.assign(token.payload, { aud: 'trunkline' }, claims);
  });
  return server.issuer.url!; // started
}

test('the owner links a provider at the sign-in page, signs in with it and unlinks it', async () => {
  const issuer = await startProvider({
    sub: 'olive',
    email: 'owner@demo.test',
    email_verified: true,
  });
  const env = {
    OPENID_ISSUER: issuer,
    OPENID_CLIENT_ID: 'trunkline',
    OPENID_CLIENT_SECRET: 'secret',
    OPENID_LABEL: 'Harbor ID',
  };
  await withProduct(env, async ({ url }) => {
    const { page, context, consoleErrors } = await openVisit('/login?next=%2Fcalls', {
      baseURL: url,
    });
    await page.getByRole('link', { name: 'Continue with Harbor ID' }).click();
    await page.getByText('Sign in as before, and you can link Harbor ID to it.').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByLabel('Email').fill('owner@demo.test');
    await page.getByRole('textbox', { name: 'Password' }).fill('trunkline-demo');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Link', exact: true }).click();
    await waitForNotice(page, 'Harbor ID linked');
    const row = page.getByRole('group', { name: 'Harbor ID' });
    await row.getByText('owner@demo.test').waitFor();
    expect(await violations(page)).toEqual([]);

    await context.clearCookies();
    await page.goto(`${url}/login?next=%2Fcalls`);
    await page.getByRole('link', { name: 'Continue with Harbor ID' }).click();
    await page.waitForURL(`${url}/calls`);

    await page.goto(`${url}/settings/security`);
    await row.getByRole('button', { name: 'Unlink', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unlink', exact: true }).click();
    await row.getByRole('button', { name: 'Link', exact: true }).click();
    await waitForNotice(page, 'Harbor ID linked');
    expect(consoleErrors.filter((line) => !/401|favicon|\/authorize\?/.test(line))).toEqual([]);
  });
});

test('someone new signs up through a provider and sets a password', async () => {
  const issuer = await startProvider({
    sub: 'ann',
    email: 'ann@newcomer.test',
    email_verified: true,
    given_name: 'Ann',
    family_name: 'Fox',
  });
  const env = {
    OPENID_ISSUER: issuer,
    OPENID_CLIENT_ID: 'trunkline',
    OPENID_CLIENT_SECRET: 'secret',
    OPENID_LABEL: 'Harbor ID',
  };
  await withProduct(env, async ({ url }) => {
    const { page } = await openVisit('/login', { baseURL: url });
    await page.getByRole('link', { name: 'Continue with Harbor ID' }).click();
    await page.getByRole('link', { name: 'Create one with Harbor ID' }).click();
    await page.getByText('Harbor ID says you’re ann@newcomer.test.').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.getByLabel('Company').fill('Newcomer Dental');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.waitForURL((to) => !to.pathname.startsWith('/signup'));
    await page.goto(`${url}/settings/profile`);
    await page.getByLabel('New password', { exact: true }).fill('a long enough sentence');
    await page.getByLabel('New password again').fill('a long enough sentence');
    await page.getByRole('button', { name: 'Set a password' }).click();
    await waitForNotice(page, 'Your password was successfully changed');
    await page.getByRole('button', { name: 'Change password' }).waitFor();
  });
});
