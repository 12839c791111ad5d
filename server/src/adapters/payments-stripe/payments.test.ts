import { afterAll, describe, expect, test } from 'vitest';
import { billing, subscription } from '#contract';
import { billingSentences, type PlanId } from '#contract/billing/rules';
import { StripeMock, type EnteredCard } from '../../../test/support/stripe-mock.ts';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';
import { insertEntry } from '../../modules/billing/ledger/store-ledger.ts';
import { collect } from '../../modules/billing/payments/collect.ts';
import { systemCtx } from '../../platform/context.ts';
import { mustBe } from '../../platform/must-be.ts';
import { readSettings } from '../../settings.ts';
import { sql } from 'kysely';

const stripe = await StripeMock.start();
afterAll(stripe.stop);
const app = await createTestApp({ env: stripe.env });
const as = (person: TestPerson) => app.as(person);
const inCompany = (companyId: number) => ({ params: { companyId } });

/** A company with a plan that owes this much. */
async function owing(cents: number) {
  const { company, owner } = await app.createCompany();
  const at = app.services.now();
  await app.services.db.systemTransaction((tx) =>
    tx
      .insertInto('subscription')
      .values({
        ...{ company_id: company.id, state: 'retry_period', anchor_at: at, period_start: at },
        plan: 'unlimited_monthly' satisfies PlanId,
        period_end: new Date(at.getTime() + 30 * 86_400_000),
        ...{ provider: 'stripe', created_at: at, updated_at: at },
      })
      .execute(),
  );
  await owe(company.id, cents, 'test:1');
  return owner;
}
const owe = (companyId: number, cents: number, cause: string) =>
  systemCtx(app.services, companyId, app.notifier).transaction((t) =>
    insertEntry(t.tx, companyId, {
      ...{ cause, kind: 'charge', amountCents: cents, currency: 'USD' },
      ...{ description: 'A month of Unlimited', at: t.now },
    }),
  );
const entry = async (owner: TestPerson, returnTo?: '/caddy/account/plan') =>
  as(owner).request(billing.cardSecurityToken, {
    query: { company_id: owner.companyId, ...(returnTo && { return_to: returnTo }) },
  });
const saveToken = (owner: TestPerson, token: string) =>
  as(owner).request(billing.updateCompanyBilling, {
    ...inCompany(owner.companyId),
    body: { payment_token: token },
  });
async function saveCard(owner: TestPerson, card: EnteredCard) {
  const { body } = await entry(owner);
  const { token } = stripe.enterCard(mustBe(body.data.page_url, 'page'), card);
  return saveToken(owner, token);
}
const now = async (owner: TestPerson) =>
  (await as(owner).request(subscription.getSubscription, inCompany(owner.companyId))).body.data;
const retry = (owner: TestPerson, confirmed?: true) =>
  as(owner).request(billing.retryPayment, {
    ...inCompany(owner.companyId),
    body: { ...(confirmed && { confirmed }) },
  });
const paymentsOf = (owner: TestPerson) =>
  [...stripe.payments.values()].filter(({ metadata }) =>
    metadata['key']?.includes(`trunkline-${owner.companyId}-`),
  );
const report = ({ body, signature }: { body: string; signature: string }) =>
  app.as(null).inject({
    ...{ method: 'POST', url: '/webhooks/stripe', payload: body },
    headers: { 'stripe-signature': signature, 'content-type': 'application/json' },
  });

