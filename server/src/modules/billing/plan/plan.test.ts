import { describe, expect, test } from 'vitest';
import { billing, subscription } from '#contract';
import { plans, type PlanId } from '#contract/billing/rules';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { systemCtx } from '../../../platform/context.ts';
import { balanceOf } from '../ledger/store-ledger.ts';
import { startDuePeriods } from '../jobs.ts';
import { startYearlyOffers } from '../offers/offers.ts';
import { quoteChange } from './quote.ts';

const app = await createTestApp({ clock: 'still' });
const of = (person: TestPerson) => ({ params: { companyId: person.companyId } });
const system = (companyId: number) => systemCtx(app.services, companyId, app.notifier);
const migrate = (who: TestPerson, identifier: PlanId) =>
  app.as(who).request(subscription.migrateSubscription, { ...of(who), body: { identifier } });
const preview = (who: TestPerson, identifier: PlanId) =>
  app.as(who).request(subscription.previewMigration, { ...of(who), body: { identifier } });
const now = async (who: TestPerson) =>
  (await app.as(who).request(subscription.getSubscription, of(who))).body.data;
const invoices = async (who: TestPerson) =>
  (await app.as(who).request(subscription.listInvoices, of(who))).body.data;
const cancel = (who: TestPerson, more: { downsell_plan?: PlanId } = {}) =>
  app
    .as(who)
    .request(subscription.cancelSubscription, { ...of(who), body: { reason: 'unused', ...more } });
const card = (who: TestPerson, number = '4242424242424242') =>
  app.as(who).request(billing.updateCompanyBilling, {
    ...of(who),
    body: { cc_number: number, cc_exp: '09/39', cc_cvc: '123' },
  });
const later = async (days: number) => {
  app.clock.advance(days * 86_400);
  await startDuePeriods(system(0));
  await app.drainJobs();
};
const uses = (who: TestPerson, cause: string, minutes: number) =>
  app.services.db.systemTransaction((tx) =>
    tx
      .insertInto('usage_entry')
      .values({
        ...{ company_id: who.companyId, component: 'voice_minutes', cause },
        ...{ quantity: minutes, at: app.clock.value },
      })
      .execute(),
  );
const used = async (who: TestPerson) =>
  (await app.as(who).request(subscription.usageSimple, of(who))).body.data;
/** A company in the first paid period of a plan. */
async function paying(plan: PlanId) {
  const { owner } = await app.createCompany();
  await card(owner);
  await migrate(owner, plan);
  await later(14);
  expect(await now(owner)).toMatchObject({
    state: 'active',
    balance_cents: 0,
    trial_ends_at: null,
  });
  return owner;
}

describe('buying', () => {
  test('the first plan begins with a trial, free and without a card', async () => {
    const { owner } = await app.createCompany();
    const bought = await migrate(owner, 'premium_monthly');
    expect(bought.body).toMatchObject({
      data: { state: 'active', plan: { identifier: 'premium_monthly' }, balance_cents: 0 },
      meta: { payment: { state: 'none', message: 'Your trial of Premium begins.' } },
    });
    expect(bought.body.data.trial_ends_at).toBe(bought.body.data.next_charge_at);
    expect(await invoices(owner)).toEqual([]);
  });

  test('a plan after one that ended has no trial: it needs a card and is charged at once', async () => {
    const owner = await paying('starter');
    await cancel(owner);
    await later(31);
    expect((await now(owner)).state).toBe('expired');
    const again = await migrate(owner, 'unlimited_monthly');
    expect(again.body.meta.payment).toMatchObject({ state: 'paid' });
    expect(again.body.data).toMatchObject({ state: 'active', trial_ends_at: null });
    expect((await invoices(owner))[0]).toMatchObject({ total_cents: 3900, status: 'paid' });
  });

  test('the legacy plan isn’t sold, the same plan isn’t bought twice', async () => {
    const { owner } = await app.createCompany();
    expect((await migrate(owner, 'unlimited')).status).toBe(422);
    await migrate(owner, 'starter');
    expect(await migrate(owner, 'starter')).toMatchObject({
      status: 409,
      body: { code: 'subscription.same_plan' },
    });
  });
});

