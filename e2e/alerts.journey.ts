import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { violations } from './axe.ts';
import { waitForNotice } from './browser.ts';
import { createCompany, sandboxRequest, type Company } from './test-company.ts';

async function aDatabase(): Promise<pg.Client> {
  const db = new pg.Client({ connectionString: inject('productDatabase') });
  await db.connect();
  onTestFinished(() => db.end());
  return db;
}

/** Checks a company now, which the clock does every few minutes. */
const check = (db: pg.Client, { id }: Company, ...kinds: string[]) =>
  db.query(`select graphile_worker.add_job('monitoring.check', $1)`, [
    JSON.stringify({ companyId: id, kinds }),
  ]);

/** Answered calls that ended within seconds: an alert about the number. */
const shortCalls = (db: pg.Client, company: Company, numberId: number) =>
  db.query(
    `insert into call (company_id, number_id, outbound, carrier, from_number, to_number, party,
      status, outcome, started_at, ended_at, talk_seconds, duration_seconds)
    select $1, $2, false, 'sandbox', '+1202555010' || n, '+14155550100', '+1202555010' || n, 1, 1,
      now(), now(), 3, 3 from generate_series(1, 6) n`,
    [company.id, numberId],
  );

test('an alert is raised live, acknowledged, cured through its suggestion, and resolves', async () => {
  const company = await createCompany('Alert Journey');
  const db = await aDatabase();
  const line = await company.number('504');
  const { page, consoleErrors } = await company.open('/monitoring');
  await page.getByText('All is well').waitFor();
  expect(await violations(page)).toEqual([]);

  await sandboxRequest('POST', '/texts', {
    from: '+12025550164',
    to: line.number,
    text: 'Please take me off your list',
    media: [],
  });
  // The product's clock is this machine's, so the hour that a person has to decide is moved.
  await expect
    .poll(
      async () =>
        (
          await db.query(
            `update possible_opt_out set noticed_at = noticed_at - interval '2 hours'
              where company_id = $1`,
            [company.id],
          )
        ).rowCount,
      { timeout: 60_000 },
    )
    .toBe(1);
  await check(db, company, 'opt_out_waiting');
  const row = page.getByRole('row').filter({ hasText: 'Possible opt-outs wait for you' });
  await row.waitFor();
  await page.getByText('1 open alert.').waitFor();
  await row.click();
  const drawer = page.getByRole('dialog', { name: 'Possible opt-outs wait for you' });
  await drawer
    .getByRole('img', { name: /lowest 2 hours, highest 2 hours, limit 1 hour/ })
    .waitFor();
  expect(await violations(page)).toEqual([]);
  await drawer.getByRole('button', { name: 'Acknowledge' }).click();
  await drawer.getByText('Olive Owner: Acknowledged').waitFor();
  await drawer.getByRole('link', { name: 'Decide for each person' }).click();

  await page
    .getByRole('link', { name: /555-0164/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Opt out', exact: true }).click();
  await page.getByText('Possible opt-outs wait', { exact: false }).waitFor({ state: 'detached' });
  await page.goto('/monitoring');
  await row.getByText('Acknowledged').waitFor();
  // One check after the other, as the clock does it.
  await check(db, company, 'opt_out_waiting');
  const clear = () =>
    db.query(`select from alert where company_id = $1 and clear_checks = 1`, [company.id]);
  await expect.poll(async () => (await clear()).rowCount).toBe(1);
  await check(db, company, 'opt_out_waiting');
  await row.getByText('Resolved').waitFor({ timeout: 60_000 });
  await page.getByText('Nothing needs a look right now.').waitFor();
  expect(consoleErrors.filter((line) => !/401|favicon/.test(line))).toEqual([]);
});

test('several alerts are dismissed at once, by keyboard, and stay away', async () => {
  const company = await createCompany('Dismissal Journey');
  const db = await aDatabase();
  for (const area of ['505', '507']) await shortCalls(db, company, (await company.number(area)).id);
  await check(db, company, 'short_calls');
  const { page, consoleErrors } = await company.open('/monitoring');
  await page.getByText('2 open alerts.').waitFor();
  // They are counted and listed by two requests.
  await page.getByRole('row').filter({ hasText: 'within seconds' }).nth(1).waitFor();
  await page.getByRole('checkbox', { name: 'Select all on this page' }).press('Space');
  await page.getByRole('toolbar').getByText('2 selected').waitFor();
  expect(await violations(page)).toEqual([]);
  await page.getByRole('button', { name: 'Dismiss', exact: true }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Dismiss 2 alerts' });
  await dialog.getByRole('radio', { name: 'Another reason' }).check();
  await dialog.getByRole('button', { name: 'Dismiss', exact: true }).click();
  await dialog.getByText('Say why in a few words.').waitFor();
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole('radio', { name: /^Not relevant/ }).check();
  await dialog.getByRole('button', { name: 'Dismiss', exact: true }).press('Enter');
  await waitForNotice(page, '2 alerts updated');
  await page.getByRole('row').filter({ hasText: 'Dismissed' }).nth(1).waitFor();
  await check(db, company, 'short_calls', 'missed_rate_high');
  await expect
    .poll(async () => {
      const { rows } = await db.query<{ n: number }>(
        `select count(*)::int as n
          from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
          where t.identifier = 'monitoring.check' and (j.payload ->> 'companyId')::bigint = $1`,
        [company.id],
      );
      return rows[0]?.n;
    })
    .toBe(0);
  const counts = await company.ask<{ data: { open: number } }>(
    'GET',
    `/monitoring/alerts/counts?company_id=${company.id}`,
  );
  expect(counts.data.open).toBe(0);
  expect(consoleErrors.filter((line) => !/401|422|favicon/.test(line))).toEqual([]);
});

test('what a webhook didn’t get is sent again from the alert', async () => {
  const company = await createCompany('Replay Journey');
  const db = await aDatabase();
  const line = await company.number('509');
  await company.ask('POST', `/companies/${company.id}/integrations/webhooks`, {
    name: 'Booking',
    url: 'https://crm.example/hooks',
    rules: [{ event: 'message.received' }],
  });
  await sandboxRequest('POST', '/texts', {
    from: '+12025550165',
    to: line.number,
    text: 'Are you open on Friday?',
    media: [],
  });
  const deliveries = (state: string) =>
    db.query('select from delivery where company_id = $1 and state = $2', [company.id, state]);
  await expect.poll(async () => (await deliveries('sent')).rowCount, { timeout: 60_000 }).toBe(1);
  // As if its receiver had failed for days.
  await db.query(`update delivery set state = 'dead' where company_id = $1`, [company.id]);
  await check(db, company, 'webhook_dead');
  const { page, consoleErrors } = await company.open('/monitoring');
  await page.getByRole('row').filter({ hasText: 'Events weren’t delivered to a webhook' }).click();
  const drawer = page.getByRole('dialog', { name: 'Events weren’t delivered to a webhook' });
  await drawer.getByRole('button', { name: 'Send again what failed' }).press('Enter');
  await waitForNotice(page, '1 event is sent again');
  await expect.poll(async () => (await deliveries('sent')).rowCount, { timeout: 60_000 }).toBe(1);
  expect((await deliveries('dead')).rowCount).toBe(0);
  expect(await violations(page)).toEqual([]);
  expect(consoleErrors.filter((line) => !/401|favicon/.test(line))).toEqual([]);
});

test('a number that a phone reported as spam is an alert until the report is withdrawn', async () => {
  const company = await createCompany('Spam Label Journey');
  const db = await aDatabase();
  const line = await company.number('612');
  const { page, consoleErrors } = await company.open(`/numbers/${line.id}?tab=about`);
  const section = page.locator('section').filter({ hasText: 'Spam label' });
  await section.getByText('Not known yet').waitFor();
  const report = (isSpam: boolean) =>
    sandboxRequest('PUT', '/spam-reports', {
      phone: '+12025550166',
      number: line.number,
      isSpam,
    });
  await report(true);
  await section.getByRole('button', { name: 'Check now' }).press('Enter');
  await section.getByText('Shows as spam: Sandbox Mobile (simulated)').waitFor();
  expect(await violations(page)).toEqual([]);
  await check(db, company, 'number_reputation');
  await page.goto('/monitoring');
  const row = page.getByRole('row').filter({ hasText: 'Calls from a number show as spam' });
  await row.click();
  await page.getByRole('link', { name: /^Register the number/ }).click();

  await report(false);
  // What was found is the answer for a minute.
  await db.query(
    `update number set spam_checked_at = spam_checked_at - interval '2 minutes'
      where company_id = $1 and id = $2`,
    [company.id, line.id],
  );
  await section.getByRole('button', { name: 'Check now' }).click();
  await section.getByText('No spam label').waitFor();
  for (const clear of [1, 2]) {
    await check(db, company, 'number_reputation');
    await expect
      .poll(async () => {
        const { rows } = await db.query<{ n: number; state: string }>(
          `select clear_checks as n, state from alert where company_id = $1`,
          [company.id],
        );
        return rows[0]?.state === 'resolved' ? 2 : rows[0]?.n;
      })
      .toBe(clear);
  }
  await page.goto('/monitoring');
  await row.getByText('Resolved').waitFor();
  expect(consoleErrors.filter((one) => !/401|favicon/.test(one))).toEqual([]);
});
