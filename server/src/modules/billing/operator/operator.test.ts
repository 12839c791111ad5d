import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { billing, billingAccounts, subscription } from '#contract';
import { textOfPdf } from '../../../../test/support/read-pdf.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';

const app = await createTestApp();
const of = (companyId: number) => ({ params: { companyId } });
const headers = { isadmin: '1' };
const asStaff = (companyId: number) => ({ ...of(companyId), headers });
const staff = await app.createStaff();
const reads = await app.createStaff('reads');
const cards = { pays: '4242424242424242', declines: '4000000000000341' };
const saveCard = (owner: TestPerson, number: string) =>
  app.as(owner).request(billing.updateCompanyBilling, {
    ...of(owner.companyId),
    body: { cc_number: number, cc_exp: '09/39', cc_cvc: '123' },
  });
const now = async (owner: TestPerson) =>
  (await app.as(owner).request(subscription.getSubscription, of(owner.companyId))).body.data;
const invoices = async (owner: TestPerson) =>
  (await app.as(owner).request(subscription.listInvoices, of(owner.companyId))).body.data;
const migrate = (
  owner: TestPerson,
  identifier: 'starter' | 'unlimited_monthly' | 'premium_monthly',
) =>
  app.as(owner).request(subscription.migrateSubscription, {
    ...of(owner.companyId),
    body: { identifier },
  });
const account = async (companyId: number) =>
  (await app.as(staff).request(billingAccounts.getBillingAccount, asStaff(companyId))).body.data;
const pass = async (companyId: number, days: number) => {
  const moved = await app.as(staff).request(billingAccounts.moveBillingClock, {
    ...asStaff(companyId),
    body: { days },
  });
  expect(moved.status).toBe(200);
  await app.drainJobs();
  return moved.body.data;
};
/** A company with a card that pays and a month of Unlimited paid. */
async function paying() {
  const { company, owner } = await app.createCompany();
  await saveCard(owner, cards.pays);
  await migrate(owner, 'unlimited_monthly');
  await pass(company.id, 14);
  return { company, owner };
}

describe('operators', () => {
  test('see every account and enter a payment once; others see none of it', async () => {
    const { company, owner } = await app.createCompany();
    const other = await app.createCompany();
    await migrate(owner, 'starter');
    await pass(company.id, 14);
    expect(await now(owner)).toMatchObject({ state: 'retry_period', balance_cents: 1900 });
    const listed = await app
      .as(staff)
      .request(billingAccounts.listBillingAccounts, { query: { search: company.name }, headers });
    expect(listed.body.data).toMatchObject([
      { company: { id: company.id }, state: 'retry_period', balance_cents: 1900 },
    ]);
    const pay = (who: TestPerson) =>
      app.as(who).request(billingAccounts.recordPayment, {
        ...asStaff(company.id),
        body: { amount_cents: 1900, reference: 'Check 1042' },
      });
    for (const person of [owner, other.owner, reads])
      expect((await pay(person)).status).toBeGreaterThanOrEqual(403);
    expect(await now(owner)).toMatchObject({ balance_cents: 1900 });
    expect((await pay(staff)).body.data.subscription).toMatchObject({
      state: 'active',
      balance_cents: 0,
      past_due_since: null,
    });
    const again = await pay(staff);
    expect([again.status, again.body]).toMatchObject([409, { code: 'billing.payment_known' }]);
    expect(await invoices(owner)).toMatchObject([{ status: 'paid', due_cents: 0 }]);
    expect(await now(other.owner)).toMatchObject({ state: 'not_subscribed' });
  });

  test('credit an amount with a credit note, which pays the next invoice', async () => {
    const { company, owner } = await paying();
    await app.as(staff).request(billingAccounts.creditAccount, {
      ...asStaff(company.id),
      body: { amount_cents: 500, reason: 'Two hours without calls' },
    });
    const [note] = await invoices(owner);
    expect(note).toMatchObject({ kind: 'credit_note', total_cents: -500 });
    expect(await now(owner)).toMatchObject({ balance_cents: -500 });
    await pass(company.id, 31);
    const { entries } = await account(company.id);
    expect(entries[0]).toMatchObject({ kind: 'payment', amount_cents: -3400 });
    expect(await now(owner)).toMatchObject({ balance_cents: 0 });
  });

  test('pay an invoice back: credit note and counter-entries, never more than was paid', async () => {
    const { company, owner } = await paying();
    const [invoice] = await invoices(owner);
    const refund = (amount_cents?: number, ends_plan = false) =>
      app.as(staff).request(billingAccounts.refundInvoice, {
        ...asStaff(company.id),
        body: {
          invoice_id: invoice?.id ?? 0,
          reason: 'Bought by mistake',
          ends_plan,
          ...(amount_cents && { amount_cents }),
        },
      });
    expect((await refund(1000)).body.data.subscription).toMatchObject({
      state: 'active',
      balance_cents: 0,
    });
    const tooMuch = await refund(2901);
    expect([tooMuch.status, tooMuch.body]).toMatchObject([
      422,
      { code: 'billing.refund_too_much' },
    ]);
    const ended = await refund(undefined, true);
    expect(ended.body.data.subscription).toMatchObject({ balance_cents: 0 });
    expect(await now(owner)).toMatchObject({ state: 'expired', balance_cents: 0 });
    const { entries, invoices: all } = await account(company.id);
    expect(all.find(({ id }) => id === invoice?.id)).toMatchObject({ refunded_cents: 3900 });
    const sumOf = (kind: string) =>
      entries.filter((e) => e.kind === kind).reduce((sum, e) => sum + e.amount_cents, 0);
    expect([sumOf('charge'), sumOf('payment'), sumOf('credit'), sumOf('refund')]).toEqual([
      3900, -3900, -3900, 3900,
    ]);
    expect((await refund(1)).body).toMatchObject({ code: 'billing.refund_too_much' });
    // An invoice of one company isn't found in another.
    const other = await paying();
    const foreign = await app.as(staff).request(billingAccounts.refundInvoice, {
      ...asStaff(other.company.id),
      body: { invoice_id: invoice?.id ?? 0, reason: 'Wrong company', ends_plan: false },
    });
    expect(foreign.status).toBe(404);
    expect((await account(other.company.id)).invoices).toHaveLength(1);
  });

  test('a refund that the provider refused stays as a credit, and isn’t credited again', async () => {
    const { company, owner } = await paying();
    const [invoice] = await invoices(owner);
    // Someone paid it back at the provider already.
    const { numAffectedRows } = await sql`insert into sandbox.refund (key, charge_key,
        amount_cents, at)
      select 'by hand', key, amount_cents, now() from sandbox.payment
      where key like ${`%-${company.id}-%`} and state = 'paid'`.execute(app.services.db.unscoped);
    expect(Number(numAffectedRows)).toBe(1);
    const refund = (amount_cents: number) =>
      app.as(staff).request(billingAccounts.refundInvoice, {
        ...asStaff(company.id),
        body: {
          invoice_id: invoice?.id ?? 0,
          reason: 'Bought by mistake',
          ends_plan: false,
          amount_cents,
        },
      });
    expect((await refund(1000)).body.data.subscription).toMatchObject({ balance_cents: -1000 });
    for (const amount of [1000, 500]) {
      const again = await refund(amount);
      expect([again.status, again.body]).toMatchObject([409, { code: 'billing.refund_refused' }]);
    }
    expect(await now(owner)).toMatchObject({ balance_cents: -1000 });
    expect((await invoices(owner)).filter(({ kind }) => kind === 'credit_note')).toHaveLength(1);
  });
});

