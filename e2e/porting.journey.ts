import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { isBusinessDay } from '../contract/src/porting/rules.ts';
import { switchTheme, violations } from './axe.ts';
import { createCompany, type Company } from './test-company.ts';
import { waitForPhoneReady, productUrl } from './browser.ts';

/**
 * A business day past the carrier's seven, whatever today is: in four weeks there may be a holiday.
 */
const weekdayInWeeks = (weeks: number): string => {
  const day = new Date(Date.now() + weeks * 7 * 86_400_000);
  while (!isBusinessDay(day.toISOString().slice(0, 10))) day.setUTCDate(day.getUTCDate() + 1);
  return day.toISOString().slice(0, 10);
};
const aPdf = {
  name: 'bill.pdf',
  mimeType: 'application/pdf',
  buffer: Buffer.from('%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF'),
};

test('a number is ported: checked, described, signed, submitted; documents requested and added; then it rings', async () => {
  const line = '7431';
  const number = `(917) 555-${line}`;
  const { open } = await createCompany('Moving Dental');
  const { page, consoleErrors } = await open('/numbers/ports');
  await page.getByRole('button', { name: 'Port numbers' }).first().click();

  // Numbers: one that can't be ported says why, the other can.
  const wizard = page.getByRole('dialog');
  const next = wizard.getByRole('button', { name: 'Next' });
  await wizard.getByLabel('Numbers to port').fill(`${number}\n(917) 555-0199`);
  await wizard.getByRole('button', { name: 'Check numbers' }).click();
  await wizard
    .getByText('(917) 555-0199 cannot be moved: its current carrier doesn’t release it.')
    .waitFor();
  await wizard.getByLabel('Numbers to port').fill(number);
  await next.click();

  // Details. Missing ones are shown at their fields on the way to signing.
  await wizard.getByLabel('Account number').fill('884213');
  await wizard.getByLabel('Main number on the account').fill(number);
  await wizard.getByLabel('Port date').fill(weekdayInWeeks(4));
  await wizard.getByLabel('Company name on the bill').fill('Harbor Dental LLC');
  await wizard.getByLabel('First name').fill('Olive');
  await wizard.getByLabel('Last name').fill('Owner');
  await wizard.getByLabel('Email').fill('olive@harbor.test');
  await wizard.getByLabel('Phone').last().fill('(212) 555-0147');
  await wizard.getByLabel('Street').fill('1 Water Street');
  await wizard.getByLabel('City').fill('New York');
  await wizard.getByLabel('State or province').fill('NY');
  await wizard.getByLabel('ZIP or postal code').fill('10004');
  // Read late: the draft must still open where it was left.
  const slowly = /\/api\/company\/\d+\/ports\/\d+$/;
  await page.route(slowly, async (route) => {
    if (route.request().method() === 'GET') await new Promise((done) => setTimeout(done, 2_000));
    await route.continue().catch(() => undefined);
  });
  await next.click();

  // Left and continued: the draft is saved.
  await wizard.getByText('at most 30 days old', { exact: false }).first().waitFor();
  await wizard.getByRole('button', { name: 'Continue later' }).click();
  await wizard.waitFor({ state: 'hidden' });
  await page.getByRole('row', { name: new RegExp(`${line}, Draft`) }).click();

  await wizard.getByLabel('Bill date').waitFor();
  await page.unroute(slowly);
  await wizard
    .getByLabel('Bill date')
    .fill(new Date(Date.now() - 5 * 86_400_000).toISOString().slice(0, 10));
  await wizard.locator('input[type=file]').setInputFiles(aPdf);
  await wizard.getByRole('button', { name: 'Add document' }).click();
  await wizard.getByRole('link', { name: 'bill.pdf' }).waitFor();
  await next.click();
  await wizard
    .getByRole('article', { name: 'Letter of authorization' })
    .getByText('884213')
    .waitFor();
  await wizard.getByRole('checkbox').check();
  await wizard.getByRole('button', { name: 'Sign letter' }).click();
  await wizard.getByText('Signed by Olive Owner').waitFor();
  const letter = await page.request.get(
    (await wizard.getByRole('link', { name: 'Download PDF' }).getAttribute('href'))!,
  );
  expect((await letter.body()).subarray(0, 5).toString()).toBe('%PDF-');
  await next.click();
  await wizard.getByRole('button', { name: 'Submit request' }).click();
  await wizard.waitFor({ state: 'hidden' });

  // The carrier requests a record; it is added, and the states update live.
  await page.getByRole('row', { name: new RegExp(`${line}, (Submitted|Needs documents)`) }).click();
  const drawer = page.getByRole('dialog');
  // The simulated carrier advances each minute, and immediately when pressed, unless it waits for
  // requested documents.
  const onTo = (words: string) =>
    expect
      .poll(
        async () => {
          const there = drawer.getByText(words, { exact: true }).first();
          if (await there.isVisible()) return true;
          await drawer
            .getByRole('button', { name: 'Next status now' })
            .click({ timeout: 2000 })
            .catch(() => undefined);
          return there.isVisible();
        },
        { timeout: 120_000, interval: 1500 },
      )
      .toBe(true);
  await onTo('The carrier needs: Customer service record');
  await drawer.locator('input[type=file]').setInputFiles({ ...aPdf, name: 'record.pdf' });
  await drawer.getByRole('button', { name: 'Add document' }).click();
  await drawer.getByRole('link', { name: 'record.pdf' }).waitFor();
  await drawer.getByRole('button', { name: 'Send documents' }).click();
  await onTo('Ported');
  await drawer.getByRole('link', { name: number }).waitFor();
  const mails = async () =>
    (
      (await (await fetch(`${productUrl()}/dev/outbox.json`)).json()) as {
        data: { to: string; subject: string }[];
      }
    ).data
      .filter((m) => m.to === 'olive@harbor.test')
      .map((m) => m.subject);
  await expect.poll(mails, { timeout: 60_000 }).toContain('Your numbers have been ported');

  // It rings: a caller reaches the company's browser.
  await page.keyboard.press('Escape');
  await waitForPhoneReady(page);
  const call = await fetch(`${productUrl()}/sandbox/calls`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ from: '+12125550147', to: `+1917555${line}` }),
  });
  expect(call.status).toBeLessThan(300);
  await page.getByRole('alertdialog', { name: 'Incoming call' }).waitFor();
  // It rings no one afterwards: other journeys call as well.
  await fetch(
    `${productUrl()}/sandbox/calls/${((await call.json()) as { data: { id: string } }).data.id}/hangup`,
    { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' },
  );
  await page.getByRole('alertdialog', { name: 'Incoming call' }).waitFor({ state: 'detached' });
  expect(consoleErrors.filter((entry) => !/401|409|422|favicon/.test(entry))).toEqual([]);
}, 600_000);

