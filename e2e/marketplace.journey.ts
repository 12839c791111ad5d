import { expect, test } from 'vitest';
import { found } from './company.ts';
import { api } from './visit.ts';

/** Two companies of one owner, founded for this: one offers a number, the other leases it, and it comes back. */
test('a number is leased at the checkout, told on both sides, and comes back when its lister ends the lease', async () => {
  const { id: lister, ask, open } = await found('Pier Radio');
  const second = { company_info: { name: 'Bright Smiles', timezone: 'America/New_York' } };
  const lessee = (await ask<{ data: { id: number } }>('POST', '/companies', second)).data.id;
  const { page, troubles } = await open('/marketplace');
  const be = (company: number) => page.evaluate((id) => { localStorage.setItem('trunkline.company', String(id)); }, company);

  const [offer] = (await api(page, 'POST', '/numbers/locate', { company_id: lister, category: 1, areaCode: '844', limit: 1 })).body.data as { number: string; formatted: string }[];
  const [own] = (await api(page, 'POST', '/numbers', { company_id: lister, numbers: [offer!.number], label: 'On the air' })).body.data as { id: number }[];
  const listing = (await api(page, 'POST', '/marketplace-numbers', { company_id: lister, number_id: own!.id, vanity_text: '844-ON-THE-AIR' })).body.data.id as number;
  expect((await api(page, 'PUT', `/marketplace-numbers/${listing}`, { company_id: lister, status: 'listed', pricing: { monthly_cents: 4900, minimum_term_months: 6 }, description: 'Easy to remember.' })).status).toBe(200);

  // The figures stay in the page at every width.
  await be(lister);
  for (const [width, height] of [[1360, 850], [390, 844]] as const) {
    await page.setViewportSize({ width, height });
    await page.goto('/marketplace');
    const figures = page.getByRole('list', { name: 'Marketplace in figures' });
    await figures.getByText('Revenue a month').waitFor();
    expect(await figures.evaluate((list) => [...list.children].filter((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth + 0.5).length)).toBe(0);
  }
  await page.setViewportSize({ width: 1360, height: 850 });

  // Somebody else leases it.
  await be(lessee);
  await page.goto(`/marketplace/${listing}`);
  await page.getByRole('button', { name: 'Lease this number' }).click();
  await page.getByRole('button', { name: 'Confirm lease' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Lease', exact: true }).click();
  await page.waitForURL('**/numbers');
  await page.getByRole('grid').getByText(offer!.formatted).click();
  await page.getByRole('tab', { name: 'About' }).click();
  await page.getByText('on the marketplace; it goes back', { exact: false }).waitFor();

  // Its lister sees who has it and until when, and ends the lease.
  await be(lister);
  await page.goto('/numbers');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.goto(`/marketplace/${listing}`);
  await page.getByText('Bright Smiles', { exact: false }).first().waitFor();
  await page.getByText('Comes back', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'End the lease' }).click();
  const asked = page.getByRole('dialog');
  await asked.getByText('Bright Smiles loses the number at once', { exact: false }).waitFor();
  await asked.getByRole('button', { name: 'End the lease' }).click();
  await page.getByText('The lease to Bright Smiles ended', { exact: false }).first().waitFor();
  await page.goto('/numbers');
  await page.getByRole('grid').getByText(offer!.formatted).waitFor();
  await be(lessee);
  await page.goto('/numbers');
  await page.getByText('No numbers yet').or(page.getByRole('heading', { level: 2 })).first().waitFor();
  expect(await page.getByText(offer!.formatted).count()).toBe(0);
  expect(troubles.filter((line) => !/401|404|favicon/.test(line))).toEqual([]);
}, 600_000);
