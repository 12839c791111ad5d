import { describe, expect, test } from 'vitest';
import {
  billing,
  billingContacts,
  calls,
  companies,
  routing,
  subscription,
  tracking,
} from '#contract';
import { createTestApp, type TestPerson } from '../../../../test/support/test-app.ts';
import { inboxHelpers, uniquePhone } from '../../../../test/support/inbox.ts';
import { systemCtx } from '../../../platform/context.ts';
import { collect } from '../payments/collect.ts';
import { insertEntry } from '../ledger/store-ledger.ts';
import { startDueDunning } from '../jobs.ts';
import { takeDunningStep } from './take-step.ts';

const app = await createTestApp();
const inbox = inboxHelpers(app);
const { db } = app.services;
const day = 86_400;
const of = (companyId: number) => ({ params: { companyId } });
const system = (companyId: number) => systemCtx(app.services, companyId, app.notifier);
const now = async (owner: TestPerson) =>
  (await app.as(owner).request(subscription.getSubscription, of(owner.companyId))).body.data;

/** A company whose card was just declined. */
async function declined() {
  const { company, owner } = await app.createCompany();
  const at = app.clock.value;
  await db.systemTransaction((tx) =>
    tx
      .insertInto('subscription')
      .values({
        company_id: company.id,
        state: 'active',
        plan: 'premium_monthly',
        anchor_at: at,
        period_start: at,
        period_end: new Date(at.getTime() + 30 * day * 1000),
        had_trial: true,
        provider: 'sandbox',
        card_reference: 'card.declines.test',
        card_brand: 'Visa',
        card_last4: '0341',
        card_exp_month: 9,
        card_exp_year: 2039,
        created_at: at,
        updated_at: at,
      })
      .execute(),
  );
  await system(company.id).transaction((t) =>
    insertEntry(t.tx, company.id, {
      cause: 'test:1',
      kind: 'charge',
      amountCents: 3900,
      currency: 'USD',
      description: 'A month of Unlimited',
      at,
    }),
  );
  await collect(system(company.id));
  return { company, owner };
}
const isSuspended = async (companyId: number) =>
  (
    await db.unscoped
      .selectFrom('company')
      .select('suspended_at')
      .where('id', '=', companyId)
      .executeTakeFirstOrThrow()
  ).suspended_at !== null;
/** The clock goes on, a day at a time. */
async function days(n: number) {
  for (let i = 0; i < n; i++) {
    app.clock.advance(day);
    await startDueDunning(system(0));
    await app.drainJobs();
  }
}
const subjects = async (to: string) => (await app.mails(to)).map(({ subject }) => subject);
const goodCard = (owner: TestPerson) =>
  app.as(owner).request(billing.updateCompanyBilling, {
    ...of(owner.companyId),
    body: { cc_number: '4242424242424242', cc_exp: '09/39', cc_cvc: '123' },
  });