describe('a card', () => {
  test('is entered at Stripe’s page, which leads back, and pays what is owed', async () => {
    const owner = await owing(3900);
    const { body } = await entry(owner);
    expect(body.data).toMatchObject({ provider: 'stripe', token: null, tokens_url: null });
    const { token, leadsTo } = stripe.enterCard(mustBe(body.data.page_url, 'page'), 'pays');
    expect(leadsTo).toBe(`${app.services.settings.publicUrl}/settings/billing?card=${token}`);
    const saved = await saveToken(owner, token);
    expect(saved.body.meta.payment).toEqual({
      ...{ state: 'paid', message: billingSentences.savedPaid, confirm_url: null },
    });
    expect(await now(owner)).toMatchObject({
      ...{ state: 'active', balance_cents: 0, provider: 'stripe' },
      payment_method: { brand: 'Visa', last4: '4242', exp: '09/2031' },
    });
    expect(paymentsOf(owner)).toMatchObject([{ amount: 3900, status: 'succeeded' }]);
    // The second card joins the same customer.
    const customer = paymentsOf(owner)[0]?.customer;
    await entry(owner);
    expect(stripe.requests.at(-1)?.body.get('customer')).toBe(customer);
  });

  test('of Caddy leads back to Caddy; no other page can be asked for', async () => {
    const owner = await owing(3900);
    await entry(owner, '/caddy/account/plan');
    expect(stripe.requests.at(-1)?.body.get('success_url')).toMatch(
      /\/caddy\/account\/plan\?card=/,
    );
    const strange = await app.as(owner).inject({
      method: 'GET',
      url: `/api/chargify/security-token?company_id=${owner.companyId}&return_to=//evil.example`,
    });
    expect(strange.status).toBe(422);
  });

  test('that another company entered, that wasn’t entered yet, and numbers are refused', async () => {
    const [owner, other] = [await owing(3900), await owing(3900)];
    const theirs = await entry(other);
    const { token } = stripe.enterCard(mustBe(theirs.body.data.page_url, 'page'), 'pays');
    const unknown = { status: 422, body: { code: 'billing.card_token' } };
    expect(await saveToken(owner, token)).toMatchObject(unknown);
    const open = mustBe((await entry(owner)).body.data.page_url, 'page')
      .split('/')
      .at(-1);
    expect(await saveToken(owner, mustBe(open, 'session'))).toMatchObject(unknown);
    for (const strange of ['cs_test_none', '../payment_intents/search', 'pm_pays_1', 'cs_1?x=1'])
      expect(await saveToken(owner, strange)).toMatchObject(unknown);
    const number = await as(owner).request(billing.updateCompanyBilling, {
      ...inCompany(owner.companyId),
      body: { cc_number: '4242424242424242', cc_exp: '09/31', cc_cvc: '123' },
    });
    expect(number).toMatchObject({ status: 422, body: { code: 'billing.card_number' } });
    expect((await now(owner)).payment_method).toBeNull();
    expect(paymentsOf(owner)).toEqual([]);
  });

  test('that is declined says why, and the account stays past due', async () => {
    const owner = await owing(3900);
    expect((await saveCard(owner, 'declines')).body.meta.payment.state).toBe('declined');
    expect(await retry(owner)).toMatchObject({
      status: 422,
      body: { code: 'billing.card_declined' },
    });
    expect(await now(owner)).toMatchObject({
      ...{ state: 'retry_period', balance_cents: 3900 },
      state_reason: 'Your card has insufficient funds.',
    });
  });
});

describe('a bank that asks', () => {
  const confirming = async () => {
    const owner = await owing(3900);
    const { payment } = (await saveCard(owner, 'confirms')).body.meta;
    expect(payment).toMatchObject({ state: 'confirm', message: billingSentences.confirm });
    const [waiting] = paymentsOf(owner);
    const reference = mustBe(waiting, 'payment').id;
    expect(payment.confirm_url).toBe(`https://hooks.stripe.example/3ds/${reference}`);
    return { owner, reference };
  };

  test('is answered, and the page asks what became of it', async () => {
    const { owner, reference } = await confirming();
    stripe.answerBank(reference, true);
    expect((await retry(owner, true)).body.meta.payment.state).toBe('paid');
    expect(await now(owner)).toMatchObject({ state: 'active', balance_cents: 0 });
    // Asked once more, nothing is charged.
    expect((await retry(owner, true)).body.meta.payment).toMatchObject({
      message: billingSentences.allPaid,
    });
    expect(paymentsOf(owner)).toHaveLength(1);
  });

  test('is refused', async () => {
    const { owner, reference } = await confirming();
    stripe.answerBank(reference, false);
    expect((await retry(owner, true)).status).toBe(422);
    expect((await retry(owner, true)).body.meta.payment.message).toBe(billingSentences.stillOwed);
    expect(await now(owner)).toMatchObject({ state: 'retry_period', balance_cents: 3900 });
    expect(paymentsOf(owner)).toHaveLength(1);
  });

  test('is heard of by a report; forged, old and others’ reports change nothing', async () => {
    const { owner, reference } = await confirming();
    stripe.answerBank(reference, true);
    const object = stripe.present(mustBe(stripe.payments.get(reference), 'payment'));
    const seconds = Math.floor(Date.now() / 1000);
    for (const forged of [
      stripe.report('payment_intent.succeeded', object, seconds, 'whsec_else'),
      stripe.report('payment_intent.succeeded', object, seconds - 3600),
      { ...stripe.report('payment_intent.succeeded', object), signature: '' },
      { body: '{"id":', signature: 't=1,v1=00' },
    ])
      expect((await report(forged)).status).toBe(403);
    for (const elses of [
      { ...object, metadata: { key: `ffffffffffff-trunkline-${owner.companyId}-1` } },
      { ...object, metadata: {} },
      { object: 'charge', metadata: { key: 'x' } },
    ])
      expect((await report(stripe.report('payment_intent.succeeded', elses))).status).toBe(204);
    await app.drainJobs();
    expect((await now(owner)).balance_cents).toBe(3900);

    const told = stripe.report('payment_intent.succeeded', object);
    for (let twice = 0; twice < 2; twice++) {
      expect((await report(told)).status).toBe(204);
      await app.drainJobs();
    }
    expect(await now(owner)).toMatchObject({ state: 'active', balance_cents: 0 });
  });

  test('when no one is there: the account is past due, and paying leads to the bank', async () => {
    const owner = await owing(3900);
    await saveCard(owner, 'confirms');
    const [first] = paymentsOf(owner);
    stripe.answerBank(mustBe(first, 'payment').id, true);
    await retry(owner, true);
    await owe(owner.companyId, 3900, 'test:2');
    const ctx = systemCtx(app.services, owner.companyId, app.notifier);
    expect((await collect(ctx))?.state).toBe('confirm');
    expect(await now(owner)).toMatchObject({
      ...{ state: 'retry_period', state_reason: billingSentences.confirm },
    });
    expect((await retry(owner)).body.meta.payment.confirm_url).toMatch(/3ds/);
  });

  test('and a new card instead: the waiting payment is given up first', async () => {
    const { owner, reference } = await confirming();
    await saveCard(owner, 'pays');
    expect(stripe.payments.get(reference)?.status).toBe('canceled');
    expect(paymentsOf(owner).filter(({ status }) => status === 'succeeded')).toHaveLength(1);
    expect(await now(owner)).toMatchObject({ state: 'active', balance_cents: 0 });
  });
});