describe('a plan paid by the year', () => {
  test('includes its minutes each month, and invoices each month what was used beyond', async () => {
    const owner = await paying('unlimited_yearly');
    const began = await now(owner);
    await uses(owner, 'first month', 5100);
    expect(await used(owner)).toMatchObject({
      voice_minutes: { used: 5100, included: 5000 },
      estimated_total_cents: 400,
    });
    await later(31);
    const [first, ...older] = await invoices(owner);
    expect(first).toMatchObject({
      ...{ total_cents: 400, status: 'paid', period: { start: began.current_period_start } },
      lines: [{ kind: 'usage', quantity: 100, amount_cents: 400 }],
    });
    expect(older).toHaveLength(1);
    expect(await now(owner)).toMatchObject({
      current_period_end: began.current_period_end,
      next_charge_cents: 39_600,
    });
    await uses(owner, 'second month', 5000);
    expect(await used(owner)).toMatchObject({
      voice_minutes: { used: 5000 },
      estimated_total_cents: 0,
    });
    await later(31);
    expect(await invoices(owner)).toHaveLength(2);
  });

  test('has twelve months of usage in a year, also when the clock stood still for it', async () => {
    const owner = await paying('unlimited_yearly');
    await later(300);
    await uses(owner, 'late', 5050);
    await later(66);
    const kinds = (await invoices(owner)).map(({ lines }) => lines.map(({ kind }) => kind));
    expect(kinds).toEqual([['plan'], ['usage'], ['plan']]);
    expect(await now(owner)).toMatchObject({ state: 'active', balance_cents: 0 });
  });

  test('has its minutes in a year that ends by a smaller plan as well', async () => {
    const owner = await paying('unlimited_yearly');
    await migrate(owner, 'starter');
    await later(350);
    await uses(owner, 'last month', 5025);
    await later(16);
    const [last] = await invoices(owner);
    expect(last?.lines.map(({ kind, amount_cents: cents }) => [kind, cents])).toEqual([
      ['plan', 1900],
      ['usage', 100],
    ]);
    expect(await used(owner)).toMatchObject({ voice_minutes: { used: 0, included: 500 } });
  });
});