describe('an unpaid plan', () => {
  test('is reminded of on days 1, 5 and 10, suspended on day 15, ended on day 25', async () => {
    const { company, owner } = await declined();
    const name = (await app.as(owner).request(companies.getCompany, { params: { id: company.id } }))
      .body.data.name;
    expect(await now(owner)).toMatchObject({ state: 'retry_period', balance_cents: 3900 });
    const failed = `${name}: your payment of $39 failed`;
    const seen: [number, string][] = [];
    for (let d = 1; d <= 26; d++) {
      const before = (await subjects(owner.email)).length;
      await days(1);
      for (const subject of (await subjects(owner.email)).slice(before)) seen.push([d, subject]);
      expect([d, await isSuspended(company.id)]).toEqual([d, d >= 15]);
    }
    expect(seen).toEqual([
      [1, failed],
      [5, failed],
      [10, failed],
      [15, `${name}: your account is suspended`],
      [25, `${name}: your plan has ended`],
    ]);
    expect(await now(owner)).toMatchObject({ state: 'expired', balance_cents: 3900 });
    const tries = await db.unscoped
      .selectFrom('payment_attempt')
      .select('state')
      .where('company_id', '=', company.id)
      .execute();
    // The first, and once more at each step before the plan ends.
    expect(tries.map(({ state }) => state)).toEqual(Array(6).fill('declined'));
  });

  test('suspended it sends nothing, lets in who can pay, and still takes calls and texts', async () => {
    const { company, owner } = await declined();
    const other = await app.createCompany();
    const member = await app.createPerson(company.id, 'user');
    const payer = await app.createPerson(company.id, 'billing');
    const number = await inbox.number(company.id);
    const phone = uniquePhone();
    await inbox.text(phone, number.number, 'Are you open?');
    await days(15);
    const send = () => inbox.send(owner, { numberId: number.id, to: phone, message: 'Yes' });
    const call = () =>
      app
        .as(owner)
        .request(calls.placeCall, { body: { number_id: number.id, destination: phone } });
    const refused = [409, { code: 'company.suspended' }];
    for (const { status, body } of [await send(), await call()])
      expect([status, body]).toMatchObject(refused);
    const inside = (person: TestPerson) => inbox.asked(person, {});
    const kept = await inside(member);
    expect([kept.status, kept.body]).toMatchObject([403, { code: 'company.closed_until_paid' }]);
    const me = async (person: TestPerson) =>
      (await app.as(person).request(companies.getUser, { query: { company_id: company.id } })).body
        .data;
    expect(await me(member)).toMatchObject({ closed_until_paid: true, permissions: {} });
    for (const person of [payer, owner])
      expect(await me(person)).toMatchObject({ closed_until_paid: false });
    expect((await inside(owner)).status).toBe(200);
    await inbox.text(phone, number.number, 'Hello?');
    expect((await inside(owner)).body.data).toHaveLength(1);
    expect((await inside(owner)).body.data[0]).toMatchObject({ numUnreadItems: 2 });
    // The other company goes on as before.
    expect((await inbox.asked(other.owner, {})).status).toBe(200);
    // Paid, everything works again at once.
    expect((await goodCard(owner)).body.meta.payment.state).toBe('paid');
    expect(await now(owner)).toMatchObject({ state: 'active', past_due_since: null });
    expect((await inside(member)).status).toBe(200);
    expect((await send()).status).toBeLessThan(300);
    await days(30);
    expect(await now(owner)).toMatchObject({ state: 'active' });
  });

  test('numbers are kept 30 more days, then given up after three warnings, pooled ones too', async () => {
    const { company, owner } = await declined();
    const saved = await declined();
    const [plain, pooled, keeps] = [
      await inbox.number(company.id),
      await inbox.number(company.id),
      await inbox.number(saved.company.id),
    ];
    const pool = await app.as(owner).request(tracking.createPool, {
      ...of(company.id),
      body: { name: 'Website', numberIds: [pooled.id] },
    });
    expect(pool.status).toBe(201);
    await days(54);
    const statusOf = async (person: TestPerson, id: number) =>
      (await app.as(person).request(routing.getNumber, { params: { id } })).body.data.status;
    const warnings = (await subjects(owner.email)).filter((subject) =>
      subject.includes('your numbers are given up on'),
    );
    expect(warnings).toHaveLength(3);
    expect(await statusOf(owner, plain.id)).toBe('active');
    // A new plan that is paid keeps them.
    await goodCard(saved.owner);
    const bought = await app.as(saved.owner).request(subscription.migrateSubscription, {
      ...of(saved.company.id),
      body: { identifier: 'starter' },
    });
    expect(bought.body.data).toMatchObject({ state: 'active', balance_cents: 0 });
    await days(1);
    expect(await statusOf(owner, plain.id)).toBe('releasing');
    expect(await statusOf(owner, pooled.id)).toBe('releasing');
    expect(await statusOf(saved.owner, keeps.id)).toBe('active');
  });

  test('after a standstill each step still comes, a day apart', async () => {
    const { company, owner } = await declined();
    app.clock.advance(40 * day);
    await startDueDunning(system(0));
    await app.drainJobs();
    expect(await subjects(owner.email)).toHaveLength(1);
    expect(await isSuspended(company.id)).toBe(false);
    await days(3);
    expect(await subjects(owner.email)).toHaveLength(4);
    expect(await isSuspended(company.id)).toBe(true);
  });

  test('two workers take a step once', async () => {
    const { company, owner } = await declined();
    app.clock.advance(day);
    await Promise.all([takeDunningStep(system(company.id)), takeDunningStep(system(company.id))]);
    expect(await subjects(owner.email)).toHaveLength(1);
  });
});

describe('billing contacts', () => {
  test('hear by email and text as they want, from a number of the company', async () => {
    const { company, owner } = await declined();
    const stranger = await declined();
    const number = await inbox.number(company.id);
    await inbox.number(stranger.company.id);
    const people = [
      { email: true, sms: true, stops: false },
      { email: false, sms: true, stops: false },
      { email: true, sms: false, stops: false },
      { email: false, sms: true, stops: true },
    ].map((ways) => ({ ...ways, phone: uniquePhone() }));
    for (const [i, { email, sms, phone, stops }] of people.entries()) {
      const added = await app.as(owner).request(billingContacts.createBillingContact, {
        ...of(company.id),
        body: {
          firstName: 'Bea',
          email: `bea.${company.id}.${i}@people.test`,
          phone,
          emailNotifications: email,
          smsNotifications: sms,
        },
      });
      expect(added.status).toBeLessThan(300);
      if (stops) await inbox.text(phone, number.number, 'STOP');
    }
    await days(1);
    for (const [i, { email, sms, phone, stops }] of people.entries()) {
      expect(await subjects(`bea.${company.id}.${i}@people.test`)).toHaveLength(email ? 1 : 0);
      const texts = (await inbox.received(phone)).filter(({ text }) => text.includes('balance'));
      expect(texts.map(({ from }) => from)).toEqual(sms && !stops ? [number.number] : []);
    }
  });
});
