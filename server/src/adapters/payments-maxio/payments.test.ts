import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, describe, expect, test } from 'vitest';
import { billing, subscription } from '#contract';
import { billingSentences, type PlanId } from '#contract/billing/rules';
import { MaxioMock } from '../../../test/support/maxio-mock.ts';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';
import { insertEntry } from '../../modules/billing/ledger/store-ledger.ts';
import { systemCtx } from '../../platform/context.ts';
import { mustBe } from '../../platform/must-be.ts';
import { readSettings } from '../../settings.ts';

const maxio = await MaxioMock.start();
afterAll(maxio.stop);
const app = await createTestApp({ env: maxio.env });
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
        ...{ provider: 'maxio', created_at: at, updated_at: at },
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
const saveToken = (owner: TestPerson, token: string) =>
  as(owner).request(billing.updateCompanyBilling, {
    ...inCompany(owner.companyId),
    body: { payment_token: token },
  });
const saveCard = (owner: TestPerson, card: 'pays' | 'declines') =>
  saveToken(owner, maxio.enterCard(card));
const now = async (owner: TestPerson) =>
  (await as(owner).request(subscription.getSubscription, inCompany(owner.companyId))).body.data;
const retry = (owner: TestPerson) =>
  as(owner).request(billing.retryPayment, { ...inCompany(owner.companyId), body: {} });
const invoicesOf = ({ companyId }: TestPerson) =>
  maxio.invoices.filter(({ memo }) => memo.includes(`trunkline-${companyId}-`));
const paidOf = (owner: TestPerson) => invoicesOf(owner).filter(({ status }) => status === 'paid');
/** As if the attempt had begun some minutes ago. */
const begunBefore = ({ companyId }: TestPerson, minutes: number) =>
  app.services.db.systemTransaction((tx) =>
    sql`update payment_attempt set created_at = created_at - make_interval(mins => ${minutes})
      where company_id = ${companyId} and settled_at is null`.execute(tx),
  );
const provider = () => mustBe(app.services.gateways.payments, 'provider');

describe('a card', () => {
  test('is entered in Maxio’s fields on a page of ours, whose form is signed', async () => {
    const owner = await owing(3900);
    const { body } = await as(owner).request(billing.cardSecurityToken, {
      query: { company_id: owner.companyId, return_to: '/caddy/account/plan' },
    });
    expect(body.data).toMatchObject({ provider: 'maxio', token: null, tokens_url: null });
    const page = new URL(mustBe(body.data.page_url, 'page'));
    const [head, claims, signature] = page.hash.slice(1).split('.');
    expect(JSON.parse(Buffer.from(claims ?? '', 'base64url').toString())).toMatchObject({
      iss: 'chjs_standin',
      sub: expect.stringContaining(`company-${owner.companyId}`),
    });
    expect(signature).toBe(
      createHmac('sha256', 'chjs_pvt_standin').update(`${head}.${claims}`).digest('base64url'),
    );
    const shown = await app.server.inject({ url: page.pathname + page.search });
    expect(shown.body).toContain('data-to="/caddy/account/plan"');
    expect(shown.headers['content-security-policy']).toContain(`frame-ancestors 'none'`);
    expect(shown.body).not.toMatch(/<input/);
    const elsewhere = await app.server.inject({ url: `${page.pathname}?to=//evil.example` });
    expect(elsewhere.body).toContain('data-to="/settings/billing"');
  });

  test('pays what is owed; Maxio gets no name or email address of the company', async () => {
    const owner = await owing(3900);
    const saved = await saveCard(owner, 'pays');
    expect(saved.body.meta.payment).toMatchObject({
      ...{ state: 'paid', message: billingSentences.savedPaid },
    });
    expect(await now(owner)).toMatchObject({
      ...{ state: 'active', balance_cents: 0, provider: 'maxio' },
      payment_method: { brand: 'Visa', last4: '1111', exp: '09/2031' },
    });
    expect(invoicesOf(owner)).toMatchObject([{ status: 'paid', total: 3900 }]);
    const sent = maxio.requests.map(({ body }) => body).join('\n');
    expect(sent).not.toContain(owner.email);
    expect(sent).toContain('@trunkline.invalid');
  });

  test('that was used, is of no one, or is a number is refused', async () => {
    const owner = await owing(3900);
    const token = maxio.enterCard('pays');
    await saveToken(owner, token);
    for (const wrong of [token, 'tok_unknown', '4242424242424242'])
      expect(await saveToken(owner, wrong)).toMatchObject({
        ...{ status: 422, body: { code: 'billing.card_token' } },
      });
    const body = { cc_number: '4242424242424242', cc_exp: '09/31', cc_cvc: '123' };
    const number = await as(owner).request(billing.updateCompanyBilling, {
      ...inCompany(owner.companyId),
      body,
    });
    expect(number).toMatchObject({ status: 422, body: { code: 'billing.card_number' } });
    expect(maxio.requests.some((one) => one.body.includes('4242'))).toBe(false);
  });

  test('that is declined leaves the account past due with Maxio’s sentence, and nothing open there', async () => {
    const owner = await owing(3900);
    expect((await saveCard(owner, 'declines')).body.meta.payment.state).toBe('declined');
    expect(await now(owner)).toMatchObject({
      ...{ state: 'retry_period', state_reason: 'Your card has insufficient funds.' },
    });
    expect(invoicesOf(owner)).toMatchObject([{ status: 'voided' }]);
    // Another card joins the same customer and pays.
    const made = () => maxio.requests.filter(({ address }) => address === '/customers.json').length;
    const before = made();
    expect((await saveCard(owner, 'pays')).body.meta.payment.state).toBe('paid');
    expect(made()).toBe(before);
    expect(paidOf(owner)).toHaveLength(1);
  });
});

