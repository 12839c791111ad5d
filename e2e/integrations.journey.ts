import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OAuth2Issuer, OAuth2Service } from 'oauth2-mock-server';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { violations } from './axe.ts';
import { openVisit, signInAsDemoOwner, waitForNotice } from './browser.ts';
import {
  arrived,
  connect,
  inSandbox,
  missCall,
  offered,
  setUpAccount,
} from './integration-steps.ts';
import { removeDataDir, startReadyProduct, temporaryDataDir } from './product.ts';
import { createCompany } from './test-company.ts';

/** HubSpot's addresses, played by an OAuth server that consents to everything. */
async function startHubSpot(): Promise<string> {
  const issuer = new OAuth2Issuer();
  await issuer.keys.generate('RS256');
  const oauth = new OAuth2Service(issuer, {
    authorize: '/oauth/authorize',
    token: '/oauth/v3/token',
  });
  const server = createServer((request, reply) => {
    if (!request.url?.startsWith('/oauth/v3/token/introspect'))
      return void oauth.requestHandler(request, reply);
    const info = { hub_id: 62515, hub_domain: 'harbor.example.com', user: 'olive@example.com' };
    reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(info));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  issuer.url = url;
  return url;
}

const accounts = (page: Page) =>
  page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Connected accounts' }) });

/** An installation that knows a HubSpot of its own. */
let product: Awaited<ReturnType<typeof startReadyProduct>>;
const dataDir = temporaryDataDir();
beforeAll(async () => {
  product = await startReadyProduct(dataDir, {
    HUBSPOT_CLIENT_ID: 'client',
    HUBSPOT_CLIENT_SECRET: 'secret',
    HUBSPOT_API_URL: await startHubSpot(),
  });
});
afterAll(async () => {
  await product.stop();
  removeDataDir(dataDir);
});

test('an owner connects HubSpot, a second window follows, and disconnects it', async () => {
  const { url } = product;
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
  const { url } = product;
  const byNumber = url.replace('localhost', '127.0.0.1');
  const { page } = await openVisit('/', { baseURL: byNumber });
  await signInAsDemoOwner(page);
  await page.goto('/integrations');
  // The demo's data has a workspace; another account of Slack is one more.
  await accounts(page).getByText('Main account at Slack').waitFor();
  await connect(page, 'Salesforce', 'main');
  await accounts(page).getByText('Main account at Salesforce').waitFor();
});

test('a missed call is posted in a Slack channel that an owner chose', async () => {
  const company = await createCompany('Slack Journey');
  const line = await company.number('503');
  const caller = '+12025550163';
  const { page, consoleErrors } = await company.open('/integrations');
  await connect(page, 'Slack', 'main');
  await accounts(page).getByRole('link', { name: 'Set up' }).click();

  await page.getByRole('button', { name: 'Add channel' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox', { name: /^Channel/ }).click();
  await page.getByRole('option', { name: '#front-desk' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await waitForNotice(page, 'Channel added, with a test message');
  await page.getByText('Active').first().waitFor();

  await missCall(caller, line.number);
  const texts = async (): Promise<string[]> =>
    (await inSandbox<{ text: string }>('slack')).map(({ text }) => text);
  await expect
    .poll(texts, { timeout: 60_000 })
    .toContainEqual(expect.stringContaining(`Missed call from ${caller}`));

  await page.getByRole('button', { name: 'Deliveries' }).click();
  await page.getByRole('dialog').getByText('Call missed').first().waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  expect(await violations(page)).toEqual([]);
  expect(consoleErrors.filter((line) => !/401|favicon/.test(line))).toEqual([]);
});

test('two calls of one person become one contact in HubSpot, with both on its timeline', async () => {
  const company = await createCompany('HubSpot Journey');
  const line = await company.number('503');
  const caller = '+12025550164';
  const { page, consoleErrors } = await company.open('/integrations');
  const { pair, save } = await setUpAccount(page, 'HubSpot', 'test');
  await pair('Number called', 'HubSpot property', 'Tracking Number');
  expect(await violations(page)).toEqual([]);
  await save();

  for (let n = 0; n < 2; n++) {
    await missCall(caller, line.number);
  }
  interface Stored {
    id: string;
    type: string;
    properties: Record<string, string>;
    contacts: string[];
  }
  const inHubspot = () => inSandbox<Stored>('hubspot');
  const calls = async (): Promise<Stored[]> =>
    (await inHubspot()).filter(({ properties }) => properties['hs_call_from_number'] === caller);
  await arrived(company, calls, 2);
  const people = (await inHubspot()).filter(({ properties }) => properties['phone'] === caller);
  expect(people.map(({ properties }) => properties['tracking_number'])).toEqual([line.number]);
  for (const call of await calls()) expect(call.contacts).toEqual([people[0]?.id]);

  await page.getByRole('button', { name: 'Deliveries' }).click();
  await page.getByRole('dialog').getByText('Sent').nth(1).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Dry run' }).click();
  await page
    .getByRole('dialog')
    .getByText('2 calls of the last 30 days would have been sent.')
    .waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  expect(await violations(page)).toEqual([]);
  expect(consoleErrors.filter((line) => !/401|favicon/.test(line))).toEqual([]);
});

test('two calls of one person become one contact in GoHighLevel, with two notes and one opportunity', async () => {
  const company = await createCompany('GoHighLevel Journey');
  const line = await company.number('503');
  const caller = '+12025550165';
  const { page, consoleErrors } = await company.open('/integrations');
  const { choose, pair, save } = await setUpAccount(page, 'GoHighLevel', 'test');
  await choose(/^Opportunity/, 'New patients: Called');
  await pair('Number called', 'GoHighLevel field', 'Keyword');
  expect(await violations(page)).toEqual([]);
  await save();
  for (let n = 0; n < 2; n++) await missCall(caller, line.number);
  interface Stored {
    id: string;
    type: string;
    fields: Record<string, unknown>;
  }
  const inLocation = () => inSandbox<Stored>('gohighlevel');
  const people = async () =>
    (await inLocation()).filter(({ fields }) => fields['phone'] === caller);
  const ofPerson = async (type: string) => {
    const ids = (await people()).map(({ id }) => id);
    return (await inLocation()).filter(
      (one) => one.type === type && ids.includes(String(one.fields['contactId'])),
    );
  };
  await arrived(company, () => ofPerson('note'), 2);
  expect(await people()).toHaveLength(1);
  expect(await ofPerson('opportunity')).toHaveLength(1);
  expect(await violations(page)).toEqual([]);
  expect(consoleErrors.filter((line) => !/401|favicon/.test(line))).toEqual([]);
});
