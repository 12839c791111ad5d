import { expect, test } from 'vitest';
import { violations } from './axe.ts';
import { productUrl, waitForNotice } from './browser.ts';
import { createCompany, sandboxRequest } from './test-company.ts';

interface Counted {
  key: string;
  place: string;
  times: number;
  details: {
    eventTimestamp: string;
    adIdentifiers: Record<string, string>;
    conversionValue: number;
  };
}
/** What the simulated Google Ads account counts of a click. */
const countedOf = async (gclid: string): Promise<Counted[]> => {
  const answer = await fetch(`${productUrl()}/sandbox/conversions.json`);
  const { data } = (await answer.json()) as { data: Counted[] };
  return data.filter(({ details }) => details.adIdentifiers['gclid'] === gclid);
};

test('a visit by a click, a call, and its qualification are one conversion at Google, which follows the call', async () => {
  const company = await createCompany('Conversions Journey');
  const [line, other] = [await company.number('503'), await company.number('971')];
  const gclid = `EAIaIQob${company.id}`;
  const { data: pool } = await company.ask<{ data: { companyKey: string } }>(
    'POST',
    `/companies/${company.id}/dniPools`,
    {
      ...{ name: 'Website', numberIds: [line.id], defaultNumberId: other.id },
      domains: ['shop.example'],
    },
  );
  const { page, consoleErrors } = await company.open('/integrations');
  await page
    .getByRole('listitem')
    .filter({ has: page.locator('strong', { hasText: 'Google Ads' }) })
    .getByRole('button', { name: 'Connect' })
    .click();
  await page.getByRole('button', { name: 'Allow for the main account' }).click();
  await waitForNotice(page, 'Google Ads is connected');
  await page.getByRole('link', { name: 'Set up' }).click();
  await page.getByRole('button', { name: 'Set up' }).click();
  const dialog = page.getByRole('dialog');
  const choose = async (name: RegExp, option: string | RegExp): Promise<void> => {
    await dialog.getByRole('combobox', { name }).click();
    await page.getByRole('option', { name: option }).click();
  };
  await choose(/^Customer/, '111-222-3333');
  await choose(/^Conversion action: Call qualified/, 'Qualified lead');
  await choose(/^Upload/, 'At once');
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await waitForNotice(page, 'Google Ads settings saved');
  await page.getByText('Active').first().waitFor();

  // A visitor comes by an ad, sees the number and calls it.
  const visit = await fetch(`${productUrl()}/api/dni/v1/session`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: 'https://www.shop.example',
      'user-agent': 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0 Safari/537.36',
    },
    body: JSON.stringify({
      companyKey: pool.companyKey,
      url: `https://www.shop.example/?gclid=${gclid}`,
      targets: ['(212) 555-0100'],
    }),
  });
  expect(visit.status).toBe(200);
  const calledAt = Date.now();
  const { data: begun } = await sandboxRequest<{ data: { id: string } }>('POST', '/calls', {
    from: '+12025550177',
    to: line.number,
  });
  await expect
    .poll(async () => (await sandboxRequest<{ state: string }>('GET', `/calls/${begun.id}`)).state)
    .not.toBe('new');
  await sandboxRequest('POST', `/calls/${begun.id}/hangup`, {});
  const callLink = page.locator('a[href^="/calls/"]:not([href="/calls/live"])').first();
  await expect
    .poll(
      async () => {
        await page.goto('/activity/calls');
        await page.waitForTimeout(1000);
        return callLink.count();
      },
      { timeout: 30_000 },
    )
    .toBe(1);
  const address = (await callLink.getAttribute('href')) ?? '';
  const callId = address.replace('/calls/', '');
  await page.goto(address);
  const sentTo = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: 'Sent to' }) });
  await sentTo.getByText('The call isn’t qualified.').waitFor();
  const value = page.getByRole('textbox', { name: 'Value' });
  await value.fill('125.50');
  await value.blur();
  const qualify = async (option: string): Promise<void> => {
    await page.getByRole('combobox', { name: 'Qualification' }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  await qualify('Qualified');
  await sentTo.getByText('Sent', { exact: true }).waitFor({ timeout: 30_000 });
  const [conversion, ...more] = await countedOf(gclid);
  expect(more).toEqual([]);
  expect(conversion).toMatchObject({ key: callId, place: '1112223333/9002' });
  expect(conversion?.details.conversionValue).toBe(125.5);
  expect(Math.abs(Date.parse(conversion?.details.eventTimestamp ?? '') - calledAt)).toBeLessThan(
    30_000,
  );
  expect(await violations(page)).toEqual([]);

  await qualify('Not qualified');
  await sentTo.getByText('Correction').waitFor({ timeout: 30_000 });
  await expect
    .poll(async () => (await countedOf(gclid)).map((one) => one.details.conversionValue), {
      timeout: 30_000,
    })
    .toEqual([0]);
  await expect.poll(() => sentTo.getByText('Sent', { exact: true }).count()).toBe(2);
  expect(await violations(page)).toEqual([]);
  expect(consoleErrors.filter((line) => !/401|favicon/.test(line))).toEqual([]);
});

test('three calls of one person are one lead in Salesforce, with three tasks', async () => {
  const company = await createCompany('Salesforce Journey');
  const line = await company.number('458');
  const caller = '+12025550178';
  const { page, consoleErrors } = await company.open('/integrations');
  await page
    .getByRole('listitem')
    .filter({ has: page.locator('strong', { hasText: 'Salesforce' }) })
    .getByRole('button', { name: 'Connect' })
    .click();
  await page.getByRole('button', { name: 'Allow for the test account' }).click();
  await waitForNotice(page, 'Salesforce is connected');
  await page.getByRole('link', { name: 'Set up' }).click();
  await page.getByRole('button', { name: 'Set up' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: /^Org/ }).fill('harbor.my.salesforce.com');
  await dialog.getByRole('button', { name: 'Add field' }).click();
  await dialog.getByRole('combobox', { name: 'Our field' }).last().click();
  await page.getByRole('option', { name: 'Campaign' }).click();
  await dialog.getByRole('combobox', { name: 'Salesforce field' }).last().click();
  await page.getByRole('option', { name: 'Campaign' }).click();
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await waitForNotice(page, 'Salesforce settings saved');
  await page.getByText('Active').first().waitFor();

  for (let n = 0; n < 3; n++) {
    const { data: call } = await sandboxRequest<{ data: { id: string } }>('POST', '/calls', {
      from: caller,
      to: line.number,
    });
    await expect
      .poll(async () => (await sandboxRequest<{ state: string }>('GET', `/calls/${call.id}`)).state)
      .not.toBe('new');
    await sandboxRequest('POST', `/calls/${call.id}/hangup`, {});
  }
  interface Stored {
    id: string;
    type: string;
    fields: Record<string, unknown>;
  }
  const inOrg = async (): Promise<Stored[]> => {
    const answer = await fetch(`${productUrl()}/sandbox/salesforce.json`);
    return ((await answer.json()) as { data: Stored[] }).data;
  };
  const leads = async () => (await inOrg()).filter(({ fields }) => fields['Phone'] === caller);
  const tasks = async () => {
    const ids = (await leads()).map(({ id }) => `00Q${id}`);
    return (await inOrg()).filter(({ fields }) => ids.includes(String(fields['WhoId'])));
  };
  await expect.poll(async () => (await tasks()).length, { timeout: 60_000 }).toBe(3);
  expect(await leads()).toHaveLength(1);
  expect(await violations(page)).toEqual([]);
  expect(consoleErrors.filter((line) => !/401|favicon/.test(line))).toEqual([]);
});