describe('a charge', () => {
  test('is made once, however many ask at the same time', async () => {
    const owner = await owing(3900);
    await saveCard(owner, 'pays');
    const { card_reference: card } = await app.services.db.systemTransaction((tx) =>
      tx
        .selectFrom('subscription')
        .select('card_reference')
        .where('company_id', '=', owner.companyId)
        .executeTakeFirstOrThrow(),
    );
    const order = {
      ...{ key: `trunkline-${owner.companyId}-99`, amountCents: 1500, currency: 'USD' },
      ...{ cardReference: mustBe(card, 'card'), firstAskedAt: new Date() },
    };
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => provider().charge(order)));
    expect(new Set(outcomes.map(({ state }) => state))).toEqual(new Set(['paid']));
    expect(invoicesOf(owner).map(({ total }) => total)).toEqual([3900, 1500]);
  });

  test.each([
    ['/invoices.json', 1],
    ['/payments.json', 0],
  ])('whose answer of %s was lost is asked for again, and paid once', async (address, open) => {
    const owner = await owing(3900);
    await saveCard(owner, 'pays');
    await owe(owner.companyId, 1500, 'test:2');
    maxio.loseNext = address;
    expect((await retry(owner)).body).toMatchObject({ code: 'billing.unreachable' });
    expect(invoicesOf(owner).filter(({ status }) => status === 'open')).toHaveLength(open);
    if (open) {
      // It may still be on its way there.
      expect((await retry(owner)).body).toMatchObject({ code: 'billing.unreachable' });
      await begunBefore(owner, 3);
    }
    expect((await retry(owner)).body.meta.payment.state).toBe('paid');
    expect(paidOf(owner).map(({ total }) => total)).toEqual([3900, 1500]);
    expect((await now(owner)).balance_cents).toBe(0);
  });

  test('waits while Maxio turns requests away', async () => {
    const owner = await owing(3900);
    maxio.turnAwayNext = 3;
    expect((await saveCard(owner, 'pays')).body.meta.payment.state).toBe('paid');
  });

  test('is given up where the site would tax it, and nothing is paid', async () => {
    const owner = await owing(3900);
    await saveCard(owner, 'declines');
    maxio.tax = 300;
    const order = {
      ...{ key: `trunkline-${owner.companyId}-77`, amountCents: 3900, currency: 'USD' },
      ...{ cardReference: '1/2', firstAskedAt: new Date() },
    };
    await expect(provider().charge(order)).rejects.toThrow('must not tax');
    maxio.tax = 0;
    expect(invoicesOf(owner).every(({ status }) => status === 'voided')).toBe(true);
  });

  test('below what gateways charge waits for the next invoice', async () => {
    const owner = await owing(30);
    expect((await saveCard(owner, 'pays')).body.meta.payment.state).toBe('none');
    expect(invoicesOf(owner)).toEqual([]);
  });
});

