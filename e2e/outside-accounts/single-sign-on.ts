import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { violations } from '../axe.ts';
import { openVisit, waitForNotice } from '../browser.ts';
import { issuer, providerSays, url } from './installation.ts';

/** The organization's provider; the installation has another. */
const wayIn = (page: Page) => page.getByRole('link', { name: /^Continue with (?!Harbor ID$)/ });

async function signIn(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('owner@demo.test');
  await page.getByRole('textbox', { name: 'Password' }).fill('trunkline-demo');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('button', { name: /Harbor Dental/ }).click();
}

test('an organization sets up single sign-on, and someone new comes in through it', async () => {
  const { page, context, consoleErrors } = await openVisit('/login', { baseURL: url });
  await signIn(page);
  await page.waitForURL(`${url}/`);
  await page.goto(`${url}/organization/single-sign-on`);
  // Neither the provider nor the directory.
  await expect.poll(() => page.getByText('Not set up').count()).toBe(2);
  expect(await violations(page)).toEqual([]);

  await page.getByLabel('Issuer').fill(`${issuer()}/`);
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await page.getByText('This provider calls itself').waitFor();
  await page.getByLabel('Issuer').fill(issuer());
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

  const ann = {
    ...{ sub: 'ann', email: 'ann@harborline.com', email_verified: true },
    ...{ given_name: 'Ann', family_name: 'Fox' },
  };
  providerSays(ann);
  await context.clearCookies();
  await page.goto(`${url}/login?next=%2Fcalls`);
  const way = wayIn(page);
  await page.getByLabel('Email').fill('ann@harborline.com');
  await page.getByLabel('Email').press('Tab');
  await way.click();
  await page.getByText('hasn’t given you access yet').waitFor();

  providerSays({ ...ann, groups: ['Front desk'] });
  await page.getByLabel('Email').fill('ann@harborline.com');
  await page.getByLabel('Email').press('Tab');
  await way.waitFor();
  expect(await violations(page)).toEqual([]);
  await way.click();
  await page.waitForURL(`${url}/calls`);
  await page.getByRole('button', { name: /Ann Fox/ }).waitFor();
  expect(consoleErrors.filter((line) => !/401|favicon|\/authorize\?/.test(line))).toEqual([]);
});

