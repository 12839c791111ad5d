import { afterEach, describe, expect, test } from 'vitest';
import { billing, billingAccounts, billingTax, subscription, type BodyIn } from '#contract';
import { textOfPdf } from '../../../../test/support/read-pdf.ts';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';

const app = await createTestApp();
const headers = { isadmin: '1' };
const staff = await app.createStaff();
const reads = await app.createStaff('reads');
const of = (companyId: number) => ({ params: { companyId } });
const asStaff = (companyId: number) => ({ ...of(companyId), headers });
const salesTax = { name: 'Sales tax', rate: 8875, included: false, seller_tax_id: '84-1234567' };
const noTax = { name: '', rate: 0, included: false };

const setTax = (body: BodyIn<typeof billingTax.updateBillingTax>, who = staff) =>
  app.as(who).request(billingTax.updateBillingTax, { body, headers });
const setException = (
  companyId: number,
  body: BodyIn<typeof billingTax.updateAccountTax>,
  who = staff,
) => app.as(who).request(billingTax.updateAccountTax, { ...asStaff(companyId), body });
afterEach(async () => {
  await setTax(noTax);
});

const migrate = (
  owner: TestPerson,
  identifier: 'starter' | 'unlimited_monthly' | 'deluxe_monthly',
) =>
  app
    .as(owner)
    .request(subscription.migrateSubscription, { ...of(owner.companyId), body: { identifier } });
const invoices = async (owner: TestPerson) =>
  (await app.as(owner).request(subscription.listInvoices, of(owner.companyId))).body.data;
const now = async (owner: TestPerson) =>
  (await app.as(owner).request(subscription.getSubscription, of(owner.companyId))).body.data;
const account = async (companyId: number) =>
  (await app.as(staff).request(billingAccounts.getBillingAccount, asStaff(companyId))).body.data;
const pdf = async (owner: TestPerson, id: number) => {
  const answer = await app.server.inject({
    url: `/api/company/${owner.companyId}/invoices/${id}/pdf`,
    headers: { authorization: `Bearer ${owner.token}` },
  });
  return textOfPdf(answer.rawPayload);
};
const pass = (companyId: number, days: number) =>
  app
    .as(staff)
    .request(billingAccounts.moveBillingClock, { ...asStaff(companyId), body: { days } });
/** A company with a card, whose first paid month of Unlimited is invoiced. */
async function paying() {
  const { company, owner } = await app.createCompany();
  await app.as(owner).request(billing.updateCompanyBilling, {
    ...of(company.id),
    body: { cc_number: '4242424242424242', cc_exp: '09/39', cc_cvc: '123' },
  });
  await migrate(owner, 'unlimited_monthly');
  await pass(company.id, 14);
  return { company, owner };
}
const books = async (companyId: number) =>
  (await account(companyId)).entries
    .map(({ kind, amount_cents: cents }) => [kind, cents])
    .toReversed();

describe('without a tax', () => {
  test('invoices say none, and nothing is entered', async () => {
    const { company, owner } = await paying();
    expect(await invoices(owner)).toMatchObject([{ total_cents: 3900, tax_cents: 0, tax: null }]);
    expect((await now(owner)).tax).toBeNull();
    expect(await books(company.id)).toEqual([
      ['charge', 3900],
      ['payment', -3900],
    ]);
  });
});