describe('when Stripe is away', () => {
  test('the person is told, and nothing changes', async () => {
    const owner = await owing(3900);
    stripe.cutNext = 3;
    expect(await entry(owner)).toMatchObject({
      status: 409,
      body: { code: 'billing.unreachable' },
    });
  });

  test('an answer that was lost is asked for again: charged once', async () => {
    const owner = await owing(3900);
    await saveCard(owner, 'declines');
    await app.services.db.systemTransaction((tx) =>
      sql`update subscription set card_reference = replace(card_reference, 'pm_declines', 'pm_pays')
        where company_id = ${owner.companyId}`.execute(tx),
    );
    stripe.loseNext = 3;
    expect((await retry(owner)).body).toMatchObject({ code: 'billing.unreachable' });
    expect((await now(owner)).balance_cents).toBe(3900);
    expect((await retry(owner)).body.meta.payment.state).toBe('paid');
    expect(paymentsOf(owner).filter(({ status }) => status === 'succeeded')).toHaveLength(1);
  });

  test('for longer than Stripe knows a key: the payment is looked for first', async () => {
    const owner = await owing(3900);
    const provider = mustBe(app.services.gateways.payments, 'provider');
    const order = {
      ...{ key: `trunkline-${owner.companyId}-77`, amountCents: 3900, currency: 'USD' },
      cardReference: 'cus_1/pm_pays_1',
    };
    const first = await provider.charge({ ...order, firstAskedAt: new Date() });
    const searches = () => stripe.requests.filter(({ path }) => path.endsWith('/search')).length;
    const before = searches();
    const again = await provider.charge({
      ...order,
      firstAskedAt: new Date(Date.now() - 30 * 3_600_000),
    });
    expect(again).toEqual(first);
    expect(searches()).toBe(before + 1);
    expect(paymentsOf(owner)).toHaveLength(1);
  });
});

test('an operator pays back a part, then no more than the rest', async () => {
  const owner = await owing(3900);
  await saveCard(owner, 'pays');
  const [payment] = paymentsOf(owner);
  const provider = mustBe(app.services.gateways.payments, 'provider');
  const charge = { key: 'unused', reference: mustBe(payment, 'payment').id };
  const refund = (key: string, amountCents: number) =>
    provider.refund({ key, charge, amountCents });
  expect(await refund('r1', 1000)).toEqual({ state: 'refunded' });
  expect(await refund('r1', 1000)).toEqual({ state: 'refunded' });
  expect(payment?.refunded).toBe(1000);
  expect(await refund('r2', 3000)).toMatchObject({ state: 'refused' });
  expect(payment?.refunded).toBe(1000);
});

test('less than Stripe charges waits for the next invoice', async () => {
  const owner = await owing(30);
  expect((await saveCard(owner, 'pays')).body.meta.payment.state).toBe('none');
  expect(await retry(owner)).toMatchObject({ body: { code: 'subscription.nothing_due' } });
  expect(paymentsOf(owner)).toEqual([]);
});

test('the server says at its start what is missing, and no log or table has the key', async () => {
  expect(() => readSettings({ BILLING: 'stripe', APP_SECRET: 'a'.repeat(64) })).toThrow(
    /BILLING=stripe needs STRIPE_SECRET_KEY/,
  );
  expect(() =>
    readSettings({ STRIPE_SECRET_KEY: 'pk_test_1', APP_SECRET: 'a'.repeat(64) }),
  ).toThrow(/STRIPE_SECRET_KEY must begin with sk_/);
});
