import { describe, expect, test } from 'vitest';
import { billing, billingContacts, subscription, type BodyIn } from '#contract';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';

const app = await createTestApp();
const as = (person: TestPerson) => app.as(person);
const of = (companyId: number) => ({ params: { companyId } });

describe('a company without a plan', () => {
  test('is not subscribed, owes nothing and can choose a plan', async () => {
    const { company, owner } = await app.createCompany();
    const { body } = await as(owner).request(subscription.getSubscription, of(company.id));
    expect(body.data).toMatchObject({
      id: null,
      company_id: company.id,
      state: 'not_subscribed',
      plan: null,
      balance_cents: 0,
      next_charge_cents: null,
      receivesInvoiceEmails: true,
      provider: 'sandbox',
    });
    const { body: list } = await as(owner).request(subscription.listPlans, of(company.id));
    expect(list.data.map(({ identifier, price_cents: cents }) => [identifier, cents])).toEqual([
      ['starter', 1900],
      ['unlimited_monthly', 3900],
      ['unlimited_yearly', 39_600],
      ['premium_monthly', 7900],
      ['premium_yearly', 79_200],
      ['deluxe_monthly', 14_900],
      ['deluxe_yearly', 148_800],
    ]);
  });

  test('who has the legacy plan sees it beside those that are sold', async () => {
    const { company, owner } = await app.createCompany();
    const { now } = app.services;
    await app.services.db.systemTransaction((tx) =>
      tx
        .insertInto('subscription')
        .values({
          company_id: company.id,
          state: 'active',
          plan: 'unlimited',
          period_end: now(),
          provider: 'sandbox',
          created_at: now(),
          updated_at: now(),
        })
        .execute(),
    );
    const { body } = await as(owner).request(subscription.listPlans, of(company.id));
    expect(body.data.find((plan) => plan.is_legacy)).toMatchObject({
      identifier: 'unlimited',
      is_public: false,
    });
  });

  test('invoice mails are turned off and on; administrators only look', async () => {
    const { company, owner } = await app.createCompany();
    const change = (person: TestPerson, receivesInvoiceEmails: boolean) =>
      as(person).request(subscription.updateSubscription, {
        ...of(company.id),
        body: { receivesInvoiceEmails },
      });
    expect((await change(owner, false)).body.data.receivesInvoiceEmails).toBe(false);
    expect((await change(owner, true)).body.data.receivesInvoiceEmails).toBe(true);
    const administrator = await app.createPerson(company.id, 'administrator');
    expect((await change(administrator, false)).status).toBe(403);
    const seen = await as(administrator).request(subscription.getSubscription, of(company.id));
    expect([seen.status, seen.body.data.receivesInvoiceEmails]).toEqual([200, true]);
  });
});

test('the billing address is saved piece by piece', async () => {
  const { company, owner } = await app.createCompany();
  const save = (body: BodyIn<typeof billing.updateCompanyBilling>) =>
    as(owner).request(billing.updateCompanyBilling, { ...of(company.id), body });
  await save({ billing_name: ' Harbor Dental LLC ', billing_country: 'us' });
  const { body } = await save({ billing_zip: '02110' });
  expect(body).toMatchObject({
    data: {
      billing_name: 'Harbor Dental LLC',
      billing_zip: '02110',
      billing_country: 'US',
      payment_method: null,
      takes_cards: true,
    },
    meta: { payment: { state: 'none' } },
  });
  expect((await save({ billing_country: 'USA' })).status).toBe(422);
});