test('the organization lets its people in only through it, and a password leads there', async () => {
  const ann = await openVisit('/login', { baseURL: url });
  const { page } = ann;
  page.setDefaultTimeout(30_000);
  const enterAddress = async () => {
    await page.getByLabel('Email').fill('ann@harborline.com');
    await page.getByLabel('Email').press('Tab');
    await wayIn(page).waitFor();
  };
  await enterAddress();
  await wayIn(page).click();
  await page.waitForURL(`${url}/`);
  await page.goto(`${url}/settings/profile`);
  await page.getByLabel('New password', { exact: true }).fill('a whole new sentence');
  await page.getByLabel('New password again').fill('a whole new sentence');
  await page.getByRole('button', { name: 'Set a password' }).click();
  await page.getByLabel('Current password').first().waitFor();
  await page.goto(`${url}/settings/security`);
  await page.getByRole('button', { name: 'Unlink' }).waitFor();
  // A second browser, signed in by the password.
  const other = await openVisit('/login', { baseURL: url });
  await other.page.getByLabel('Email').fill('ann@harborline.com');
  await other.page.getByRole('textbox', { name: 'Password' }).fill('a whole new sentence');
  await other.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await other.page.waitForURL(`${url}/`);
  await other.page.getByRole('button', { name: /Ann Fox/ }).waitFor();

  other.page.setDefaultTimeout(30_000);
  const owner = await openVisit('/login', { baseURL: url });
  owner.page.setDefaultTimeout(30_000);
  await signIn(owner.page);
  await owner.page.waitForURL(`${url}/`);
  await owner.page.goto(`${url}/organization/single-sign-on`);
  await owner.page.getByRole('switch').click();
  const dialog = owner.page.getByRole('dialog');
  await dialog.getByText('1 person has an address at your domains. From now on:').waitFor();
  await dialog.getByText('Has another address and signs in as before').first().waitFor();
  expect(await violations(owner.page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await waitForNotice(owner.page, 'Only single sign-on lets people in');
  await owner.page.getByText('On since').waitFor();

  // What stands open follows, and leads to the provider and back.
  await wayIn(other.page).waitFor();
  // Parts of the page that had asked just before say so, too, until it is replaced.
  const said = other.page.getByText('lets you in only through its single sign-on');
  await expect.poll(() => said.count()).toBe(1);
  expect(await violations(other.page)).toEqual([]);
  await other.page.goto(`${url}/activity/calls`);
  await wayIn(other.page).click();
  await other.page.waitForURL(`${url}/activity/calls`);
  await other.page.getByRole('button', { name: /Ann Fox/ }).waitFor();

  // The password alone is refused, in words.
  await ann.context.clearCookies();
  await page.goto(`${url}/login`);
  await enterAddress();
  await page.getByText('lets its people in only this way').waitFor();
  await page.getByRole('textbox', { name: 'Password' }).fill('a whole new sentence');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('alert').getByText('only through its single sign-on').waitFor();
  expect(await violations(page)).toEqual([]);
  await wayIn(page).click();
  await page.waitForURL(`${url}/`);
  await page.getByRole('button', { name: /Ann Fox/ }).waitFor();
}, 120_000);

test('the organization’s directory adds a person, moves them by a group, and deactivates them', async () => {
  const { page } = await openVisit('/login', { baseURL: url });
  page.setDefaultTimeout(30_000);
  await signIn(page);
  await page.waitForURL(`${url}/`);
  await page.goto(`${url}/organization/single-sign-on`);
  await page.getByRole('button', { name: 'Make a token' }).click();
  const shown = page.getByRole('status').filter({ hasText: 'Token, shown only now' });
  const token = /tl\w*_[\w-]{20,}/.exec(await shown.innerText())?.[0] ?? '';
  expect(token).not.toBe('');
  expect(await violations(page)).toEqual([]);
  const send = async (method: string, path: string, body: object): Promise<{ id: string }> => {
    const answer = await fetch(`${url}/scim/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/scim+json' },
      body: JSON.stringify(body),
    });
    expect(answer.ok, `${method} ${path}: ${answer.status}`).toBe(true);
    return (await answer.json()) as { id: string };
  };
  const patch = (value: object) => ({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [value],
  });
  const email = 'bea@harborline.com';
  const bea = await send('POST', '/Users', {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    userName: email,
    name: { givenName: 'Bea', familyName: 'Reed' },
    emails: [{ primary: true, value: email, type: 'work' }],
    active: true,
  });
  const members = [{ value: bea.id }];
  await send('POST', '/Groups', { displayName: 'Front desk', members });

  // The rule is for the organization's first company.
  await page.goto(`${url}/organization`);
  await page.getByRole('gridcell', { name: 'Blue Mesa Realty', exact: true }).click();
  await page.getByRole('button', { name: /^Blue Mesa Realty/ }).waitFor();
  await page.goto(`${url}/settings/users`);
  const row = page.getByRole('row', { name: 'Bea Reed' });
  await row.getByText('Reporting').waitFor();
  await row.getByText('Active', { exact: true }).waitFor();
  // As Entra ID writes it; the open list follows.
  await send('PATCH', `/Users/${bea.id}`, patch({ op: 'Replace', path: 'active', value: 'False' }));
  await row.getByText('Inactive').waitFor();
  await page.goto(`${url}/settings/audit-log`);
  await page.getByText('Directory').first().waitFor();
  await page.goto(`${url}/organization/single-sign-on`);
  await page.getByText(/^1 person · 1 group · Last used/).waitFor();
}, 120_000);
