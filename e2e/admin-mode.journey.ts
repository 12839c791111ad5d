import { expect, test } from 'vitest';
import { openVisit, signInAsDemoRole } from './browser.ts';
import { createCompany } from './test-company.ts';

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
