import { expect, test } from 'vitest';
import { switchTheme, violations } from './axe.ts';
import { productUrl, waitForNotice } from './browser.ts';
import { createCompany } from './test-company.ts';

/**
 * An agency: its owner begins an organization with the company they have, adds two, hands one of
 * them to a manager, and keeps it in sight.
 */
test('an agency’s owner makes an organization of three companies and hands one to a manager', async () => {
  const { open, people, ask } = await createCompany('Northside Agency', {
    Olive: 'owner',
    Mia: 'administrator',
  });
  const { page } = await open('/settings/company');
  await page.getByRole('button', { name: 'New organization' }).click();
  const beginning = page.getByRole('dialog', { name: 'New organization' });
  await beginning.getByText('Northside Agency joins it.', { exact: false }).waitFor();
  await beginning.getByRole('textbox', { name: 'Name' }).fill('Northside Group');
  await beginning.getByRole('button', { name: 'Create organization' }).click();
  await page.waitForURL('**/organization');
  const companies = page.getByRole('grid', { name: 'Companies' });
  await companies.getByRole('row', { name: 'Northside Agency' }).getByText('Active').waitFor();

  for (const name of ['Riverside Realty', 'Lakeside Legal']) {
    await page.getByRole('button', { name: 'Add company' }).click();
    await page.getByRole('menuitem', { name: 'New company' }).click();
    const adding = page.getByRole('dialog', { name: 'New company' });
    await adding.getByText('It joins Northside Group.', { exact: false }).waitFor();
    await adding.getByRole('textbox', { name: 'Name' }).fill(name);
    await adding.getByRole('button', { name: 'Create company' }).click();
    await companies.getByRole('row', { name }).waitFor();
  }
  expect(await companies.getByRole('row').count()).toBe(4);
  for (const width of [1280, 390])
    for (const theme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 850 });
      await switchTheme(page, theme);
      expect(await violations(page), `${width} ${theme}`).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      await companies.getByRole('button', { name: 'Actions for Riverside Realty' }).click();
      await page.getByRole('menuitem', { name: 'Park' }).waitFor();
      await page.keyboard.press('Escape');
    }
  await page.setViewportSize({ width: 1280, height: 850 });

  // The manager joins one of the companies, and no other.
  await companies.getByText('Riverside Realty').click();
  await page.getByRole('button', { name: /^Riverside Realty/ }).waitFor();
  await page.goto('/settings/users');
  await page.getByRole('button', { name: 'Invite people' }).click();
  const inviting = page.getByRole('dialog', { name: 'Invite people' });
  await inviting.getByRole('textbox', { name: 'Email addresses' }).fill(people['Mia']!.email);
  await inviting.getByRole('combobox', { name: 'Role' }).click();
  await page.getByRole('option', { name: 'Administrator' }).click();
  await inviting.getByRole('button', { name: 'Send invitations' }).click();
  await inviting.waitFor({ state: 'hidden' });
  const outbox = await (await fetch(`${productUrl()}/dev/outbox`)).text();
  const mia = await open(/\/invitations\/tli_[\w-]+/.exec(outbox)?.[0] ?? '', people['Mia']);
  await mia.page.getByText('Riverside Realty').first().waitFor();
  await mia.page.getByRole('button', { name: /^(Accept|Join)/ }).click();
  await mia.page.getByRole('navigation', { name: 'Main' }).waitFor();

  // And becomes its owner, when she accepts.
  await page.goto('/settings/company');
  await page.getByRole('button', { name: 'Transfer', exact: true }).click();
  await page.getByRole('combobox', { name: 'New owner' }).click();
  await page.getByRole('option', { name: 'Mia Administrator' }).click();
  await page.getByLabel('Your password').fill('trunkline-demo');
  await page.getByRole('button', { name: 'Start transfer' }).click();
  await page.getByText(/^Waiting for Mia Administrator to accept until/).waitFor();
  await mia.page.goto('/');
  await mia.page.getByRole('button', { name: 'Accept ownership' }).click();
  await mia.page
    .getByRole('dialog', { name: 'Become the owner?' })
    .getByRole('button', { name: 'Accept ownership' })
    .click();
  await waitForNotice(mia.page, 'You are now the owner');

  const { data: all } = await ask<{ data: { id: number; name: string }[] }>(
    'GET',
    '/companies/slim',
  );
  const idOf = (name: string) => all.find((one) => one.name === name)!.id;
  const ownersOf = async (name: string) =>
    (
      await ask<{ data: { email: string }[] }>('GET', `/companies/${idOf(name)}/users?role=owner`)
    ).data.map(({ email }) => email);
  expect(await ownersOf('Riverside Realty')).toEqual([people['Mia']!.email]);
  expect(await ownersOf('Lakeside Legal')).toEqual([people['Olive']!.email]);
  await expect(
    ask('GET', `/company/${idOf('Lakeside Legal')}`, undefined, people['Mia']),
  ).rejects.toThrow(/40[34]/);

  // The agency still sees all three, and can make her an administrator of all of them.
  await page.goto('/organization');
  await companies.getByRole('row', { name: 'Riverside Realty' }).waitFor();
  await page.goto('/organization/users');
  await page
    .getByRole('row', { name: 'Mia Administrator' })
    .getByText('Make administrator')
    .click();
  const power = page.getByRole('dialog', { name: 'Make Mia Administrator an administrator?' });
  await power.getByText(/Lakeside Legal/).waitFor();
  expect(await violations(page)).toEqual([]);
  await power.getByRole('button', { name: 'Make administrator' }).click();
  await waitForNotice(page, 'Organization updated');
  await ask('GET', `/company/${idOf('Lakeside Legal')}`, undefined, people['Mia']);
});
