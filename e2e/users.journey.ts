import { expect, test } from 'vitest';
import { createCompany } from './test-company.ts';
import { violations } from './axe.ts';
import { waitForNotice } from './browser.ts';

/**
 * People: the owner limits a user to one number while the user's list of numbers is open, changes
 * their role, deactivates them, and hands the company over to an administrator.
 */
test('a person’s open pages follow their numbers and access; ownership moves when it is accepted', async () => {
  const { id, number, open, people, ask } = await createCompany('Willow Street Clinic', {
    Olive: 'owner',
    Adam: 'administrator',
    Uma: 'user',
  });
  const [front, back] = [await number('718'), await number('718')];

  const uma = await open('/numbers', people['Uma']);
  await uma.page.getByText(front.formatted).first().waitFor();
  await uma.page.getByText(back.formatted).first().waitFor();

  // A team of two, made in one window and shown in the other person's.
  const { page } = await open('/settings/teams');
  await page.getByText('No teams yet').waitFor();
  await page.getByRole('button', { name: 'New team' }).first().click();
  const creating = page.getByRole('dialog', { name: 'New team' });
  await creating.getByRole('textbox', { name: 'Name' }).fill('Front desk');
  await creating.getByRole('combobox', { name: 'People' }).click();
  await page.getByRole('option', { name: 'Uma User' }).click();
  await page.keyboard.press('Tab');
  await creating.getByRole('button', { name: 'Create team' }).click();
  await waitForNotice(page, 'Team created');
  await uma.page.goto('/settings/teams');
  await page.getByText('Front desk', { exact: true }).click();
  const team = page.getByRole('dialog', { name: 'Front desk' });
  await team.getByRole('combobox', { name: 'Add people' }).click();
  await page.getByRole('option', { name: 'Adam Administrator' }).click();
  await page.keyboard.press('Tab');
  await team.getByRole('button', { name: 'Add', exact: true }).click();
  await waitForNotice(page, '1 person added to Front desk');
  await uma.page.getByText('Adam Administrator, Uma User').waitFor();

  // A number rings it: the team says so, and isn't deleted.
  const { data: teams } = await ask<{ data: { id: number }[] }>('GET', `/companies/${id}/teams`);
  await ask('PUT', `/numbers/${front.id}`, {
    routes: [{ type: 'in-app-calling', forwards: [{ team_id: teams[0]!.id }] }],
  });
  await team.getByRole('link', { name: front.formatted }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Actions for Front desk' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const rung = page.getByRole('dialog', { name: 'Can’t delete “Front desk” yet' });
  await rung.getByRole('link', { name: front.formatted }).waitFor();
  expect(await violations(page)).toEqual([]);
  await uma.page.goto('/numbers');
  await uma.page.getByText(front.formatted).first().waitFor();

  await page.goto('/settings/users');
  await page.getByText('Uma User').first().click();
  const drawer = page.getByRole('dialog', { name: 'Uma User' });
  await drawer.getByRole('textbox', { name: 'First name' }).fill('Una');
  await drawer.getByRole('combobox', { name: 'Numbers' }).click();
  await page.getByRole('option', { name: front.formatted }).click();
  await page.keyboard.press('Escape');
  if ((await drawer.count()) === 0) await page.getByText('Uma User').first().click();
  await drawer.getByRole('button', { name: 'Save' }).click();
  await waitForNotice(page, 'Successfully updated user info');

  // The user's open list follows without a reload.
  await uma.page.getByText(back.formatted).first().waitFor({ state: 'detached' });
  await uma.page.getByText(front.formatted).first().waitFor();

  // A route of a number that she can't see names her: it says so, and how to mend that.
  await ask('PUT', `/numbers/${back.id}`, {
    routes: [{ forwards: [{ user_id: people['Uma']!.id }] }],
  });
  await page.goto(`/numbers/${back.id}`);
  await page.getByText('Una User can’t see this number, so it doesn’t ring them.').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Give access' }).press('Enter');
  await waitForNotice(page, 'Access given');
  await page.getByRole('button', { name: 'Give access' }).waitFor({ state: 'detached' });
  await uma.page.getByText(back.formatted).first().waitFor();
  await page.goto('/settings/users');
  await page.getByText('Una User').first().click();

  const edited = page.getByRole('dialog', { name: 'Una User' });
  await edited.getByRole('button', { name: 'Deactivate' }).click();
  await page
    .getByRole('dialog', { name: 'Deactivate Una User?' })
    .getByRole('button', { name: 'Deactivate' })
    .click();
  await waitForNotice(page, 'Una User was deactivated');
  await uma.page.waitForURL(/\/login/);

  // Ownership: started with a password, accepted from the notice at home.
  await page.goto('/settings/company');
  await page.getByRole('button', { name: 'Transfer', exact: true }).click();
  await page.getByRole('combobox', { name: 'New owner' }).click();
  await page.getByRole('option', { name: 'Adam Administrator' }).click();
  await page.getByLabel('Your password').fill('trunkline-demo');
  await page.getByRole('button', { name: 'Start transfer' }).click();
  await page.getByText(/^Waiting for Adam Administrator to accept until/).waitFor();
  const adam = await open('/', people['Adam']);
  await adam.page.getByRole('button', { name: 'Accept ownership' }).click();
  await adam.page
    .getByRole('dialog', { name: 'Become the owner?' })
    .getByRole('button', { name: 'Accept ownership' })
    .click();
  await waitForNotice(adam.page, 'You are now the owner');
  const { data } = await ask<{ data: { email: string; role: string }[] }>(
    'GET',
    `/companies/${id}/users?role=owner`,
  );
  expect(data.map((person) => person.email)).toEqual([people['Adam']!.email]);
});
