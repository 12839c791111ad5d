import { expect, test } from 'vitest';
import { openVisit, signInAsDemoOwner, signInAsDemoRole } from './browser.ts';

/** Admin mode as the owner sees it, live, beside what the staff member sees. */
test('an owner sees who of the platform is in the company, why, and whether they change things', async () => {
  const owner = await openVisit('/login');
  await signInAsDemoOwner(owner.page);
  const banner = owner.page.getByRole('complementary', { name: 'Support access' });
  expect(await banner.count()).toBe(0);

  const staff = await openVisit('/login');
  await signInAsDemoRole(staff.page, 'Platform admin');
  const mode = staff.page.getByRole('complementary', { name: 'Admin mode' });
  await mode.getByText('Admin mode, reading only: Trying the product').waitFor();
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
