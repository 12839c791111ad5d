import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { marketplace as contract, numbers, routing } from '#contract';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';
import { systemCtx } from '../../platform/context.ts';
import { returnToCarrier } from '../numbers/remove-number.ts';
import { leaseEndDate, returnLeasedNumber } from './end-lease.ts';
import { safeCell } from './list-marketplace.ts';
import { unlistReleased } from './unlist-released.ts';

const app = await createTestApp();
let next = 3000;

/** A listed number of a new company: its own, or (`inventory`) one that is installed when somebody takes it. */
async function listed(more: { own?: boolean; patch?: object; number?: string } = {}) {
  const { company, owner } = await app.createCompany();
  const number = more.number ?? `+1800555${++next}`;
  let id: number;
  if (more.own) {
    const bought = await app.as(owner).request(numbers.buyNumbers, { body: { numbers: [number] } });
    const made = await app.as(owner).request(contract.listOnMarketplace, {
      body: {
        number_id: (bought.body.data as { id: number }[])[0]!.id,
        vanity_text: '800-555-DENT',
      },
    });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    id = made.body.data.id;
  } else {
    id = (
      await sql<{
        id: number;
      }>`insert into marketplace_number (company_id, number, category, area_code, vanity_text, words, legal_notice, created_at, updated_at) values (${company.id}, ${number}, 'toll_free', '800', '800-555-DENT', '{DENT}', 'Service only.', now(), now()) returning id`.execute(
        app.services.db.unscoped,
      )
    ).rows[0]!.id;
  }
  const put = await app.as(owner).request(contract.updateMarketplaceNumber, {
    params: { id },
    body: {
      status: 'listed',
      pricing: { monthly_cents: 9900, minimum_term_months: 6 },
      ...more.patch,
    },
  });
  expect(put.status, JSON.stringify(put.body)).toBe(200);
  return { id, number, owner, company };
}
const detail = async (owner: TestPerson, id: number) =>
  (await app.as(owner).request(contract.getMarketplaceNumber, { params: { id } })).body.data;
const reserve = (buyer: TestPerson, id: number) =>
  app.as(buyer).request(contract.reserveListing, { params: { id }, body: {} });

test('a reservation asked twice with one Idempotency-Key is made once, although it is made in the lister’s company', async () => {
  const { id } = await listed();
  const { owner: buyer } = await app.createCompany();
  const ask = () =>
    app.as(buyer).request(contract.reserveListing, {
      params: { id },
      body: {},
      headers: { 'idempotency-key': 'once' },
    });
  const first = await ask();
  expect(first.status, JSON.stringify(first.body)).toBe(200);
  const second = await ask();
  expect([second.status, second.headers['idempotency-replayed'], second.body]).toEqual([
    200,
    'true',
    first.body,
  ]);
});