/** A complete request, submitted to the carrier through the API. */
async function createSubmittedPort(
  { id: company, ask, owner }: Company,
  number: string,
): Promise<{ id: number; ref: string }> {
  const port = await ask<{ data: { id: number } }>('POST', `/company/${company}/numbers/port`, {
    numbers: [number],
    losing_carrier: 'Old Bell',
    account_number: '884215',
    billing_telephone_number: number,
    customer_type: 'business',
    entity_name: 'Harbor Dental LLC',
    authorized_first_name: 'Olive',
    authorized_last_name: 'Owner',
    authorized_email: owner.email,
    authorized_phone: '+12125550147',
    service_address: {
      line1: '1 Water Street',
      city: 'New York',
      state: 'NY',
      zip: '10004',
      country: 'US',
    },
    requested_date: weekdayInWeeks(4),
  });
  const at = `/company/${company}/ports/${port.data.id}`;
  const bill = new FormData();
  bill.set('kind', 'bill');
  bill.set('bill_date', new Date(Date.now() - 5 * 86_400_000).toISOString().slice(0, 10));
  bill.set('file', new Blob([aPdf.buffer], { type: aPdf.mimeType }), aPdf.name);
  const added = await fetch(`${productUrl()}/api${at}/documents`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner.token}` },
    body: bill,
  });
  expect(added.status).toBe(201);
  const {
    data: { hash },
  } = await ask<{ data: { hash: string } }>('GET', `${at}/loa`);
  await ask('POST', `${at}/loa/sign`, { name: 'Olive Owner', hash, agree: true });
  await ask('POST', `${at}/submit`, {});
  const ref = async () =>
    (await ask<{ data: { carrier_ref: string | null } }>('GET', at)).data.carrier_ref;
  await expect.poll(ref, { interval: 200 }).not.toBeNull();
  return { id: port.data.id, ref: (await ref())! };
}

test('a port in progress is canceled; the carrier completes it anyway, and the page says immediately what to do', async () => {
  const company = await createCompany('Staying Dental');
  const number = '(917) 555-7432';
  const { id, ref } = await createSubmittedPort(company, '+19175557432');
  const { page, consoleErrors } = await company.open(`/numbers/ports?port=${id}`);
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('button', { name: 'Cancel request' }).click();
  const asked = page
    .getByRole('alertdialog')
    .or(page.getByRole('dialog', { name: 'Cancel this port request?' }));
  await asked.getByText('The numbers stay with Old Bell', { exact: false }).waitFor();
  await asked.getByRole('button', { name: 'Cancel request' }).click();
  await drawer.getByText('Canceled', { exact: true }).first().waitFor();
  expect(await drawer.getByRole('alert').count()).toBe(0);
  expect(await drawer.getByRole('button', { name: 'Cancel request' }).count()).toBe(0);

  // The carrier acknowledged the cancellation, completed the order anyway, and reports it as done.
  const db = new pg.Client({
    connectionString: inject('productDatabase'),
    options: '-c role=trunkline_system',
  });
  await db.connect();
  await db.query(`update sandbox.port set state = 'completed', seq = seq + 1 where ref = $1`, [
    ref,
  ]);
  await db.query(`select enqueue_job('sandbox.reportPort', $1::json, null, null, 25, null, null)`, [
    JSON.stringify({ ref }),
  ]);
  await db.end();

  // Without a click: shown in the open request and in the list, and the number isn't left without
  // an owner.
  await drawer
    .getByRole('alert')
    .getByText(`You canceled this request, but the carrier ported ${number} here anyway.`, {
      exact: false,
    })
    .waitFor();
  // The Cancel button is at the end of a long page: the alarm scrolls into view.
  await expect
    .poll(() =>
      drawer.getByRole('alert').evaluate((one) => {
        const { top, bottom } = one.getBoundingClientRect();
        return top >= 0 && bottom <= innerHeight;
      }),
    )
    .toBe(true);
  await drawer.getByRole('link', { name: number }).waitFor();
  const shots = process.env.PICTURES;
  for (const scheme of ['light', 'dark'] as const) {
    await switchTheme(page, scheme);
    expect(await violations(page), scheme).toEqual([]);
    if (shots) await page.screenshot({ path: `${shots}/port-alarm-${scheme}.png` });
  }
  await page.keyboard.press('Escape');
  await page.getByRole('row', { name: /7432/ }).getByText('Needs attention').waitFor();
  if (shots) await page.screenshot({ path: `${shots}/port-alarm-list.png` });
  const subjects = async () =>
    (
      (await (await fetch(`${productUrl()}/dev/outbox.json`)).json()) as {
        data: { to: string; subject: string }[];
      }
    ).data
      .filter((m) => m.to === company.owner.email)
      .map((m) => m.subject);
  await expect
    .poll(subjects)
    .toEqual(
      expect.arrayContaining([
        'Your port request was canceled',
        'Your port request needs attention',
      ]),
    );
  expect(consoleErrors.filter((entry) => !/401|favicon/.test(entry))).toEqual([]);
}, 600_000);