describe('a larger plan', () => {
  test('begins now: the rest of the old one is credited, the rest of the new one charged', async () => {
    const owner = await paying('unlimited_monthly');
    const before = await now(owner);
    const [start, end] = [before.current_period_start ?? '', before.current_period_end ?? ''];
    const days = (Date.parse(end) - Date.parse(start)) / 86_400_000;
    app.clock.advance((days / 2) * 86_400);
    const asked = await preview(owner, 'premium_monthly');
    expect(asked.body.data).toMatchObject({
      effective: 'now',
      plan_cents: 3950,
      usage_cents: 0,
      credit_cents: 1950,
      charge_now_cents: 2000,
      new_price_cents: 7900,
      lost_features: [],
      over_limit: [],
    });
    const changed = await migrate(owner, 'premium_monthly');
    expect(changed.body).toMatchObject({
      data: {
        plan: { identifier: 'premium_monthly' },
        balance_cents: 0,
        current_period_end: end,
      },
      meta: { payment: { state: 'paid' } },
    });
    expect((await invoices(owner))[0]).toMatchObject({
      total_cents: 2000,
      status: 'paid',
      lines: [{ amount_cents: 3950 }, { amount_cents: -1950 }],
    });
  });

  test('twice in a day costs what one change to the last one would', async () => {
    const owner = await paying('starter');
    app.clock.advance(10 * 86_400);
    const direct = (await preview(owner, 'deluxe_monthly')).body.data.charge_now_cents;
    await migrate(owner, 'unlimited_monthly');
    await migrate(owner, 'deluxe_monthly');
    const paid = (await invoices(owner)).slice(0, 2).reduce((sum, one) => sum + one.total_cents, 0);
    expect(Math.abs(paid - direct)).toBeLessThanOrEqual(1);
  });

  test('paid by the year begins a year now, and what is left of the month is credited', async () => {
    const owner = await paying('unlimited_monthly');
    const changed = await migrate(owner, 'unlimited_yearly');
    expect((await invoices(owner))[0]).toMatchObject({ total_cents: 39_600 - 3900 });
    const { current_period_start: from, current_period_end: to } = changed.body.data;
    expect((Date.parse(to ?? '') - Date.parse(from ?? '')) / 86_400_000).toBeGreaterThan(364);
  });

  test('paid by the year also invoices what was used beyond the old one until now', async () => {
    const owner = await paying('unlimited_monthly');
    await uses(owner, 'before', 5100);
    app.clock.advance(60);
    const asked = await preview(owner, 'unlimited_yearly');
    const changed = await migrate(owner, 'unlimited_yearly');
    expect(changed.body.data).toMatchObject({ balance_cents: 0 });
    const [invoice] = await invoices(owner);
    expect(invoice?.lines).toContainEqual(
      expect.objectContaining({ kind: 'usage', quantity: 100, amount_cents: 400 }),
    );
    const told = asked.body.data;
    expect(told.charge_now_cents).toBe(invoice?.total_cents);
    expect(told.usage_cents).toBe(400);
    expect(told.plan_cents + told.usage_cents - told.credit_cents).toBe(told.charge_now_cents);
    expect(await used(owner)).toMatchObject({ voice_minutes: { used: 0, included: 5000 } });
  });

  test('that the card can’t pay makes the account past due, and is paid by a new card', async () => {
    const owner = await paying('starter');
    await card(owner, '4000000000000341');
    const changed = await migrate(owner, 'deluxe_monthly');
    expect(changed.body).toMatchObject({
      data: { state: 'retry_period', plan: { identifier: 'deluxe_monthly' } },
      meta: { payment: { state: 'declined' } },
    });
    expect(await migrate(owner, 'starter')).toMatchObject({
      status: 409,
      body: { code: 'subscription.past_due' },
    });
    await card(owner);
    expect(await now(owner)).toMatchObject({ state: 'active', balance_cents: 0 });
  });

  test('asked for by four people at once is charged once', async () => {
    const owner = await paying('starter');
    const statuses = await Promise.all(
      [1, 2, 3, 4].map(async () => (await migrate(owner, 'deluxe_monthly')).status),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    await app.drainJobs();
    expect(await invoices(owner)).toHaveLength(2);
    expect((await now(owner)).balance_cents).toBe(0);
  });
});

describe('a smaller plan', () => {
  test('waits for the end of the period, says what is lost, and can be taken back', async () => {
    const owner = await paying('premium_monthly');
    const asked = await preview(owner, 'starter');
    expect(asked.body.data).toMatchObject({ effective: 'period_end', charge_now_cents: 0 });
    expect(asked.body.data.lost_features).toContain('crm');
    await migrate(owner, 'starter');
    const pending = await now(owner);
    expect(pending).toMatchObject({
      plan: { identifier: 'premium_monthly' },
      pending_change: { plan: { identifier: 'starter' }, revertible: true },
      next_charge_cents: 1900,
    });
    const revert = () => app.as(owner).request(subscription.revertPendingProductChange, of(owner));
    expect((await revert()).body.data.pending_change).toBeNull();
    expect(await revert()).toMatchObject({
      status: 409,
      body: { code: 'subscription.nothing_pending' },
    });
    await migrate(owner, 'starter');
    await later(31);
    expect(await now(owner)).toMatchObject({
      plan: { identifier: 'starter' },
      pending_change: null,
    });
    expect((await invoices(owner))[0]).toMatchObject({ total_cents: 1900, status: 'paid' });
  });

  test('previews what the company has beyond it', async () => {
    const owner = await paying('premium_monthly');
    for (let i = 0; i < 3; i++) await app.createPerson(owner.companyId, 'user');
    expect((await preview(owner, 'starter')).body.data.over_limit).toEqual([
      { component: 'seats', used: 4, included: 3 },
    ]);
  });
});

describe('canceling', () => {
  test('ends the plan with its period; until then it can be kept', async () => {
    const owner = await paying('unlimited_monthly');
    const { current_period_end: end } = await now(owner);
    expect((await cancel(owner)).body.data).toMatchObject({
      state: 'canceling',
      cancel_at: end,
      cancel_reason: 'unused',
      next_charge_cents: null,
    });
    expect(await migrate(owner, 'deluxe_monthly')).toMatchObject({
      status: 409,
      body: { code: 'subscription.ending' },
    });
    const clear = () => app.as(owner).request(subscription.clearCancel, of(owner));
    expect((await clear()).body.data).toMatchObject({ state: 'active', cancel_at: null });
    expect(await clear()).toMatchObject({
      status: 409,
      body: { code: 'subscription.not_ending' },
    });
    await cancel(owner);
    await later(31);
    expect(await now(owner)).toMatchObject({ state: 'expired', next_charge_at: null });
    expect(await invoices(owner)).toHaveLength(1);
  });

  test('with a smaller plan it changes to that one instead; a larger one is refused', async () => {
    const owner = await paying('premium_monthly');
    expect(await cancel(owner, { downsell_plan: 'deluxe_monthly' })).toMatchObject({
      status: 422,
      body: { code: 'subscription.not_smaller' },
    });
    expect((await cancel(owner, { downsell_plan: 'starter' })).body.data).toMatchObject({
      state: 'active',
      pending_change: { plan: { identifier: 'starter' } },
    });
  });
});

describe('the yearly offer', () => {
  const find = (who: TestPerson) =>
    app.as(who).request(subscription.findOrCreateYearlyOffer, of(who));
  const update = (who: TestPerson, offerId: number, used?: boolean) =>
    app.as(who).request(subscription.updateYearlyOffer, {
      params: { companyId: who.companyId, offerId },
      body: { viewed: true, ...(used !== undefined && { used }) },
    });

  test('comes after 60 steady days, once, and its use is a preview, not a charge', async () => {
    const owner = await paying('unlimited_monthly');
    expect(await find(owner)).toMatchObject({
      status: 409,
      body: { code: 'offer.not_eligible' },
    });
    await later(20);
    await later(31);
    const [one, two] = await Promise.all([find(owner), find(owner)]);
    expect(one.body.data).toMatchObject({
      to_plan: 'unlimited_yearly',
      savings_cents: 7200,
      headline: 'Pay by the year and save $72',
      viewed: false,
    });
    expect(two.body.data.id).toBe(one.body.data.id);
    const seen = await update(owner, one.body.data.id);
    expect(seen.body).toMatchObject({
      data: { viewed: true, used: false },
      meta: { preview: null },
    });
    const count = (await invoices(owner)).length;
    const used = await update(owner, one.body.data.id, true);
    expect(used.body.meta.preview).toMatchObject({
      plan: { identifier: 'unlimited_yearly' },
      effective: 'now',
    });
    expect(await invoices(owner)).toHaveLength(count);
    expect(await update(owner, one.body.data.id, true)).toMatchObject({
      status: 409,
      body: { code: 'offer.over' },
    });
    const open = await app.as(owner).request(subscription.getYearlyOffer, of(owner));
    expect(open.body.data).toBeNull();
    const stranger = await app.createCompany();
    expect((await update(stranger.owner, one.body.data.id)).status).toBe(404);
  });
});

test('the daily clock offers the year to those who pay by the month, once in ninety days', async () => {
  const [steady, fresh, yearly] = [
    await paying('premium_monthly'),
    await app.createCompany(),
    await paying('premium_yearly'),
  ];
  await later(31);
  await later(31);
  await migrate(fresh.owner, 'premium_monthly');
  const offered = async (who: TestPerson) =>
    (await app.as(who).request(subscription.getYearlyOffer, of(who))).body.data?.to_plan;
  const clock = async () => {
    await startYearlyOffers(system(0));
    await app.drainJobs();
  };
  await clock();
  expect(await offered(steady)).toBe('premium_yearly');
  expect(await offered(fresh.owner)).toBeUndefined();
  expect(await offered(yearly)).toBeUndefined();
  await later(20);
  await clock();
  expect(await offered(steady), 'over, and too early for another').toBeUndefined();
  await later(31);
  await later(31);
  await later(31);
  await clock();
  expect(await offered(steady)).toBe('premium_yearly');
});

test('the parts of a change add up to the price, to the cent, at any second', () => {
  const start = new Date('2028-02-01T00:00:00Z');
  const end = new Date('2028-03-01T00:00:00Z');
  const running = {
    plan: 'unlimited_monthly' as const,
    periodStart: start,
    periodEnd: end,
    isTrial: false,
    movedDays: 0,
  };
  for (let second = 0; second < 29 * 86_400; second += 7919) {
    const at = new Date(start.getTime() + second * 1000);
    const quote = quoteChange(running, 'premium_monthly', at);
    const [charge, credit] = quote.lines.map((line) => line.amount_cents);
    const left = (end.getTime() - at.getTime()) / (end.getTime() - start.getTime());
    expect(Math.abs((charge ?? 0) - plans.premium_monthly.price_cents * left)).toBeLessThan(1);
    expect(Math.abs((credit ?? 0) + plans.unlimited_monthly.price_cents * left)).toBeLessThan(1);
    expect(Number.isInteger(charge) && Number.isInteger(credit)).toBe(true);
  }
});

test('after any story the books agree with the invoices and what was paid', async () => {
  let seed = 11;
  const random = (n: number) => (seed = (seed * 48_271) % 2_147_483_647) % n;
  const owner = await paying('starter');
  const sold = Object.values(plans).filter((plan) => plan.is_public);
  for (let step = 0; step < 25; step++) {
    const act = random(5);
    if (act === 0) await later(random(40));
    else if (act === 1) await cancel(owner);
    else if (act === 2) await app.as(owner).request(subscription.clearCancel, of(owner));
    else await migrate(owner, sold[random(sold.length)]?.identifier ?? 'starter');
    await app.drainJobs();
  }
  const all = await app.services.db.unscoped
    .selectFrom('invoice')
    .select('total_cents')
    .where('company_id', '=', owner.companyId)
    .execute();
  const paid = await app.services.db.unscoped
    .selectFrom('payment_attempt')
    .select('amount_cents')
    .where('company_id', '=', owner.companyId)
    .where('state', '=', 'paid')
    .execute();
  const owed = await system(owner.companyId).readOnly((t) => balanceOf(t.tx, owner.companyId));
  const sum = (amounts: number[]) => amounts.reduce((total, cents) => total + cents, 0);
  expect(owed).toBe(sum(all.map((i) => i.total_cents)) - sum(paid.map((p) => p.amount_cents)));
  expect(owed).toBeLessThanOrEqual(0);
});
