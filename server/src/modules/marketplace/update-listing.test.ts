import { expect, test } from 'vitest';
import { marketplace as contract, numbers, type BodyIn } from '#contract';
import { marketplaceOf } from '../../../test/support/marketplace.ts';
import { createTestApp } from '../../../test/support/test-app.ts';
import { safeCell } from './list-marketplace.ts';

const app = await createTestApp();
const { listed, detail } = marketplaceOf(app);

test('a company’s number is listed as a draft and is visible only once it has a price', async () => {
  const { company, owner } = await app.createCompany();
  const bought = await app
    .as(owner)
    .request(numbers.buyNumbers, { body: { numbers: ['+18005552001'] } });
  const numberId = (bought.body.data as { id: number }[])[0]!.id;
  const made = await app.as(owner).request(contract.listOnMarketplace, {
    body: { number_id: numberId, vanity_text: '800-555-CARS' },
  });
  expect(made.body.data).toMatchObject({
    status: 'draft',
    words: ['CARS'],
    category: 'toll_free',
    number_id: numberId,
    may_become: ['listed', 'withdrawn'],
  });
  expect(made.body.data.legal_notice).toMatch(/public resource/);
  expect(
    (await app.as(owner).request(contract.listOnMarketplace, { body: { number_id: numberId } }))
      .body,
  ).toMatchObject({ code: 'marketplace.exists' });
  const { id } = made.body.data;
  expect(
    (
      await app
        .as(owner)
        .request(contract.updateMarketplaceNumber, { params: { id }, body: { status: 'listed' } })
    ).body,
  ).toMatchObject({ errors: { 'pricing.monthly_cents': ['Enter a monthly price.'] } });
  expect(
    (
      await app.as(owner).request(contract.updateMarketplaceNumber, {
        params: { id },
        body: { description: 'For sale now' },
      })
    ).body,
  ).toMatchObject({ errors: { description: [expect.stringContaining('not sold')] } });
  expect(
    (await app.as(null).request(contract.marketplacePublic, { params: { id } })).body.data,
  ).toEqual([]);
  expect(
    (
      await app.as(owner).request(contract.updateMarketplaceNumber, {
        params: { id },
        body: {
          status: 'listed',
          pricing: { monthly_cents: 4900 },
          notes: 'floor 40',
          contact_email: 'me@lister.test',
        },
      })
    ).body.data,
  ).toMatchObject({ status: 'listed', listed_at: expect.any(String) });
  const seen = (await app.as(null).request(contract.marketplacePublic, { params: { id } })).body
    .data[0]!;
  expect(seen).toMatchObject({ pricing: { monthly_cents: 4900 }, available: true });
  for (const internal of [
    'notes',
    'contact_email',
    'views',
    'inquiries',
    'status',
    'lessee_company_id',
    'respOrg',
    'partner_name',
    'number_id',
  ])
    expect(seen).not.toHaveProperty(internal);
  expect(JSON.stringify(seen)).not.toContain('minimum_offer');
  expect(company.id).toBe(owner.companyId);
});
test('the status changes only as A15 allows', async () => {
  const { id, owner } = await listed();
  type Change = BodyIn<typeof contract.updateMarketplaceNumber>;
  const put = (status: NonNullable<Change['status']>) =>
    app.as(owner).request(contract.updateMarketplaceNumber, { params: { id }, body: { status } });
  expect((await put('leased')).body).toMatchObject({
    status: 409,
    message: 'You can’t do this while the number is listed.',
  });
  expect((await put('draft')).body.data.status).toBe('draft');
  expect((await put('withdrawn')).body.data.status).toBe('withdrawn');
  expect((await put('listed')).status).toBe(409);
  const roles = {
    billing: await app.createPerson(owner.companyId, 'billing'),
    user: await app.createPerson(owner.companyId, 'user'),
  };
  expect(
    (await app.as(roles.billing).request(contract.getMarketplaceNumber, { params: { id } })).status,
  ).toBe(200);
  expect(
    (
      await app
        .as(roles.billing)
        .request(contract.updateMarketplaceNumber, { params: { id }, body: { notes: 'x' } })
    ).status,
  ).toBe(403);
  expect((await app.as(roles.user).request(contract.listMarketplaceNumbers, {})).status).toBe(403);
});
test('listings are found by every filter and sort, and figures are counted from rows', async () => {
  const { owner, id } = await listed({
    patch: { tier: 'premium', industries: ['healthcare'], words: ['DENT'] },
  });
  const find = async (query: object) =>
    (await app.as(owner).request(contract.listMarketplaceNumbers, { query: query })).body.meta
      .total;
  for (const query of [
    { status: 'listed' },
    { tier: 'premium' },
    { category: 'toll_free' },
    { area: '800' },
    { words: 'dent' },
    { price_from: 9900, price_to: 9900 },
    { industry: 'healthcare' },
    { search: 'DENT' },
    { sort: 'price' },
    { sort: 'views', dir: 'desc' },
    { sort: 'listed_at' },
  ])
    expect(await find(query), JSON.stringify(query)).toBe(1);
  for (const query of [
    { status: 'draft' },
    { tier: 'exclusive' },
    { category: 'local' },
    { area: '212' },
    { words: 'cars' },
    { price_from: 9901 },
    { price_to: 9899 },
    { industry: 'legal' },
  ])
    expect(await find(query), JSON.stringify(query)).toBe(0);
  const { owner: visitor } = await app.createCompany();
  for (let i = 0; i < 3; i++)
    await app.as(visitor).request(contract.marketplacePublic, { params: { id } });
  await app.as(owner).request(contract.marketplacePublic, { params: { id } });
  await app
    .as(visitor)
    .request(contract.inquireListing, { params: { id }, body: { message: 'Is it free?' } });
  expect((await app.as(owner).request(contract.marketplaceKpi, {})).body.data).toMatchObject({
    listed: 1,
    views_30d: 1,
    inquiries_30d: 1,
    offers_open: 0,
    conversion_pct: 0,
    change: { views_pct: null },
  });
  expect(await detail(owner, id)).toMatchObject({
    views: 1,
    inquiries: 1,
    inquiry_list: [{ message: 'Is it free?' }],
  });
});
test('the report is CSV without formulas', async () => {
  const { owner, number } = await listed({ patch: { vanity_text: '=cmd|1' } });
  const report = await app.as(owner).inject({
    method: 'GET',
    url: `/api/marketplace-numbers/report?companyId=${owner.companyId}`,
  });
  expect(report.headers['content-type']).toContain('text/csv');
  expect(report.headers['content-disposition']).toContain('attachment');
  const lines = String(report.body).split('\r\n');
  expect(lines[0]).toBe(
    'number,vanity,tier,status,price,views,inquiries,offers,leased_to,listed_at,leased_at,revenue',
  );
  expect(lines[1]).toMatch(new RegExp(`^\\${number},'=cmd\\|1,standard,listed,99\\.00,0,0,0,,`));
  expect(['=1', '+cmd', '-2', '@x', '\tx', '+15', 'plain'].map(safeCell)).toEqual([
    "'=1",
    "'+cmd",
    "'-2",
    "'@x",
    "'\tx",
    '+15',
    'plain',
  ]);
});