describe('billing contacts', () => {
  const bea = { firstName: 'Bea', lastName: 'Ledger', email: 'Bea@People.test' };
  const create = (person: TestPerson, body: BodyIn<typeof billingContacts.createBillingContact>) =>
    as(person).request(billingContacts.createBillingContact, { ...of(person.companyId), body });

  test('are added, changed, listed and removed', async () => {
    const { company, owner } = await app.createCompany();
    const made = await create(owner, { ...bea, phone: '(212) 555-0184' });
    expect(made).toMatchObject({
      status: 201,
      body: { data: { fullName: 'Bea Ledger', phone: '+12125550184', smsNotifications: false } },
    });
    const params = { companyId: company.id, id: made.body.data.id };
    const changed = await as(owner).request(billingContacts.updateBillingContact, {
      params,
      body: { smsNotifications: true, firstName: 'Beatrice' },
    });
    expect(changed.body.data).toMatchObject({
      fullName: 'Beatrice Ledger',
      smsNotifications: true,
      emailNotifications: true,
    });
    const list = () => as(owner).request(billingContacts.listBillingContacts, of(company.id));
    expect((await list()).body.data).toHaveLength(1);
    expect((await as(owner).request(billingContacts.deleteBillingContact, { params })).status).toBe(
      204,
    );
    expect((await list()).body.data).toEqual([]);
  });

  test('one address is one contact, whatever its case and however many add it at once', async () => {
    const { owner } = await app.createCompany();
    const statuses = await Promise.all(
      [bea, { ...bea, email: 'bea@people.TEST' }, bea].map(
        async (body) => (await create(owner, body)).status,
      ),
    );
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
  });

  test('text messages need a phone number', async () => {
    const { company, owner } = await app.createCompany();
    expect(await create(owner, { ...bea, smsNotifications: true })).toMatchObject({
      status: 422,
      body: { errors: { smsNotifications: ['Enter a phone number to get text messages.'] } },
    });
    const { body } = await create(owner, { ...bea, phone: '2125550184', smsNotifications: true });
    const gone = await as(owner).request(billingContacts.updateBillingContact, {
      params: { companyId: company.id, id: body.data.id },
      body: { phone: '' },
    });
    expect(gone.status).toBe(422);
  });

  test('another company’s contact isn’t there', async () => {
    const { owner } = await app.createCompany();
    const other = await app.createCompany();
    const { body } = await create(owner, bea);
    const params = { companyId: other.company.id, id: body.data.id };
    const asked = [
      await as(other.owner).request(billingContacts.updateBillingContact, {
        params,
        body: { firstName: 'Mallory' },
      }),
      await as(other.owner).request(billingContacts.deleteBillingContact, { params }),
    ];
    expect(asked.map((answer) => answer.status)).toEqual([404, 404]);
  });
});

test('without billing there are no plans and no card field, but billing contacts stay', async () => {
  const off = await createTestApp({ env: { BILLING: 'off' } });
  const { company, owner } = await off.createCompany();
  const answers = [
    await off.as(owner).request(subscription.getSubscription, of(company.id)),
    await off.as(owner).request(subscription.listPlans, of(company.id)),
    await off.as(owner).request(billing.companyBilling, of(company.id)),
    await off.as(owner).request(billing.retryPayment, of(company.id)),
    await off.as(owner).request(billing.cardSecurityToken, { query: { company_id: company.id } }),
    await off
      .as(owner)
      .request(billing.updateCompanyBilling, { ...of(company.id), body: { billing_zip: '1' } }),
  ];
  for (const answer of answers)
    expect(answer).toMatchObject({ status: 409, body: { code: 'billing.off' } });
  const page = await off.as(null).inject({ method: 'POST', url: '/sandbox/payments/tokens' });
  expect(page.status).toBe(404);
  const contacts = await off.as(owner).request(billingContacts.listBillingContacts, of(company.id));
  expect(contacts.status).toBe(200);
});

test('by invoice, cards are refused in words', async () => {
  const manual = await createTestApp({ env: { BILLING: 'manual' } });
  const { company, owner } = await manual.createCompany();
  const { body } = await manual.as(owner).request(billing.companyBilling, of(company.id));
  expect(body.data).toMatchObject({ provider: 'manual', takes_cards: false });
  expect(await manual.as(owner).request(billing.retryPayment, of(company.id))).toMatchObject({
    status: 409,
    body: { code: 'billing.by_invoice' },
  });
  const card = { cc_number: '4242424242424242', cc_exp: '09/31', cc_cvc: '123' };
  expect(
    await manual.as(owner).request(billing.updateCompanyBilling, { ...of(company.id), body: card }),
  ).toMatchObject({ status: 422, body: { code: 'billing.card_number' } });
});
