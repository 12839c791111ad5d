import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { createCompany } from './test-company.ts';
import { api, signInAsDemoOwner, productUrl, openVisit } from './browser.ts';

/** The demo world's data is what the product would have created. */
test('a company that leases a number in the demo world has it, on the terms of the lease, and can renew', async () => {
  const db = new pg.Client({
    connectionString: inject('productDatabase'),
    options: '-c role=trunkline_system',
  });
  await db.connect();
  const { rows } = await db.query<{
    company: string;
    listing: string;
    held: boolean;
    reached: boolean;
    routed: boolean;
    days: number;
  }>(`
    select m.lessee_company_id company, m.id listing, m.lease_ends_at::date - now()::date days,
      n.id is not null and n.lease_ends_at = m.lease_ends_at and n.lease_monthly_cents = m.lease_monthly_cents held,
      exists (select from number_directory d where d.number = m.number and d.company_id = n.company_id and d.number_id = n.id) reached,
      exists (select from route r where r.company_id = n.company_id and r.number_id = n.id) routed
    from marketplace_number m join company lister on lister.id = m.company_id
    left join number n on n.company_id = m.lessee_company_id and n.number = m.number and n.lease_listing_id = m.id and n.status = 'active'
    where m.status = 'leased' and lister.name = 'Harbor Dental'`);
  await db.end();
  expect(rows).toMatchObject([{ held: true, reached: true, routed: true }]);
  const { page } = await openVisit('/login');
  await signInAsDemoOwner(page);
  await page.evaluate((id) => {
    localStorage.setItem('trunkline.company', id);
  }, rows[0]!.company);
  await page.goto('/numbers');
  await page.getByRole('grid').getByText('(855) 555-4357').click();
  await page.getByRole('tab', { name: 'About' }).click();
  await page.getByRole('button', { name: 'Renew lease' }).waitFor();
});

/**
 * Two companies of one owner: one lists a number, the other leases it and renews, and it returns.
 */
