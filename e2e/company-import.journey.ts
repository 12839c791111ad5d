import { expect, test } from 'vitest';
import { violations } from './axe.ts';
import { openVisit, productUrl, signInAsDemoRole } from './browser.ts';
import { withProduct } from './product.ts';
import { createCompany, sandboxRequest } from './test-company.ts';

/** A company leaves with its archive, and platform staff of another installation take it in. */
test('a company’s archive is uploaded to another installation, checked, imported and found there', async () => {
  const company = await createCompany('Alder Street Optical', { Olive: 'owner', Uma: 'user' });
  const { number } = await company.number('515');
  await sandboxRequest('POST', '/texts', {
    ...{ from: '+15155550144', to: number, media: [] },
    text: 'Are my glasses ready?',
  });
  const path = `/company/${company.id}`;
  await company.ask('POST', `${path}/archive`, { password: 'trunkline-demo' });
  interface Archives {
    data: { url: string | null }[];
  }
  let url = '';
  await expect
    .poll(
      async () => {
        const { data } = await company.ask<Archives>('GET', `${path}/archives`);
        url = data[0]?.url ?? '';
        return url;
      },
      { timeout: 120_000 },
    )
    .not.toBe('');
  const file = await fetch(new URL(url, productUrl()), {
    headers: { authorization: `Bearer ${company.owner.token}` },
  });
  const buffer = Buffer.from(await file.arrayBuffer());
  const archive = { name: 'alder-street-optical.zip', mimeType: 'application/zip', buffer };

  await withProduct({}, async ({ url: there }) => {
    const { page, consoleErrors } = await openVisit(`${there}/login`, { baseURL: there });
    await signInAsDemoRole(page, 'Platform admin');
    await page.goto('/admin/imports');
    await page.getByRole('heading', { name: 'Import a company' }).waitFor();
    await page.getByText('No archives uploaded yet').waitFor();
    await page.getByText('To import, allow changes in admin mode first.').waitFor();
    expect(await violations(page)).toEqual([]);
    const confirmation = page.getByRole('dialog', { name: 'Confirm it’s you' });
    /** The demo's staff sign in without a password, so nothing may be confirmed yet. */
    const confirmed = async (after: ReturnType<typeof page.getByText>): Promise<void> => {
      await confirmation.or(after).first().waitFor();
      if (!(await confirmation.isVisible())) return;
      await confirmation.getByLabel('Password', { exact: true }).fill('trunkline-demo');
      await confirmation.getByRole('button', { name: 'Confirm' }).click();
      await after.waitFor();
    };
    const mode = page.getByRole('complementary', { name: 'Admin mode' });
    await mode.getByRole('button', { name: 'Allow changes' }).click();
    await confirmed(mode.getByText('Admin mode, with changes'));

    // What is no archive isn't uploaded.
    const chooser = page.locator('input[type=file]');
    await page
      .getByRole('button', { name: 'Choose archive' })
      .and(page.locator(':enabled'))
      .waitFor();
    const text = Buffer.from('id,name\n1,Dana Reed\n');
    await chooser.setInputFiles({ name: 'list.zip', mimeType: 'application/zip', buffer: text });
    await page.getByText('This file isn’t an archive.').waitFor();
    await page.getByText('No archives uploaded yet').waitFor();

    await chooser.setInputFiles(archive);
    await page.getByText('The check found no problem.').waitFor();
    await page.getByRole('heading', { name: `Import ${company.name}` }).waitFor();
    await page.getByText('2 people get an account without a password.').waitFor();
    expect(await violations(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await violations(page, ['color-contrast'])).toEqual([]);

    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page
      .getByRole('dialog', { name: `Import ${company.name}?` })
      .getByRole('button', { name: 'Import' })
      .click();
    await confirmed(page.getByText(`${company.name} was imported`));
    expect(await violations(page)).toEqual([]);
    await page.getByRole('link', { name: `Open ${company.name}` }).click();
    const found = page.getByRole('dialog', { name: company.name });
    await found.getByText(String(company.id)).waitFor();
    const figure = (name: string) =>
      found
        .locator('dl div', { has: page.locator('dt', { hasText: new RegExp(`^${name}$`) }) })
        .locator('dd')
        .innerText();
    expect([await figure('Users'), await figure('Numbers')]).toEqual(['2', '1']);

    await page.goto('/admin/imports');
    await page.getByRole('row', { name: company.name }).getByText('Imported').waitFor();
    expect(consoleErrors).toEqual([]);
  });
}, 600_000);
