import { expect, test } from 'vitest';
import { marketplace as contract, numbers, routing } from '#contract';
import { marketplaceOf } from '../../../test/support/marketplace.ts';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';
import { systemCtx } from '../../platform/context.ts';
import { unlistReleased } from './unlist-released.ts';

const app = await createTestApp();
const { listed, detail, reserve } = marketplaceOf(app);

test('repeating a reservation with the same Idempotency-Key reserves once, although it is stored with the lister', async () => {
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

test('of two concurrent buyers one reserves the listing, and the other gets an error', async () => {
  const { id, owner } = await listed();
  const buyers = await Promise.all(Array.from({ length: 6 }, () => app.createCompany()));
  const answers = await Promise.all(buyers.map((b) => reserve(b.owner, id)));
  expect(answers.map((a) => a.status).sort()).toEqual([200, 409, 409, 409, 409, 409]);
  expect(answers.find((a) => a.status === 409)!.body).toMatchObject({
    code: 'marketplace.taken',
  });
  expect((await detail(owner, id)).status).toBe('reserved');
  expect((await reserve(owner, id)).body).toMatchObject({ code: 'marketplace.own' });
  // The company with the reservation can return to the checkout; others see nothing.
  const seen = await Promise.all(
    buyers.map(async (b) =>
      (await app.as(b.owner).request(contract.marketplacePublic, { params: { id } })).body.data.map(
        (l) => l.available,
      ),
    ),
  );
  expect(seen).toEqual(answers.map((a) => (a.status === 200 ? [false] : [])));
});
test('a reservation expires after 15 minutes: another buyer may reserve, and the first can’t check out', async () => {
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
test('a number of the lister becomes a number of the buyer’s company', async () => {
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
test('an accepted offer sets the checkout’s price, and a declined one lets the number be listed again', async () => {
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
test('a listing that takes offers is sold only with an accepted one', async () => {
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
  // An offer for another listing of the same company has no effect here.
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
  // The other buyers are notified, and no offer stays open.
  const after = await detail(owner, id);
  expect(after.offers.map((o) => o.status).sort()).toEqual(['accepted', 'declined']);
  expect((await app.as(owner).request(contract.marketplaceKpi, {})).body.data.offers_open).toBe(0);
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
test('an accepted offer’s price applies to its reservation only', async () => {
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
test('the lister can complete an accepted offer, but not a checkout without one', async () => {
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
test('an assignment is paid once, never returns, and can’t be ended by its lister', async () => {
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
    (await app.as(buyer).request(routing.getNumber, { params: { id: held!.id } })).body.data.lease,
  ).toBeNull();
  expect((await detail(owner, id)).timeline[0]!.text).toBe(
    'Assigned to Bright Smiles for $5,000 once.',
  );
  expect((await app.as(owner).request(contract.marketplaceKpi, {})).body.data).toMatchObject({
    withdrawn: 0,
    leased: 0,
    conversion_pct: 100,
  });
  // The buyer may offer it.
  expect(
    (await app.as(buyer).request(contract.listOnMarketplace, { body: { number_id: held!.id } }))
      .status,
  ).toBe(201);
});
test('a number being released can’t be taken, and buyers with offers are notified', async () => {
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
  // Immediately, although the listing becomes a draft only by the event.
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
test('a late release event leaves a listing that was listed again', async () => {
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
test('an inquiry about a reserved number fails with the reason', async () => {
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
test('the public list has the available listings of every company and no others', async () => {
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
