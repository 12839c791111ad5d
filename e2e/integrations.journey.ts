import { expect, test } from 'vitest';
import { violations } from './axe.ts';
import { waitForNotice } from './browser.ts';
import {
  accounts,
  arrived,
  connect,
  inSandbox,
  missCall,
  setUpAccount,
} from './integration-steps.ts';
import { createCompany } from './test-company.ts';

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