test('when Maxio is away the person is told, and nothing changes', async () => {
  const owner = await owing(3900);
  const token = maxio.enterCard('pays');
  maxio.cutNext = 4;
  expect(await saveToken(owner, token)).toMatchObject({
    ...{ status: 409, body: { code: 'billing.unreachable' } },
  });
  maxio.cutNext = 0;
  expect((await now(owner)).balance_cents).toBe(3900);
  // The token wasn’t spent.
  expect((await saveToken(owner, token)).body.meta.payment.state).toBe('paid');
});

test('an operator pays back a part, once for each refund, and no more than was paid', async () => {
  const owner = await owing(3900);
  await saveCard(owner, 'pays');
  const [invoice] = paidOf(owner);
  const charge = { key: 'unused', reference: mustBe(invoice, 'invoice').uid };
  const refund = (key: string, amountCents: number) =>
    provider().refund({ key, charge, amountCents });
  expect(await refund('r1', 1000)).toEqual({ state: 'refunded' });
  expect(await refund('r1', 1000)).toEqual({ state: 'refunded' });
  expect(invoice?.refunds).toMatchObject([{ amount: 1000 }]);
  expect(await refund('r2', 3000)).toMatchObject({
    ...{ state: 'refused', reason: expect.stringContaining('refundable amount.') },
  });
});

describe('a report', () => {
  const send = ({ body, signature }: { body: string; signature: string }) =>
    app.as(null).inject({
      ...{ method: 'POST', url: '/webhooks/maxio', payload: body },
      headers: {
        'x-chargify-webhook-signature-hmac-sha-256': signature,
        'content-type': 'application/x-www-form-urlencoded',
      },
    });

  test('only says which charge to ask about; one that isn’t signed by the site is refused', async () => {
    const owner = await owing(3900);
    await saveCard(owner, 'pays');
    await owe(owner.companyId, 1500, 'test:2');
    maxio.loseNext = '/invoices.json';
    await retry(owner);
    const open = mustBe(invoicesOf(owner).at(-1), 'invoice');
    expect((await send(maxio.report('payment_success', open, 'someone else'))).status).toBe(403);
    // It says paid, which it isn’t.
    await begunBefore(owner, 3);
    for (let twice = 0; twice < 2; twice++)
      expect((await send(maxio.report('payment_success', open))).status).toBe(204);
    await app.drainJobs();
    expect(paidOf(owner)).toHaveLength(2);
    expect((await now(owner)).balance_cents).toBe(0);
    const other = { ...open, memo: 'Renewal payment' };
    expect((await send(maxio.report('payment_success', other))).status).toBe(204);
  });
});

test('the server says at its start what is missing, and a product that costs is refused', async () => {
  expect(() => readSettings({ BILLING: 'maxio', APP_SECRET: 'a'.repeat(64) })).toThrow(
    /BILLING=maxio needs MAXIO_SITE, MAXIO_API_KEY and MAXIO_JS_PUBLIC_KEY/,
  );
  maxio.price = 1000;
  const owner = await owing(3900);
  const token = maxio.enterCard('pays');
  expect((await saveToken(owner, token)).status).toBe(500);
  maxio.price = 0;
  expect((await saveToken(owner, token)).body.meta.payment.state).toBe('paid');
});
