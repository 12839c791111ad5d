import { expect, test } from 'vitest';
import { violations } from './axe.ts';
import { productUrl } from './browser.ts';
import { arrived, inSandbox, missCall, setUpAccount } from './integration-steps.ts';
import { createCompany } from './test-company.ts';

interface Counted {
  key: string;
  place: string;
  taken_back: boolean;
  details: Record<string, unknown>;
}
type Choose = (name: RegExp, option: string | RegExp) => Promise<void>;

/** A simulated advertising account: how it is set up, and how it counts. */
interface AdPlatform {
  name: string;
  /** Area codes of this test’s numbers. */
  areas: [string, string];
  /** The parameter by which it names a click. */
  clickName: string;
  setUp: (choose: Choose) => Promise<void>;
  place: string;
  read: (details: Counted['details']) => { click: unknown; value: unknown; at: unknown };
  /** What stands of a conversion that was taken back: its value, or nothing. */
  afterwards: readonly number[];
}
const platforms: readonly AdPlatform[] = [
  {
    name: 'Google Ads',
    areas: ['503', '971'],
    clickName: 'gclid',
    setUp: async (choose) => {
      await choose(/^Customer/, '111-222-3333');
      await choose(/^Conversion action: Call qualified/, 'Qualified lead');
    },
    place: '1112223333/9002',
    read: ({ adIdentifiers, conversionValue: value, eventTimestamp: at }) => ({
      ...{ value, at },
      click: (adIdentifiers as { gclid?: string } | undefined)?.gclid,
    }),
    afterwards: [0],
  },
  {
    name: 'Microsoft Ads',
    areas: ['541', '458'],
    clickName: 'msclkid',
    setUp: async (choose) => {
      await choose(/^Ad account/, 'Harbor Dental (F100ABCD)');
      await choose(/^Conversion goal/, 'Qualified call');
    },
    place: '141002/Qualified call',
    read: (details) => ({
      click: details['MicrosoftClickId'],
      value: details['ConversionValue'],
      at: details['ConversionTime'],
    }),
    afterwards: [],
  },
];

test.each(platforms)(
  'a visit by a click, a call, and its qualification are one conversion at $name, which follows the call',
  async (platform) => {
    const { name, areas, clickName, place, read } = platform;
    const company = await createCompany(`${name} Journey`);
    const [line, other] = [await company.number(areas[0]), await company.number(areas[1])];
    const click = `Click${company.id}`;
    /** What the simulated account counts of the click. */
    const countedOf = async () =>
      (await inSandbox<Counted>('conversions'))
        .filter(({ details, taken_back: isGone }) => !isGone && read(details).click === click)
        .map((one) => ({ place: one.place, ...read(one.details) }));
    const { data: pool } = await company.ask<{ data: { companyKey: string } }>(
      'POST',
      `/companies/${company.id}/dniPools`,
      {
        ...{ name: 'Website', numberIds: [line.id], defaultNumberId: other.id },
        domains: ['shop.example'],
      },
    );
    const { page, consoleErrors } = await company.open('/integrations');
    const { choose, save } = await setUpAccount(page, name, 'main');
    await platform.setUp(choose);
    await choose(/^Upload/, 'At once');
    expect(await violations(page)).toEqual([]);
    await save();

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
        url: `https://www.shop.example/?${clickName}=${click}`,
        targets: ['(212) 555-0100'],
      }),
    });
    expect(visit.status).toBe(200);
    const calledAt = Date.now();
    await missCall('+12025550177', line.number);
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
    const [conversion, ...more] = await countedOf();
    expect(more).toEqual([]);
    expect(conversion).toMatchObject({ place, value: 125.5 });
    expect(Math.abs(Date.parse(String(conversion?.at)) - calledAt)).toBeLessThan(30_000);
    expect(await violations(page)).toEqual([]);

    await qualify('Not qualified');
    await sentTo.getByText('Correction').waitFor({ timeout: 30_000 });
    await expect
      .poll(async () => (await countedOf()).map(({ value: worth }) => worth), { timeout: 30_000 })
      .toEqual(platform.afterwards);
    await expect.poll(() => sentTo.getByText('Sent', { exact: true }).count()).toBe(2);
    expect(await violations(page)).toEqual([]);
    expect(consoleErrors.filter((line) => !/401|favicon/.test(line))).toEqual([]);
  },
);

test('three calls of one person are one lead in Salesforce, with three tasks', async () => {
  const company = await createCompany('Salesforce Journey');
  const line = await company.number('360');
  const caller = '+12025550178';
  const { page, consoleErrors } = await company.open('/integrations');
  const { dialog, pair, save } = await setUpAccount(page, 'Salesforce', 'test');
  await dialog.getByRole('textbox', { name: /^Org/ }).fill('harbor.my.salesforce.com');
  await pair('Campaign', 'Salesforce field', 'Campaign');
  expect(await violations(page)).toEqual([]);
  await save();

  for (let n = 0; n < 3; n++) {
    await missCall(caller, line.number);
  }
  interface Stored {
    id: string;
    type: string;
    fields: Record<string, unknown>;
  }
  const inOrg = () => inSandbox<Stored>('salesforce');
  const leads = async () => (await inOrg()).filter(({ fields }) => fields['Phone'] === caller);
  const tasks = async () => {
    const ids = (await leads()).map(({ id }) => `00Q${id}`);
    return (await inOrg()).filter(({ fields }) => ids.includes(String(fields['WhoId'])));
  };
  await arrived(company, tasks, 3);
  expect(await leads()).toHaveLength(1);
  expect(await violations(page)).toEqual([]);
  expect(consoleErrors.filter((line) => !/401|favicon/.test(line))).toEqual([]);
});