describe('tax that is added', () => {
  test('is told before, charged with the invoice, entered by itself and printed', async () => {
    await setTax(salesTax);
    const { company, owner } = await paying();
    const [invoice] = await invoices(owner);
    expect(invoice).toMatchObject({
      ...{ total_cents: 4246, tax_cents: 346, status: 'paid' },
      tax: { ...salesTax, exempt: null },
      lines: [{ amount_cents: 3900 }],
    });
    expect(await books(company.id)).toEqual([
      ['charge', 3900],
      ['tax', 346],
      ['payment', -4246],
    ]);
    expect(await now(owner)).toMatchObject({ next_charge_cents: 4246, tax: { rate: 8875 } });
    const usage = await app.as(owner).request(subscription.usageSimple, of(company.id));
    expect(usage.body.data).toMatchObject({
      estimated_total_cents: 4246,
      estimated_tax_cents: 346,
    });
    const text = await pdf(owner, invoice?.id ?? 0);
    for (const said of [
      'Subtotal',
      '$39.00',
      'Sales tax (8.875%)',
      '$3.46',
      '$42.46 USD',
      '84-1234567',
    ])
      expect(text).toContain(said);
  });

  test('is in the preview to the cent that is charged then', async () => {
    await setTax(salesTax);
    const { owner } = await paying();
    const { body } = await app.as(owner).request(subscription.previewMigration, {
      ...of(owner.companyId),
      body: { identifier: 'deluxe_monthly' },
    });
    const { charge_now_cents: told, tax_cents: tax } = body.data;
    expect(tax).toBe(Math.round((told - tax) * 0.088_75));
    await migrate(owner, 'deluxe_monthly');
    const [change] = await invoices(owner);
    // Seconds passed between the two.
    expect(Math.abs((change?.total_cents ?? 0) - told)).toBeLessThanOrEqual(1);
    expect(await now(owner)).toMatchObject({ balance_cents: 0 });
  });

  test('goes back with what is refunded, in parts that add up', async () => {
    await setTax(salesTax);
    const { company, owner } = await paying();
    const [invoice] = await invoices(owner);
    // What holds now isn’t what the invoice was issued with.
    await setTax({ ...salesTax, rate: 20_000 });
    const refund = (amount_cents?: number) =>
      app.as(staff).request(billingAccounts.refundInvoice, {
        ...asStaff(company.id),
        body: {
          invoice_id: invoice?.id ?? 0,
          reason: 'Bought by mistake',
          ...(amount_cents && { amount_cents }),
        },
      });
    for (const cents of [1000, 333, undefined]) expect((await refund(cents)).status).toBe(200);
    const notes = (await invoices(owner)).filter(({ kind }) => kind === 'credit_note');
    const sum = (of: (note: (typeof notes)[number]) => number) =>
      notes.reduce((cents, note) => cents + of(note), 0);
    expect(sum((note) => note.total_cents)).toBe(-4246);
    expect(sum((note) => note.tax_cents)).toBe(-346);
    expect(sum((note) => note.lines[0]?.amount_cents ?? 0)).toBe(-3900);
    expect(notes.at(-1)).toMatchObject({ total_cents: -1000, tax_cents: -81, tax: { rate: 8875 } });
    expect(await now(owner)).toMatchObject({ balance_cents: 0 });
    expect(await pdf(owner, notes[0]?.id ?? 0)).toContain('Sales tax (8.875%)');
  });

  test('is in what an operator credits: the account gets what was entered', async () => {
    await setTax(salesTax);
    const { company, owner } = await paying();
    await app.as(staff).request(billingAccounts.creditAccount, {
      ...asStaff(company.id),
      body: { amount_cents: 500, reason: 'Two hours without calls' },
    });
    expect((await invoices(owner))[0]).toMatchObject({
      ...{ kind: 'credit_note', total_cents: -500, tax_cents: -41 },
      lines: [{ amount_cents: -459 }],
    });
    expect(await now(owner)).toMatchObject({ balance_cents: -500 });
  });
});

describe('tax that prices include', () => {
  test('leaves the price and is taken out of it', async () => {
    await setTax({ name: 'VAT', rate: 20_000, included: true });
    const { company, owner } = await paying();
    const [invoice] = await invoices(owner);
    expect(invoice).toMatchObject({
      total_cents: 3900,
      tax_cents: 650,
      lines: [{ amount_cents: 3900 }],
    });
    expect(await books(company.id)).toEqual([
      ['charge', 3250],
      ['tax', 650],
      ['payment', -3900],
    ]);
    const text = await pdf(owner, invoice?.id ?? 0);
    for (const said of ['Without tax', '$32.50', 'VAT (20%, included)', '$6.50'])
      expect(text).toContain(said);
  });
});

describe('an account', () => {
  test('is exempt with a reason and a number, which its invoices say', async () => {
    await setTax(salesTax);
    const { company, owner } = await app.createCompany();
    expect((await setException(company.id, { treatment: 'exempt' })).status).toBe(422);
    const set = await setException(company.id, {
      ...{ treatment: 'exempt', reason: 'Resale', number: 'MA-4471' },
    });
    expect(set.body.data.tax_exception).toMatchObject({ treatment: 'exempt', number: 'MA-4471' });
    await migrate(owner, 'starter');
    await pass(company.id, 14);
    const [invoice] = await invoices(owner);
    expect(invoice).toMatchObject({
      total_cents: 1900,
      tax_cents: 0,
      tax: { exempt: { reason: 'Resale' } },
    });
    const text = await pdf(owner, invoice?.id ?? 0);
    expect(text).toContain('Sales tax (0%, exempt)');
    expect(text).toContain('No tax: Resale, MA-4471.');
    // Another company is taxed as before.
    const other = await paying();
    expect((await invoices(other.owner))[0]).toMatchObject({ tax_cents: 346 });
  });

  test('has the rate of its place, until it is taxed as all others again', async () => {
    const { company, owner } = await paying();
    await setException(company.id, { treatment: 'rate', name: 'Texas sales tax', rate: 8250 });
    expect((await now(owner)).tax).toMatchObject({ name: 'Texas sales tax', rate: 8250 });
    await pass(company.id, 31);
    expect((await invoices(owner))[0]).toMatchObject({ total_cents: 4222, tax_cents: 322 });
    await setException(company.id, { treatment: 'standard' });
    expect((await now(owner)).tax).toBeNull();
  });
});

describe('who may', () => {
  test('only platform staff with the right to change see it changed, and it is written down', async () => {
    const { company, owner } = await app.createCompany();
    for (const person of [owner, reads]) {
      expect((await setTax(salesTax, person)).status).toBe(403);
      const refused = await setException(
        company.id,
        { treatment: 'rate', name: 'X', rate: 1 },
        person,
      );
      expect(refused.status).toBe(403);
    }
    expect((await setTax({ ...salesTax, name: '' })).status).toBe(422);
    const { body } = await setTax(salesTax);
    expect(body.data).toMatchObject(salesTax);
    expect(body.data.history[0]).toMatchObject({
      rate: 8875,
      changed_by: expect.stringMatching(/./),
    });
    const seen = await app.as(staff).request(billingTax.getBillingTax, { headers });
    expect(seen.body.data).toMatchObject(salesTax);
  });
});
