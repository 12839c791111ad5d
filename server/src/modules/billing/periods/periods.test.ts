import { expect, test } from 'vitest';
import { billing, billingContacts, subscription } from '#contract';
import type { PlanId, SubscriptionState } from '#contract/billing/rules';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { readAloud, textOfPdf } from '../../../../test/support/read-pdf.ts';
import { systemCtx } from '../../../platform/context.ts';
import { insertInvoice } from '../invoices/store-invoices.ts';
import { startDuePeriods } from '../jobs.ts';
import { closePeriods, planLine } from './close-period.ts';

const app = await createTestApp();
const day = 86_400_000;
const of = (companyId: number) => ({ params: { companyId } });
const system = (companyId: number) => systemCtx(app.services, companyId, app.notifier);

/** A company whose period ends in a day. */
async function subscribed(
  more: { state?: SubscriptionState; plan?: PlanId; card?: string | null; trial?: boolean } = {},
) {
  const { company, owner } = await app.createCompany();
  const now = app.clock.value;
  const end = new Date(now.getTime() + day);
  const start = new Date(now.getTime() - 13 * day);
  const card = more.card === undefined ? 'card.pays.test' : more.card;
  await app.services.db.systemTransaction((tx) =>
    tx
      .insertInto('subscription')
      .values({
        company_id: company.id,
        state: more.state ?? 'active',
        plan: more.plan ?? 'unlimited_monthly',
        anchor_at: start,
        period_start: start,
        period_end: end,
        trial_ends_at: more.trial ? end : null,
        provider: 'sandbox',
        ...(card && {
          card_reference: card,
          card_brand: 'Visa',
          card_last4: '4242',
          card_exp_month: 9,
          card_exp_year: 2039,
        }),
        created_at: now,
        updated_at: now,
      })
      .execute(),
  );
  return { company, owner };
}
/** What the clock does: a day and a bit later the due periods are closed. */
async function aDayLater() {
  app.clock.advance(86_400 + 60);
  await startDuePeriods(system(0));
  await app.drainJobs();
}
const now = async (owner: TestPerson) =>
  (await app.as(owner).request(subscription.getSubscription, of(owner.companyId))).body.data;
const invoices = async (owner: TestPerson) =>
  (await app.as(owner).request(subscription.listInvoices, of(owner.companyId))).body.data;
const uses = (companyId: number, component: string, quantity: number) =>
  app.services.db.systemTransaction((tx) =>
    tx
      .insertInto('usage_entry')
      .values({ company_id: companyId, component, cause: 'test', quantity, at: app.clock.value })
      .execute(),
  );

test('at the end of a period usage beyond the plan and the next period are invoiced and paid', async () => {
  const { company, owner } = await subscribed();
  await uses(company.id, 'voice_minutes', 5100);
  await uses(company.id, 'text_credits', 480);
  const simple = await app.as(owner).request(subscription.usageSimple, of(company.id));
  expect(simple.body.data).toMatchObject({
    voice_minutes: { used: 5100, included: 5000 },
    text_credits: { used: 480, included: 500 },
    estimated_total_cents: 3900 + 400,
  });
  const before = await now(owner);
  await aDayLater();
  const [invoice, ...others] = await invoices(owner);
  expect(others).toEqual([]);
  expect(invoice).toMatchObject({
    total_cents: 4300,
    due_cents: 0,
    status: 'paid',
    lines: [
      { kind: 'plan', description: 'Unlimited, monthly', amount_cents: 3900 },
      { kind: 'usage', quantity: 100, unit_cents: 4, amount_cents: 400 },
    ],
  });
  expect(await now(owner)).toMatchObject({
    state: 'active',
    balance_cents: 0,
    current_period_start: before.current_period_end,
  });
});

test('the PDF holds number, name and lines, and its amounts add up', async () => {
  const { company, owner } = await subscribed({ plan: 'starter' });
  await app.as(owner).request(billing.updateCompanyBilling, {
    ...of(company.id),
    body: {
      billing_name: 'Łódź Dental & Söhne, Nguyễn, Їжак, Αθήνα',
      billing_city: 'Boston',
      billing_zip: '02110',
    },
  });
  await uses(company.id, 'fax_pages', 7);
  await uses(company.id, 'caller_lookups', 3);
  await aDayLater();
  const [invoice] = await invoices(owner);
  const { statusCode, rawPayload, headers } = await app.server.inject({
    url: invoice?.pdf_url ?? '',
    headers: { authorization: `Bearer ${owner.token}` },
  });
  expect([statusCode, headers['content-type']]).toEqual([200, 'application/pdf']);
  const text = await textOfPdf(rawPayload);
  expect(await readAloud(rawPayload)).toMatchObject({
    title: `${invoice?.number} – Trunkline`,
    language: 'en-US',
    untagged: 0,
  });
  expect(text).toContain(invoice?.number);
  expect(text).toContain('Łódź Dental & Söhne, Nguyễn, Їжак, Αθήνα');
  const amounts = [...text.matchAll(/(\d+\.\d\d)\s*$/gm)].map((match) => Number(match[1]));
  const cents = (invoice?.lines ?? []).map((line) => line.amount_cents);
  for (const amount of cents) expect(amounts).toContain(amount / 100);
  expect(cents.reduce((sum, amount) => sum + amount, 0)).toBe(invoice?.total_cents);
  expect(text).toContain(`$${((invoice?.total_cents ?? 0) / 100).toFixed(2)}`);
  const stranger = await app.createCompany();
  const stolen = await app.server.inject({
    url: invoice?.pdf_url ?? '',
    headers: { authorization: `Bearer ${stranger.owner.token}` },
  });
  expect(stolen.statusCode).toBe(404);
});

