import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { marketplace as contract, numbers, routing } from '#contract';
import { marketplaceOf } from '../../../test/support/marketplace.ts';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';
import { systemCtx } from '../../platform/context.ts';
import { returnToCarrier } from '../numbers/remove-number.ts';
import { leaseEndDate, returnLeasedNumber } from './end-lease.ts';

const app = await createTestApp();
const { listed, detail, reserve } = marketplaceOf(app);

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

test('at the end of its term a number returns to its lister with its settings and becomes a draft listing', async () => {
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
test('notice by the lister keeps the lessee’s number until the term ends, notifies the lessee, and prevents renewal', async () => {
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
  expect((await subjects(buyer)).filter((s) => s.includes('will not be renewed'))).toHaveLength(1);
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
test('a lessee renews in the last 60 days at the same term and price, and both are reminded before the end', async () => {
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
test('a lessee can’t list the number, and keeps it until the term ends when its owner withdraws the listing', async () => {
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
test('a lease concurrent with a withdrawal leaves the number with exactly one company', async () => {
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
test('a lessee’s release returns the number to its lister, not to the carrier', async () => {
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
  // Job after the 72 hours; running it twice changes nothing.
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
test('a repeated return event doesn’t end the next lease', async () => {
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
test('leased inventory leaves the lessee at the end and can be leased again', async () => {
  const { id, owner, buyer } = await lease(false);
  await toDaysBefore(owner, id, 0);
  await clock();
  expect([await owned(buyer), (await detail(owner, id)).status]).toEqual([[], 'draft']);
  await app
    .as(owner)
    .request(contract.updateMarketplaceNumber, { params: { id }, body: { status: 'listed' } });
  expect((await reserve((await app.createCompany()).owner, id)).status).toBe(200);
});
test('calls are counted for the company that received them, with wrong numbers, for 30 days', async () => {
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