test('a number is leased by an accepted offer, renewed, under notice, and returns at the end of its term', async () => {
  const { id: lister, ask, open } = await createCompany('Pier Radio');
  const second = { company_info: { name: 'Bright Smiles', timezone: 'America/New_York' } };
  const lessee = (await ask<{ data: { id: number } }>('POST', '/companies', second)).data.id;
  const { page, consoleErrors } = await open('/marketplace');
  const be = (company: number) =>
    page.evaluate((id) => {
      localStorage.setItem('trunkline.company', String(id));
    }, company);

  const [offer] = (
    await api(page, 'POST', '/numbers/locate', {
      company_id: lister,
      category: 1,
      areaCode: '844',
      limit: 1,
    })
  ).body.data as { number: string; formatted: string }[];
  const [own] = (
    await api(page, 'POST', '/numbers', {
      company_id: lister,
      numbers: [offer!.number],
      label: 'On the air',
    })
  ).body.data as { id: number }[];
  const listing = (
    await api(page, 'POST', '/marketplace-numbers', {
      company_id: lister,
      number_id: own!.id,
      vanity_text: '844-ON-THE-AIR',
    })
  ).body.data.id as number;
  expect(
    (
      await api(page, 'PUT', `/marketplace-numbers/${listing}`, {
        company_id: lister,
        status: 'listed',
        pricing: { monthly_cents: 4900, minimum_term_months: 1 },
        description: 'Easy to remember.',
      })
    ).status,
  ).toBe(200);

  // The figures fit the page at every width.
  await be(lister);
  for (const [width, height] of [
    [1360, 850],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto('/marketplace');
    const figures = page.getByRole('list', { name: 'Marketplace summary' });
    await figures.getByText('Monthly revenue').waitFor();
    expect(
      await figures.evaluate(
        (list) =>
          [...list.children].filter(
            (one) => one.getBoundingClientRect().right > document.documentElement.clientWidth + 0.5,
          ).length,
      ),
    ).toBe(0);
  }
  await page.setViewportSize({ width: 1360, height: 850 });

  // A lower offer is accepted, and the lease is confirmed at that price.
  await be(lessee);
  await page.goto(`/marketplace/${listing}`);
  await page.getByText('the owner can’t end it sooner', { exact: false }).waitFor();
  await page
    .getByRole('textbox', { name: 'Your offer, US dollars per month for 1 month' })
    .fill('45.50');
  await page.getByRole('button', { name: 'Send offer' }).click();
  await page.getByText('Your offer was sent').first().waitFor();
  await be(lister);
  await page.goto(`/marketplace/${listing}`);
  await page.getByText('$45.50 per month for 1 month', { exact: false }).first().waitFor();
  await page.getByRole('button', { name: 'Accept the offer of Bright Smiles' }).click();
  await page.getByText('Reserved for them for one day', { exact: false }).waitFor();
  await be(lessee);
  await page.goto(`/marketplace/${listing}`);
  await page.getByText('This number is reserved for you.').waitFor();
  await page.getByRole('button', { name: 'Go to checkout' }).click();
  await page.getByRole('button', { name: 'Confirm lease' }).click();
  await page
    .getByRole('dialog')
    .getByText('$45.50 per month for 1 month', { exact: false })
    .waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Lease', exact: true }).click();
  await page.waitForURL('**/numbers');
  await page.getByRole('grid').getByText(offer!.formatted).click();
  await page.getByRole('tab', { name: 'About' }).click();
  await page.getByText(/On the marketplace · Ends/).waitFor();

  // A lease this short can be renewed immediately: same term, same price.
  await page.getByRole('button', { name: 'Renew lease' }).click();
  await page
    .getByRole('dialog')
    .getByText('$45.50 per month for another 1 month', { exact: false })
    .waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Renew', exact: true }).click();
  await page.getByText('Lease renewed').first().waitFor();

  // The lister sees the lessee and the end date, and can only give notice.
  await be(lister);
  await page.goto('/numbers');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.goto(`/marketplace/${listing}`);
  await page.getByText('Bright Smiles renewed the lease', { exact: false }).first().waitFor();
  await page.getByText('Returns', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Give notice' }).click();
  const asked = page.getByRole('dialog');
  await asked.getByText('Bright Smiles keeps the number until', { exact: false }).waitFor();
  await asked.getByRole('button', { name: 'Give notice' }).click();
  await page.getByText('notice given', { exact: false }).first().waitFor();
  await be(lessee);
  await page.goto('/numbers');
  await page.getByRole('grid').getByText(offer!.formatted).click();
  await page.getByRole('tab', { name: 'About' }).click();
  await page.getByText(/On the marketplace.*Notice given/).waitFor();
  expect(await page.getByRole('button', { name: 'Renew lease' }).count()).toBe(0);

  // The term passes: the number is the lister's again, and gone from the lessee.
  const db = new pg.Client({
    connectionString: inject('productDatabase'),
    options: '-c role=trunkline_system',
  });
  await db.connect();
  await db.query(
    `update marketplace_number set lease_ends_at = now() - interval '1 minute' where id = $1`,
    [listing],
  );
  await db.query(
    `select enqueue_job('marketplace.endLeases', '{}'::json, null, null, 3, null, null)`,
  );
  await db.end();
  await be(lister);
  await page.goto(`/marketplace/${listing}`);
  await page.getByText('The lease to Bright Smiles ended', { exact: false }).first().waitFor();
  await page.goto('/numbers');
  await page.getByRole('grid').getByText(offer!.formatted).waitFor();
  await be(lessee);
  await page.goto('/numbers');
  await page
    .getByText('No numbers yet')
    .or(page.getByRole('heading', { level: 2 }))
    .first()
    .waitFor();
  expect(await page.getByText(offer!.formatted).count()).toBe(0);

  // Both were notified of each step.
  const mails = await (await fetch(`${productUrl()}/dev/outbox?format=json`)).text();
  for (const subject of [
    'Offer for',
    'was accepted',
    'was leased',
    'is now one of your numbers',
    'was renewed',
    'will not be renewed',
    'ended',
  ])
    expect(mails).toContain(subject);
  expect(consoleErrors.filter((line) => !/401|404|favicon/.test(line))).toEqual([]);
}, 600_000);
