import pg from 'pg';
import { expect, inject, test } from 'vitest';
import type { Page } from 'playwright-core';
import { productUrl } from './browser.ts';
import {
  codesTo,
  e164,
  enterCode,
  expectFine,
  friend,
  getNumber,
  newEmail,
  openPhone,
  signUp,
  textFrom,
} from './caddy-person.ts';
import { sandboxRequest } from './test-company.ts';

/** The tables in which a word stands, of everything the product stores. */
async function traces(db: pg.Client, words: readonly string[]): Promise<string[]> {
  // What the simulated carrier keeps is not ours, as what a real one keeps isn't.
  const { rows: tables } = await db.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema', 'sandbox') order by 1`,
  );
  expect(tables.length).toBeGreaterThan(200);
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await db.query<{ n: number }>(
      `select count(*)::int n from ${name} t where t::text ilike any($1)`,
      [words.map((word) => `%${word}%`)],
    );
    if (rows[0]?.n) found.push(name);
  }
  return found;
}

/** What the person's app sends, as the person. */
const send = (page: Page, method: string, path: string, body: object): Promise<number> =>
  page.evaluate(
    async ([how, where, said]) => {
      const kept = JSON.parse(localStorage.getItem('caddy.session')!) as {
        token: string;
        accountId: number;
      };
      const isOfCompany = where === '/contacts';
      const headers = {
        'content-type': 'application/json',
        authorization: `Bearer ${kept.token}`,
      };
      const { status } = await fetch(`/api${where as string}`, {
        method: how as string,
        headers,
        body: JSON.stringify({
          ...(isOfCompany && { company_id: kept.accountId }),
          ...(said as object),
        }),
      });
      return status;
    },
    [method, path, body] as const,
  );

test('a deleted account is gone after 30 days, with every trace of its person', async () => {
  const visit = await openPhone('/caddy/');
  const { page } = visit;
  const email = newEmail();
  const [party, word] = [friend(), `canary${Date.now()}`];
  const mine = e164(await signUp(visit, email));
  await getNumber(page, word);

  // The person and their friends say the word wherever words can be said.
  await page.goto('/caddy/account/profile');
  await page.getByLabel('First name').fill(word);
  await page.getByRole('button', { name: 'Save' }).tap();
  await page.getByText('Profile saved').waitFor();
  const status = {
    contact: await send(page, 'POST', '/contacts', { name: word, number: party }),
    greeting: await send(page, 'PUT', '/caddy/profile', {
      voicemailGreeting: `This is ${word}`,
      doNotDisturb: { from: '00:00', to: '00:00' },
    }),
    review: await send(page, 'POST', '/caddy/reviews', { rating: 2, text: word, version: '9' }),
    invitation: await send(page, 'POST', '/caddy/invitations', { phoneNumber: '+13125557790' }),
    report: await send(page, 'POST', '/caddy/support/customer-report', {
      ...{ category: 'other', message: word, appVersion: '9', fileIds: [] },
    }),
  };
  expect(status).toEqual({
    contact: 201,
    greeting: 200,
    review: 201,
    invitation: 201,
    report: 201,
  });
  await textFrom(party, mine, `Dear ${word}`);
  await page.goto('/caddy/');
  await page.getByRole('list', { name: 'Conversations' }).getByRole('link').first().tap();
  await page.getByRole('textbox', { name: 'Message' }).fill(`Yes, ${word} speaking`);
  await page.getByRole('button', { name: 'Send', exact: true }).tap();
  await page.getByRole('log', { name: 'Messages' }).getByText('speaking').waitFor();
  await sandboxRequest('POST', '/calls', {
    ...{ from: party, to: mine, speech: `A message for ${word}` },
  });
  await page.getByRole('log', { name: 'Messages' }).getByText(`A message for ${word}`).waitFor();

  await page.goto('/caddy/account/delete');
  await enterCode(page, email, () => page.getByRole('button', { name: 'Send code' }).tap());
  await page.getByRole('heading', { name: 'Welcome back' }).waitFor();

  const db = new pg.Client({ connectionString: inject('productDatabase') });
  await db.connect();
  try {
    const words = [word, email, party.slice(1), '13125557790'];
    const before = await traces(db, words);
    expect(before.length).toBeGreaterThan(15);
    // The product's clock is this machine's, so what ends in 30 days is moved to today.
    const moved = await db.query<{ company_id: string }>(
      `update caddy_account set erase_at = erase_at - interval '30 days' where email = $1
        returning company_id`,
      [email],
    );
    expect(moved.rowCount).toBe(1);
    await db.query(
      `update number set returns_at = returns_at - interval '30 days' where company_id = $1`,
      [moved.rows[0]!.company_id],
    );
    await db.query(`select graphile_worker.add_job('caddy.findErasable', '{}')`);
    await expect.poll(() => traces(db, words), { timeout: 120_000, interval: 2000 }).toEqual([]);
    const number = await db.query<{ status: string }>(
      'select status from number where number = $1',
      [mine],
    );
    expect(number.rows).toEqual([]);
  } finally {
    await db.end();
  }

  // The address is a stranger's now, and can begin anew.
  const codes = (await codesTo(email)).length;
  await page.getByRole('textbox', { name: 'Email' }).fill(email);
  await page.getByRole('button', { name: 'Send code' }).tap();
  await page.getByLabel('Digit 1').waitFor();
  expect((await codesTo(email)).length).toBe(codes);
  await expectFine(visit);
  expect((await fetch(`${productUrl()}/caddy/`)).status).toBe(200);
});