test('from a trial through a declined card, changes of plan and the end, by the moved clock', async () => {
  const { company, owner } = await app.createCompany();
  await saveCard(owner, cards.declines);
  await migrate(owner, 'unlimited_monthly');
  expect(await now(owner)).toMatchObject({ state: 'active', balance_cents: 0 });
  await pass(company.id, 14);
  expect(await now(owner)).toMatchObject({ state: 'retry_period', balance_cents: 3900 });
  expect((await saveCard(owner, cards.pays)).body.meta.payment.state).toBe('paid');
  expect(await now(owner)).toMatchObject({ state: 'active', balance_cents: 0 });
  // Half of a month later, half of the difference.
  await pass(company.id, 15);
  const upgraded = await migrate(owner, 'premium_monthly');
  expect(upgraded.body.meta.payment.state).toBe('paid');
  const [proration] = await invoices(owner);
  expect(proration?.total_cents).toBeGreaterThan(1900);
  expect(proration?.total_cents).toBeLessThan(2100);
  const pdf = await app.server.inject({
    url: proration?.pdf_url ?? '',
    headers: { authorization: `Bearer ${owner.token}` },
  });
  expect(await textOfPdf(pdf.rawPayload)).toContain(proration?.number);
  expect((proration?.lines ?? []).reduce((sum, line) => sum + line.amount_cents, 0)).toBe(
    proration?.total_cents,
  );
  await migrate(owner, 'unlimited_monthly');
  expect(await now(owner)).toMatchObject({
    plan: { identifier: 'premium_monthly' },
    pending_change: { plan: { identifier: 'unlimited_monthly' } },
  });
  await pass(company.id, 31);
  expect(await now(owner)).toMatchObject({ plan: { identifier: 'unlimited_monthly' } });
  const downsold = await app.as(owner).request(subscription.cancelSubscription, {
    ...of(company.id),
    body: { reason: 'too_expensive', downsell_plan: 'starter' },
  });
  expect(downsold.status).toBe(200);
  await saveCard(owner, cards.declines);
  await pass(company.id, 31);
  expect(await now(owner)).toMatchObject({
    plan: { identifier: 'starter' },
    state: 'retry_period',
    balance_cents: 1900,
  });
  await pass(company.id, 15);
  expect(await account(company.id)).toMatchObject({ suspended: true });
  await pass(company.id, 10);
  expect(await now(owner)).toMatchObject({ state: 'expired', balance_cents: 1900 });
  const numbersOf = (await invoices(owner)).map(({ number }) => number);
  expect(new Set(numbersOf).size).toBe(numbersOf.length);
});