test('a trial is free, its usage too; then the plan is charged', async () => {
  const { company, owner } = await subscribed({ trial: true });
  await uses(company.id, 'voice_minutes', 9000);
  await aDayLater();
  expect(await invoices(owner)).toMatchObject([{ total_cents: 3900, status: 'paid' }]);
  expect(await now(owner)).toMatchObject({ state: 'active', trial_ends_at: null });
});

test('without a card the account is past due, and a card that pays makes it active again', async () => {
  const { owner } = await subscribed({ card: null });
  await aDayLater();
  expect(await now(owner)).toMatchObject({ state: 'retry_period', balance_cents: 3900 });
  expect(await invoices(owner)).toMatchObject([{ status: 'open', due_cents: 3900 }]);
  await app.as(owner).request(billing.updateCompanyBilling, {
    ...of(owner.companyId),
    body: { cc_number: '4242424242424242', cc_exp: '09/39', cc_cvc: '123' },
  });
  expect(await now(owner)).toMatchObject({ state: 'active', balance_cents: 0 });
  expect(await invoices(owner)).toMatchObject([{ status: 'paid', due_cents: 0 }]);
});

test('a plan that was set to end ends, and only its usage is invoiced', async () => {
  const { company, owner } = await subscribed({ state: 'canceling' });
  await uses(company.id, 'fax_pages', 2);
  await aDayLater();
  expect(await now(owner)).toMatchObject({ state: 'expired', next_charge_at: null });
  expect(await invoices(owner)).toMatchObject([{ total_cents: 10 }]);
});

test('two workers at once, and a day that is run again, bill a period once', async () => {
  const { company, owner } = await subscribed();
  app.clock.advance(86_400 + 60);
  const close = () => system(company.id).transaction((t) => closePeriods(t));
  const closed = await Promise.all([close(), close(), close()]);
  expect(closed.filter(Boolean)).toHaveLength(1);
  await close();
  await app.drainJobs();
  expect(await invoices(owner)).toHaveLength(1);
  expect((await now(owner)).balance_cents).toBe(0);
});

test('invoice numbers have no gaps, also after one that was not committed and with many at once', async () => {
  const companies = await Promise.all([1, 2, 3, 4].map(() => subscribed()));
  const issue = (companyId: number, fails: boolean) =>
    system(companyId).transaction(async (t) => {
      const row = await insertInvoice(
        t.tx,
        companyId,
        {
          kind: 'invoice',
          cause: `test:${Math.random()}`,
          issued_at: t.now,
          period_start: t.now,
          period_end: t.now,
          currency: 'USD',
          total_cents: 1,
          bill_to: {},
        },
        [planLine('starter')],
      );
      if (fails) throw new Error('not committed');
      return row.number;
    });
  await Promise.allSettled(
    companies.flatMap(({ company }) => [
      issue(company.id, false),
      issue(company.id, true),
      issue(company.id, false),
    ]),
  );
  const { rows } = await app.services.db.systemTransaction(async (tx) => ({
    rows: await tx.selectFrom('invoice').select('number').orderBy('number').execute(),
  }));
  expect(rows.map(({ number }) => number)).toEqual(rows.map((_, i) => i + 1));
});

test('invoices are mailed to owners and billing contacts, unless they are turned off', async () => {
  const { company, owner } = await subscribed();
  for (const emailNotifications of [true, false])
    await app.as(owner).request(billingContacts.createBillingContact, {
      ...of(company.id),
      body: {
        firstName: 'Bea',
        email: `bea.${company.id}.${emailNotifications}@people.test`,
        emailNotifications,
      },
    });
  await aDayLater();
  const [invoice] = await invoices(owner);
  const mailed = async (to: string) => (await app.mails(to)).map(({ subject }) => subject);
  const subject = `Your invoice ${invoice?.number}: $39`;
  expect(await mailed(owner.email)).toEqual([subject]);
  expect(await mailed(`bea.${company.id}.true@people.test`)).toEqual([subject]);
  expect(await mailed(`bea.${company.id}.false@people.test`)).toEqual([]);
  const quiet = await subscribed();
  await app.as(quiet.owner).request(subscription.updateSubscription, {
    ...of(quiet.company.id),
    body: { receivesInvoiceEmails: false },
  });
  await aDayLater();
  expect(await mailed(quiet.owner.email)).toEqual([]);
});
