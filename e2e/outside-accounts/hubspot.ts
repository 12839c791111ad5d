import { expect, test } from 'vitest';
import { violations } from '../axe.ts';
import { openVisit, signInAsDemoOwner, waitForNotice } from '../browser.ts';
import { accounts, connect, offered } from '../integration-steps.ts';
import { url } from './installation.ts';

test('an owner connects HubSpot, a second window follows, and disconnects it', async () => {
  const { page, context, consoleErrors } = await openVisit('/', { baseURL: url });
  await signInAsDemoOwner(page);
  await page.goto('/integrations');
  const section = accounts(page);
  const second = await context.newPage();
  await second.goto('/integrations');
  await offered(second, 'HubSpot').getByRole('button', { name: 'Connect' }).waitFor();

  await offered(page, 'HubSpot').getByRole('button', { name: 'Connect' }).click();
  await waitForNotice(page, 'HubSpot is connected');
  await section.getByText('harbor.example.com').waitFor();
  await second.getByText('harbor.example.com').waitFor();
  expect(await violations(page)).toEqual([]);

  await section
    .getByRole('listitem')
    .filter({ hasText: 'harbor.example.com' })
    .getByRole('button', { name: 'Disconnect' })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
  await second.getByText('harbor.example.com').waitFor({ state: 'detached' });
  await section.getByText('harbor.example.com').waitFor({ state: 'detached' });
  expect(consoleErrors.filter((line) => !/401|favicon|127\.0\.0\.1:\d+\/oauth/.test(line))).toEqual(
    [],
  );
});

test('consent also comes back where the app was opened at 127.0.0.1', async () => {
  const byNumber = url.replace('localhost', '127.0.0.1');
  const { page } = await openVisit('/', { baseURL: byNumber });
  await signInAsDemoOwner(page);
  await page.goto('/integrations');
  // The demo's data has a workspace; another account of Slack is one more.
  await accounts(page).getByText('Main account at Slack').waitFor();
  await connect(page, 'Salesforce', 'main');
  await accounts(page).getByText('Main account at Salesforce').waitFor();
});