describe('the lister', () => {
  test('lists an own number as a draft, prices it, and only then is it seen', async () => {
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
  test('moves only as A15 allows', async () => {
    const { id, owner } = await listed();
    const put = (status: string) =>
      app
        .as(owner)
        .request(contract.updateMarketplaceNumber, { params: { id }, body: { status } as never });
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
      (await app.as(roles.billing).request(contract.getMarketplaceNumber, { params: { id } }))
        .status,
    ).toBe(200);
    expect(
      (
        await app
          .as(roles.billing)
          .request(contract.updateMarketplaceNumber, { params: { id }, body: { notes: 'x' } })
      ).status,
    ).toBe(403);
    expect((await app.as(roles.user).request(contract.listMarketplaceNumbers, {})).status).toBe(
      403,
    );
  });
  test('finds its numbers by every filter and sort, and its figures are counted from rows', async () => {
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
  test('the report is CSV that no spreadsheet runs', async () => {
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
});

describe('buyers', () => {
  test('of two at the checkout at once one has it and the other is told', async () => {
    const { id, owner } = await listed();
    const buyers = await Promise.all(Array.from({ length: 6 }, () => app.createCompany()));
    const answers = await Promise.all(buyers.map((b) => reserve(b.owner, id)));
    expect(answers.map((a) => a.status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    expect(answers.find((a) => a.status === 409)!.body).toMatchObject({
      code: 'marketplace.taken',
    });
    expect((await detail(owner, id)).status).toBe('reserved');
    expect((await reserve(owner, id)).body).toMatchObject({ code: 'marketplace.own' });
    // Whoever has it reserved finds the way back to the checkout; the others see nothing.
    const seen = await Promise.all(
      buyers.map(async (b) =>
        (
          await app.as(b.owner).request(contract.marketplacePublic, { params: { id } })
        ).body.data.map((l) => l.available),
      ),
    );
    expect(seen).toEqual(answers.map((a) => (a.status === 200 ? [false] : [])));
  });
  test('a reservation runs out after 15 minutes; the next buyer may have it and the first may not end the checkout', async () => {
    const { id, owner } = await listed();
    const [first, second] = [(await app.createCompany()).owner, (await app.createCompany()).owner];
    await reserve(first, id);
    app.clock.advance(15 * 60 + 1);
    expect((await detail(owner, id)).status).toBe('listed');
    expect(
      (
        await app
          .as(first)
          .request(contract.leaseListing, { params: { id }, body: { term_months: 12 } })
      ).body,
    ).toMatchObject({ code: 'marketplace.taken' });
    expect((await reserve(second, id)).status).toBe(200);
  });
  test('leased inventory becomes a number of the buyer’s company', async () => {
    const { id, owner, number } = await listed();
    const buyer = (await app.createCompany('Bright Smiles')).owner;
    await reserve(buyer, id);
    expect(
      (
        await app
          .as(buyer)
          .request(contract.leaseListing, { params: { id }, body: { term_months: 3 } })
      ).body,
    ).toMatchObject({ errors: { term_months: ['Choose at least 6 months.'] } });
    expect(
      (
        await app
          .as(buyer)
          .request(contract.leaseListing, { params: { id }, body: { term_months: 12 } })
      ).body.data,
    ).toMatchObject({
      number,
      type: 'lease',
      monthly_cents: 9900,
      setup_cents: 0,
      term_months: 12,
    });
    await app.drainJobs();
    expect((await app.as(buyer).request(numbers.listNumbers, {})).body.data).toMatchObject([
      { number, status: 'active' },
    ]);
    expect(await detail(owner, id)).toMatchObject({
      status: 'leased',
      lessee_name: 'Bright Smiles',
      may_become: ['withdrawn'],
    });
    expect((await app.as(owner).request(contract.marketplaceKpi, {})).body.data).toMatchObject({
      leased: 1,
      monthly_revenue_cents: 9900,
      conversion_pct: 100,
    });
  });
  test('an own number passes from the lister’s company to the buyer’s', async () => {
    const { id, owner, number } = await listed({ own: true });
    await app.drainJobs();
    const buyer = (await app.createCompany()).owner;
    await reserve(buyer, id);
    expect(
      (
        await app
          .as(buyer)
          .request(contract.leaseListing, { params: { id }, body: { term_months: 12 } })
      ).status,
    ).toBe(200);
    await app.drainJobs();
    expect((await app.as(owner).request(numbers.listNumbers, {})).body.data).toEqual([]);
    expect((await app.as(buyer).request(numbers.listNumbers, {})).body.data).toMatchObject([
      { number },
    ]);
  });
  test('an accepted offer sets the price of the checkout; a declined one lets the number be listed again', async () => {
    const { id, owner } = await listed({
      patch: { pricing: { monthly_cents: 9900, minimum_offer_cents: 5000 } },
    });
    const buyer = (await app.createCompany()).owner;
    const offer = (amount_cents: number) =>
      app.as(buyer).request(contract.makeOffer, {
        params: { id },
        body: { amount_cents, term_months: 24, message: '' },
      });
    expect((await offer(4999)).status).toBe(422);
    const declined = (await offer(6000)).body.data;
    expect((await detail(owner, id)).status).toBe('under_offer');
    await app.as(owner).request(contract.decideOffer, {
      params: { id, offerId: declined.id },
      body: { decision: 'decline' },
    });
    expect((await detail(owner, id)).status).toBe('listed');
    const accepted = (await offer(7000)).body.data;
    await app.as(owner).request(contract.decideOffer, {
      params: { id, offerId: accepted.id },
      body: { decision: 'accept' },
    });
    expect((await reserve((await app.createCompany()).owner, id)).status).toBe(409);
    expect(
      (
        await app
          .as(buyer)
          .request(contract.leaseListing, { params: { id }, body: { term_months: 24 } })
      ).body.data,
    ).toMatchObject({ monthly_cents: 7000 });
    expect((await detail(owner, id)).offers.map((o) => o.status).sort()).toEqual([
      'accepted',
      'declined',
    ]);
    await app.drainJobs();
  });
  test('a number that asks for offers is taken only with an accepted one', async () => {
    const { id, owner } = await listed({
      own: true,
      patch: { pricing: { type: 'make_offer', minimum_offer_cents: 5000, minimum_term_months: 6 } },
    });
    const buyer = (await app.createCompany('Bright Smiles')).owner;
    expect((await reserve(buyer, id)).body).toMatchObject({
      code: 'marketplace.offer_needed',
      message: 'Make an offer first. You can lease this number once its owner accepts.',
    });
    expect(
      (
        await app
          .as(buyer)
          .request(contract.leaseListing, { params: { id }, body: { term_months: 6 } })
      ).body,
    ).toMatchObject({ code: 'marketplace.offer_needed' });
    const offer = (who: TestPerson, amount_cents: number, term_months = 6) =>
      app.as(who).request(contract.makeOffer, {
        params: { id },
        body: { amount_cents, term_months, message: 'Please' },
      });
    expect((await offer(buyer, 6000, 1)).body).toMatchObject({
      errors: { term_months: ['Offer at least 6 months.'] },
    });
    const loser = (await app.createCompany()).owner;
    await offer(loser, 5500);
    const { id: offerId } = (await offer(buyer, 6000)).body.data;
    // An offer for another listing of the same company decides nothing here.
    const other = await app.as(owner).request(contract.decideOffer, {
      params: { id: id + 1, offerId },
      body: { decision: 'accept' },
    });
    expect(other.status).toBe(404);
    await app
      .as(owner)
      .request(contract.decideOffer, { params: { id, offerId }, body: { decision: 'accept' } });
    expect((await reserve(buyer, id)).body.data.listing.pricing).toMatchObject({
      monthly_cents: 6000,
      minimum_term_months: 6,
    });
    expect(
      (await app.as(buyer).request(contract.leaseListing, { params: { id }, body: {} })).body.data,
    ).toMatchObject({ type: 'lease', monthly_cents: 6000, term_months: 6 });
    await app.drainJobs();
    // Whoever lost hears of it, and nothing stays open.
    const after = await detail(owner, id);
    expect(after.offers.map((o) => o.status).sort()).toEqual(['accepted', 'declined']);
    expect((await app.as(owner).request(contract.marketplaceKpi, {})).body.data.offers_open).toBe(
      0,
    );
    const subjects = async (who: TestPerson) =>
      (await app.mails(who.email)).map((m) => m.subject.replace(/800-555-DENT \(.*\)/, 'it'));
    expect(await subjects(loser)).toEqual(['it is no longer available']);
    expect(await subjects(buyer)).toEqual([
      'Your offer for it was accepted',
      'it is now one of your numbers',
    ]);
    expect(await subjects(owner)).toEqual(['Offer for it', 'Offer for it', 'it was leased']);
    expect((await app.mails(owner.email))[1]!.text).toContain('offers $60 a month for 6 months');
  });
  test('an accepted offer holds for its reservation only: later the listing’s price counts again', async () => {
    const { id, owner } = await listed();
    const buyer = (await app.createCompany()).owner;
    const { id: offerId } = (
      await app.as(buyer).request(contract.makeOffer, {
        params: { id },
        body: { amount_cents: 6000, term_months: 6, message: '' },
      })
    ).body.data;
    await app
      .as(owner)
      .request(contract.decideOffer, { params: { id, offerId }, body: { decision: 'accept' } });
    app.clock.advance(24 * 3600 + 1);
    expect((await reserve(buyer, id)).body.data.listing.pricing.monthly_cents).toBe(9900);
    expect(
      (
        await app
          .as(buyer)
          .request(contract.leaseListing, { params: { id }, body: { term_months: 6 } })
      ).body.data,
    ).toMatchObject({ monthly_cents: 9900 });
    expect((await detail(owner, id)).offers.map((o) => o.status)).toEqual(['expired']);
  });
  test('its lister carries out an accepted offer, and nobody at the checkout is leased anything by hand', async () => {
    const { id, owner, number } = await listed({ own: true });
    const buyer = (await app.createCompany()).owner;
    const put = () =>
      app
        .as(owner)
        .request(contract.updateMarketplaceNumber, { params: { id }, body: { status: 'leased' } });
    await reserve(buyer, id);
    expect((await detail(owner, id)).may_become).toEqual(['listed', 'withdrawn']);
    expect((await put()).status).toBe(409);
    await app
      .as(owner)
      .request(contract.updateMarketplaceNumber, { params: { id }, body: { status: 'listed' } });
    const { id: offerId } = (
      await app.as(buyer).request(contract.makeOffer, {
        params: { id },
        body: { amount_cents: 7000, term_months: 12, message: '' },
      })
    ).body.data;
    await app
      .as(owner)
      .request(contract.decideOffer, { params: { id, offerId }, body: { decision: 'accept' } });
    expect((await put()).body.data).toMatchObject({
      status: 'leased',
      lease_monthly_cents: 7000,
      lease_term_months: 12,
    });
    expect((await app.as(buyer).request(numbers.listNumbers, {})).body.data).toMatchObject([
      { number },
    ]);
  });
  test('an assignment is no lease: paid once, it never comes back and its lister can end nothing', async () => {
    const { id, owner, number } = await listed({
      own: true,
      patch: { pricing: { type: 'assignment', setup_cents: 500_000 } },
    });
    const buyer = (await app.createCompany('Bright Smiles')).owner;
    expect(
      (
        await app.as(buyer).request(contract.makeOffer, {
          params: { id },
          body: { amount_cents: 6000, term_months: 12, message: '' },
        })
      ).body,
    ).toMatchObject({ code: 'marketplace.fixed_price' });
    await reserve(buyer, id);
    expect(
      (await app.as(buyer).request(contract.leaseListing, { params: { id }, body: {} })).body.data,
    ).toEqual({
      number,
      type: 'assignment',
      monthly_cents: 0,
      setup_cents: 500_000,
      term_months: null,
      ends_at: null,
    });
    expect(await detail(owner, id)).toMatchObject({
      status: 'withdrawn',
      assigned_to: 'Bright Smiles',
      lease_ends_at: null,
      lessee_company_id: null,
      may_become: [],
    });
    expect(
      (await app.as(owner).request(contract.endLease, { params: { id }, body: {} })).body,
    ).toMatchObject({ code: 'marketplace.not_now' });
    const [held] = (await app.as(buyer).request(numbers.listNumbers, {})).body.data;
    expect(
      (await app.as(buyer).request(routing.getNumber, { params: { id: held!.id } })).body.data
        .lease,
    ).toBeNull();
    expect((await detail(owner, id)).timeline[0]!.text).toBe(
      'Assigned to Bright Smiles for $5,000 once.',
    );
    expect((await app.as(owner).request(contract.marketplaceKpi, {})).body.data).toMatchObject({
      withdrawn: 0,
      leased: 0,
      conversion_pct: 100,
    });
    // It is the buyer's to offer.
    expect(
      (await app.as(buyer).request(contract.listOnMarketplace, { body: { number_id: held!.id } }))
        .status,
    ).toBe(201);
  });
  test('a number that is being released cannot be taken, and whoever offered for it is told', async () => {
    const { id, owner } = await listed({ own: true });
    const buyer = (await app.createCompany()).owner;
    await app.as(buyer).request(contract.makeOffer, {
      params: { id },
      body: { amount_cents: 9000, term_months: 6, message: '' },
    });
    await app.stopJobs();
    const { number_id } = await detail(owner, id);
    expect(
      (
        await app
          .as(owner)
          .request(numbers.removeNumber, { params: { id: number_id! }, body: { undo: false } })
      ).status,
    ).toBe(200);
    // At once, although the listing itself becomes a draft only by the event.
    expect((await reserve(buyer, id)).body).toMatchObject({ code: 'marketplace.taken' });
    await app.drainJobs();
    expect(await detail(owner, id)).toMatchObject({
      status: 'draft',
      offers: [{ status: 'declined' }],
    });
    expect((await detail(owner, id)).timeline[0]).toMatchObject({
      text: 'Unlisted because the number is being released.',
      by: expect.stringMatching(/^owner /),
    });
    expect((await reserve(buyer, id)).body).toMatchObject({ code: 'marketplace.taken' });
    expect(
      (
        await app
          .as(owner)
          .request(contract.updateMarketplaceNumber, { params: { id }, body: { status: 'listed' } })
      ).body,
    ).toMatchObject({
      errors: { status: ['This number isn’t in use. Only an active number can be listed.'] },
    });
  });
  test('a release reported late leaves a listing that was listed again since', async () => {
    const { id, owner, number } = await listed({ own: true });
    const numberId = (await detail(owner, id)).number_id!;
    const releasingAt = app.clock.value.toISOString();
    app.clock.advance(60);
    for (const status of ['draft', 'listed'] as const)
      await app
        .as(owner)
        .request(contract.updateMarketplaceNumber, { params: { id }, body: { status } });
    await systemCtx(app.services, owner.companyId, app.notifier).transaction((t) =>
      unlistReleased(t, {
        companyId: owner.companyId,
        numberId,
        number,
        releasingAt,
        returnsAt: releasingAt,
        reason: null,
        by: null,
      }),
    );
    expect((await detail(owner, id)).status).toBe('listed');
  });
  test('a question about a reserved number is answered with why', async () => {
    const { id } = await listed();
    await reserve((await app.createCompany()).owner, id);
    expect(
      (
        await app
          .as((await app.createCompany()).owner)
          .request(contract.inquireListing, { params: { id }, body: { message: 'Free?' } })
      ).body,
    ).toMatchObject({
      code: 'marketplace.not_now',
      message: 'You can’t do this while the number is reserved.',
    });
  });
  test('the public list holds what is on offer, of every company, and nothing else', async () => {
    const a = await listed();
    const b = await listed();
    await app.as(b.owner).request(contract.updateMarketplaceNumber, {
      params: { id: b.id },
      body: { status: 'draft' },
    });
    const visitor = (await app.createCompany()).owner;
    const ids = (
      await app.as(visitor).request(contract.listListings, { query: { perPage: 100 } })
    ).body.data.map((l) => l.id);
    expect(ids).toContain(a.id);
    expect(ids).not.toContain(b.id);
  });
});

describe('the end of a lease', () => {
  const lease = async (own: boolean) => {
    const item = await listed({ own });
    await app.drainJobs();
    const buyer = (await app.createCompany('Bright Smiles')).owner;
    await reserve(buyer, item.id);
    expect(
      (
        await app
          .as(buyer)
          .request(contract.leaseListing, { params: { id: item.id }, body: { term_months: 6 } })
      ).status,
    ).toBe(200);
    await app.drainJobs();
    const [held] = (await app.as(buyer).request(numbers.listNumbers, {})).body.data;
    return { ...item, buyer, held: held! };
  };
  const owned = async (who: TestPerson) =>
    (await app.as(who).request(numbers.listNumbers, {})).body.data.map((n) => [n.number, n.status]);
  const toDaysBefore = async (owner: TestPerson, id: number, days: number) => {
    app.clock.value = new Date(
      new Date((await detail(owner, id)).lease_ends_at!).getTime() - days * 86_400_000 + 1000,
    );
  };
  const subjects = async (who: TestPerson) => (await app.mails(who.email)).map((m) => m.subject);
  const clock = async () => {
    await app.services.db.systemTransaction((tx) =>
      sql`select enqueue_job('marketplace.endLeases', '{}'::json, null, null, 3, null, null)`.execute(
        tx,
      ),
    );
    await app.drainJobs();
  };

  test('at the end of its term an own number is the lister’s again, with what it had, and a draft on the marketplace', async () => {
    const { id, owner, number, buyer, held } = await lease(true);
    expect(
      (await app.as(buyer).request(routing.getNumber, { params: { id: held.id } })).body.data.lease,
    ).toEqual({
      listing_id: id,
      ends_at: (await detail(owner, id)).lease_ends_at,
      monthly_cents: 9900,
      term_months: 6,
      notice_at: null,
      renewable: false,
    });
    await clock();
    expect(await owned(buyer)).toEqual([[number, 'active']]); // not a day early
    const back = new Date((await detail(owner, id)).lease_ends_at!);
    app.clock.advance((back.getTime() - app.clock.value.getTime()) / 1000 + 1);
    await clock();
    await clock();
    expect([await owned(buyer), await owned(owner)]).toEqual([[], [[number, 'active']]]);
    const after = await detail(owner, id);
    expect(after).toMatchObject({ status: 'draft', lessee_name: null, lease_ends_at: null });
    expect(
      after.timeline.filter((e) => e.text.startsWith('The lease to Bright Smiles ended')),
    ).toHaveLength(1);
  });
  test('its lister can only give notice: the lessee keeps the number to the end of the term, is told, and cannot renew', async () => {
    const { id, owner, number, buyer, held } = await lease(true);
    expect(
      (await app.as(buyer).request(contract.endLease, { params: { id }, body: {} })).status,
    ).toBe(404);
    for (let twice = 0; twice < 2; twice++)
      expect(
        (await app.as(owner).request(contract.endLease, { params: { id }, body: {} })).body.data,
      ).toMatchObject({ status: 'leased', lease_notice_at: expect.any(String) });
    await app.drainJobs();
    expect([await owned(buyer), await owned(owner)]).toEqual([[[number, 'active']], []]);
    expect((await subjects(buyer)).filter((s) => s.includes('will not be renewed'))).toHaveLength(
      1,
    );
    // A leased listing has no page for its lessee: the mail leads to their own number.
    expect(
      (await app.mails(buyer.email)).find((m) => m.subject.includes('will not be renewed'))?.text,
    ).toContain('/numbers?search=%2B1');
    await toDaysBefore(owner, id, 10);
    expect(
      (await app.as(buyer).request(contract.renewLease, { params: { id }, body: {} })).body,
    ).toMatchObject({ code: 'marketplace.not_renewed' });
    expect(
      (await app.as(buyer).request(routing.getNumber, { params: { id: held.id } })).body.data.lease,
    ).toMatchObject({ renewable: false, notice_at: expect.any(String) });
    await toDaysBefore(owner, id, 0);
    await clock();
    expect([await owned(buyer), await owned(owner)]).toEqual([[], [[number, 'active']]]);
    expect(
      (await app.as(owner).request(contract.endLease, { params: { id }, body: {} })).body,
    ).toMatchObject({ code: 'marketplace.not_now' });
    // It can be leased again.
    await app
      .as(owner)
      .request(contract.updateMarketplaceNumber, { params: { id }, body: { status: 'listed' } });
    expect((await reserve((await app.createCompany()).owner, id)).status).toBe(200);
  });
  test('its lessee renews in the last 60 days: same term, same price, whatever the listing says now; both are told before it ends', async () => {
    const { id, owner, buyer, held } = await lease(true);
    const renew = (who = buyer) =>
      app.as(who).request(contract.renewLease, { params: { id }, body: {} });
    const early = await renew();
    expect(early.body).toMatchObject({
      code: 'marketplace.renewal_early',
      message: expect.stringMatching(/^This lease can be renewed starting \w+ \d+, 20\d\d\.$/),
    });
    expect((await renew((await app.createCompany()).owner)).status).toBe(404);
    await app.as(owner).request(contract.updateMarketplaceNumber, {
      params: { id },
      body: { pricing: { monthly_cents: 99_900 } },
    });
    await toDaysBefore(owner, id, 29);
    await clock();
    await clock();
    const ending = (who: TestPerson) =>
      subjects(who).then((all) =>
        all.filter((s) => s.startsWith('The lease of') || s.startsWith('Your lease of')),
      );
    expect([await ending(owner), await ending(buyer)]).toEqual([
      [expect.stringContaining('ends')],
      [expect.stringContaining('ends')],
    ]);
    const before = new Date((await detail(owner, id)).lease_ends_at!);
    const renewed = await renew();
    expect(renewed.body.data).toMatchObject({
      monthly_cents: 9900,
      term_months: 6,
      ends_at: leaseEndDate(before, 6).toISOString(),
    });
    expect(await detail(owner, id)).toMatchObject({
      status: 'leased',
      lease_ends_at: renewed.body.data.ends_at,
      lease_monthly_cents: 9900,
    });
    expect(
      (await app.as(buyer).request(routing.getNumber, { params: { id: held.id } })).body.data.lease,
    ).toMatchObject({ ends_at: renewed.body.data.ends_at, monthly_cents: 9900, renewable: false });
    await app.drainJobs();
    expect(await subjects(owner)).toContainEqual(expect.stringContaining('was renewed'));
    app.clock.value = new Date(before.getTime() + 1000);
    await clock();
    expect((await owned(buyer)).length).toBe(1);
  });
  test('a lessee cannot offer the number to others, and keeps it while its owner withdraws the listing: that waits for the end', async () => {
    const { id, owner, number, buyer, held } = await lease(true);
    expect(
      (await app.as(buyer).request(contract.listOnMarketplace, { body: { number_id: held.id } }))
        .body,
    ).toMatchObject({ code: 'marketplace.leased_to_you' });
    const withdrawn = await app
      .as(owner)
      .request(contract.updateMarketplaceNumber, { params: { id }, body: { status: 'withdrawn' } });
    expect(withdrawn.body.data).toMatchObject({
      status: 'leased',
      withdraws_at_end: true,
      lease_notice_at: expect.any(String),
      may_become: [],
    });
    expect(await owned(buyer)).toEqual([[number, 'active']]);
    await toDaysBefore(owner, id, 0);
    await clock();
    expect([await owned(buyer), await owned(owner), (await detail(owner, id)).status]).toEqual([
      [],
      [[number, 'active']],
      'withdrawn',
    ]);
  });
  test('leased and withdrawn at the same moment, the number is with one of the two companies', async () => {
    for (let round = 0; round < 4; round++) {
      const { id, owner, number } = await listed({ own: true });
      const buyer = (await app.createCompany()).owner;
      await reserve(buyer, id);
      const [leased] = await Promise.all([
        app.as(buyer).request(contract.leaseListing, { params: { id }, body: { term_months: 6 } }),
        app.as(owner).request(contract.updateMarketplaceNumber, {
          params: { id },
          body: { status: 'withdrawn' },
        }),
      ]);
      await app.drainJobs();
      const mine = [[number, 'active']];
      expect([await owned(buyer), await owned(owner), (await detail(owner, id)).status]).toEqual(
        leased.status === 200 ? [mine, [], 'leased'] : [[], mine, 'withdrawn'],
      );
    }
  });
  test('a lessee who releases the number gives it back to its lister, not to the carrier', async () => {
    const { id, owner, number, buyer, held } = await lease(true);
    expect(
      (
        await app
          .as(buyer)
          .request(numbers.removeNumber, { params: { id: held.id }, body: { undo: false } })
      ).status,
    ).toBe(200);
    app.clock.advance(72 * 3600 + 1);
    await app.stopJobs();
    // What the queue does once the three days are over; twice is once.
    for (let twice = 0; twice < 2; twice++)
      await returnToCarrier(systemCtx(app.services, buyer.companyId, app.notifier), {
        numberId: held.id,
      });
    expect([await owned(buyer), await owned(owner), (await detail(owner, id)).status]).toEqual([
      [[number, 'releasing']],
      [],
      'leased',
    ]);
    await app.drainJobs();
    expect([await owned(buyer), await owned(owner), (await detail(owner, id)).status]).toEqual([
      [],
      [[number, 'active']],
      'draft',
    ]);
  });
  test('a return reported again later does not end the next lease', async () => {
    const first = await lease(true);
    await toDaysBefore(first.owner, first.id, 0);
    await clock();
    await app.as(first.owner).request(contract.updateMarketplaceNumber, {
      params: { id: first.id },
      body: { status: 'listed' },
    });
    await reserve(first.buyer, first.id);
    expect(
      (
        await app
          .as(first.buyer)
          .request(contract.leaseListing, { params: { id: first.id }, body: { term_months: 6 } })
      ).status,
    ).toBe(200);
    await systemCtx(app.services, first.buyer.companyId, app.notifier).transaction((t) =>
      returnLeasedNumber(t, {
        companyId: first.buyer.companyId,
        numberId: first.held.id,
        number: first.number,
        listingId: first.id,
      }),
    );
    expect([await owned(first.buyer), (await detail(first.owner, first.id)).status]).toEqual([
      [[first.number, 'active']],
      'leased',
    ]);
  });
  test('inventory leaves the lessee at the end and can be leased by somebody else', async () => {
    const { id, owner, buyer } = await lease(false);
    await toDaysBefore(owner, id, 0);
    await clock();
    expect([await owned(buyer), (await detail(owner, id)).status]).toEqual([[], 'draft']);
    await app
      .as(owner)
      .request(contract.updateMarketplaceNumber, { params: { id }, body: { status: 'listed' } });
    expect((await reserve((await app.createCompany()).owner, id)).status).toBe(200);
  });
  test('calls are counted where they came in, wrong numbers among them, and only thirty days back', async () => {
    const { id, owner } = await listed({ own: true });
    await app.drainJobs();
    const { number_id } = await detail(owner, id);
    const call = (daysAgo: number, after: object, type = 'call') =>
      app.services.db.systemTransaction((tx) =>
        tx
          .insertInto('number_event')
          .values({
            company_id: owner.companyId,
            number_id: number_id!,
            at: new Date(app.clock.value.getTime() - daysAgo * 86_400_000),
            type,
            actor_type: 'system',
            actor_id: null,
            actor_name: '',
            summary: '',
            before: null,
            after: JSON.stringify(after),
            source: null,
          })
          .execute(),
      );
    await call(1, { outcome: 1, talkSeconds: 120, outbound: false });
    await call(2, { outcome: 1, talkSeconds: 4, outbound: false });
    await call(3, { outcome: 2, talkSeconds: 0, outbound: false });
    await call(4, { outcome: 1, talkSeconds: 60, outbound: true });
    await call(5, { outcome: 4, talkSeconds: 0, outbound: false }, 'blocked_call');
    await call(31, { outcome: 1, talkSeconds: 60, outbound: false });
    expect(await detail(owner, id)).toMatchObject({ calls_30d: 3, misdials_30d: 1 });
  });
});
