import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { violations } from './axe.ts';
import { openVisit, signInAsDemoRole } from './browser.ts';
import { createCompany, sandboxRequest } from './test-company.ts';

/** Admin mode as the owner sees it, live, beside what the staff member sees. */
test('an owner sees who of the platform is in the company, why, and whether they change things', async () => {
  // A company of its own: other journeys look into those of the demo as staff, too.
  const company = await createCompany('Birch Street Optical');
  const owner = await company.open('/');
  const banner = owner.page.getByRole('complementary', { name: 'Support access' });
  expect(await banner.count()).toBe(0);

  const staff = await openVisit('/login');
  await signInAsDemoRole(staff.page, 'Platform admin');
  const mode = staff.page.getByRole('complementary', { name: 'Admin mode' });
  await mode.getByText('Admin mode, reading only: Trying the product').waitFor();
  await staff.page.getByRole('button', { name: 'Switch company' }).click();
  await staff.page.getByRole('option', { name: company.name }).click();
  await banner.getByText('from support can read this company: Trying the product').waitFor();

  await mode.getByRole('button', { name: 'Allow changes' }).click();
  await mode.getByText('Admin mode, with changes: Trying the product').waitFor();
  await banner.getByText('can read and change this company').waitFor();

  await owner.page.goto('/settings/audit-log');
  await owner.page.getByText('opened the company in admin mode').first().waitFor();

  await mode.getByRole('button', { name: 'Leave admin mode' }).click();
  await staff.page.getByRole('heading', { name: 'Enter admin mode' }).waitFor();
  await banner.waitFor({ state: 'detached' });
  expect(owner.consoleErrors).toEqual([]);
});

test('staff act as a person in a tab of its own, which the person and the owner see and which never becomes theirs', async () => {
  const company = await createCompany('Elm Street Dental', { Olive: 'owner', Uma: 'user' });
  const uma = company.people['Uma']!;
  const staff = await openVisit('/login');
  await signInAsDemoRole(staff.page, 'Platform admin');
  await staff.page.getByText('Admin mode, reading only').waitFor();
  // From the company to its people, and from there to the person.
  await staff.page.goto('/admin/companies');
  await staff.page.getByRole('searchbox', { name: 'Search name or ID' }).fill(company.name);
  // Rows move until the list has followed the search.
  await expect
    .poll(async () => (await staff.page.getByRole('row').allTextContents()).slice(1))
    .toEqual([expect.stringContaining(company.name)]);
  await staff.page.getByRole('row', { name: company.name }).getByText(company.name).click();
  const opened = staff.page.getByRole('dialog', { name: company.name });
  await opened.getByRole('link', { name: 'Its people' }).click();
  await staff.page.getByText(`In ${company.name}`).waitFor();
  await staff.page.getByRole('row', { name: /^Uma/ }).getByText('Uma').first().click();
  expect(await violations(staff.page)).toEqual([]);
  await staff.page.getByRole('link', { name: /^Act as Uma/ }).click();
  await expect
    .poll(() => staff.page.getByRole('combobox', { name: 'Company' }).inputValue())
    .toBe(company.name);
  await expect
    .poll(() => staff.page.getByRole('combobox', { name: 'Person' }).inputValue())
    .toMatch(/^Uma/);
  await staff.page.getByRole('textbox', { name: 'Reason' }).fill('Ticket 88: no texts');
  await staff.page.getByRole('button', { name: 'Start remote login' }).click();
  // The demo's staff sign in without a password, so nothing is confirmed yet.
  const confirmation = staff.page.getByRole('dialog', { name: 'Confirm it’s you' });
  const open = staff.page.getByRole('link', { name: /^Open as Uma/ });
  await confirmation.or(open).first().waitFor();
  if (await confirmation.isVisible()) {
    await confirmation.getByLabel('Password', { exact: true }).fill('trunkline-demo');
    await confirmation.getByRole('button', { name: 'Confirm' }).click();
  }
  const opening = staff.context.waitForEvent('page');
  await open.click();
  const remote = await opening;
  await staff.page.getByText(/^Opened in a new tab, as Uma/).waitFor();
  const banner = remote.getByRole('complementary', { name: 'Remote login' });
  await banner.getByText(/You act as Uma .*, reading only: Ticket 88: no texts/).waitFor();
  // Neither the address nor the way back holds the token.
  expect(remote.url()).not.toContain('tlo_');

  // The person sees who is there; the owner reads why.
  const own = await company.open('/settings/sessions', uma);
  await own.page
    .getByText(/^Support: /)
    .first()
    .waitFor();
  const owner = await company.open('/settings/audit-log');
  await owner.page.getByText('opened the company in admin mode').first().waitFor();

  // The staff member's own tabs stay theirs, and this one never becomes one of them.
  await staff.page.goto('/');
  await staff.page.getByRole('complementary', { name: 'Admin mode' }).waitFor();
  await remote.reload();
  await remote.getByText('This remote login has ended. You can close this tab.').waitFor();
  await remote.goto('/inbox');
  await remote.getByText('This remote login has ended. You can close this tab.').waitFor();
  expect(staff.consoleErrors).toEqual([]);
});

test('reading a conversation leaves it unread and says nothing; with changes, staff download an export by a click', async () => {
  const company = await createCompany('Oak Street Dental');
  const { number: line } = await company.number('203');
  await sandboxRequest('POST', '/texts', {
    from: '+12035550144',
    to: line,
    text: 'Are you open on Friday?',
    media: [],
  });
  const staff = await openVisit('/login');
  await signInAsDemoRole(staff.page, 'Platform admin');
  const mode = staff.page.getByRole('complementary', { name: 'Admin mode' });
  await mode.getByText('reading only').waitFor();
  await staff.page.getByRole('button', { name: 'Switch company' }).click();
  await staff.page.getByRole('option', { name: company.name }).click();
  await staff.page.goto('/inbox');
  const refused: string[] = [];
  staff.page.on('response', (answer) => {
    if (answer.status() >= 400) refused.push(`${answer.status()} ${answer.url()}`);
  });
  await staff.page.getByText('Are you open on Friday?').first().click();
  await staff.page.waitForURL(/\/inbox\/\d+/);
  // Longer than it takes to be marked as read, and to be shown as present.
  await staff.page.waitForTimeout(2000);
  const unread = await company.ask<{ data: { numUnreadItems: number }[] }>(
    'GET',
    `/companies/${company.id}/conversations`,
  );
  expect(unread.data.map(({ numUnreadItems }) => numUnreadItems)).toEqual([1]);
  expect(refused).toEqual([]);
  expect(await staff.page.evaluate(() => window.shownNotices ?? [])).toEqual([]);

  await mode.getByRole('button', { name: 'Allow changes' }).click();
  await mode.getByText('with changes').waitFor();
  await staff.page.goto('/settings/audit-log');
  await staff.page.getByRole('button', { name: 'Export' }).click();
  await staff.page.getByRole('menuitem', { name: 'CSV for spreadsheets' }).click();
  const link = staff.page.getByRole('link', { name: 'Download' }).first();
  const button = staff.page.getByRole('button', { name: 'Download' }).first();
  await link.or(button).first().waitFor();
  const arriving = staff.page.waitForEvent('download');
  await link.or(button).first().click();
  const file = await arriving;
  expect(file.suggestedFilename()).toMatch(/\.csv$/);
  expect(await readFile((await file.path())!, 'utf8')).toContain(
    'opened the company in admin mode',
  );
});
