import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { billing, subscription } from '#contract';
import { billingSentences, type PlanId, type SubscriptionState } from '#contract/billing/rules';
import { createTestApp, type TestPerson } from '../../../test/support/test-app.ts';
import { systemCtx } from '../../platform/context.ts';
import { intendCharge } from './payments/charge-balance.ts';
import { balanceOf, insertEntry } from './ledger/store-ledger.ts';
import { mustBe } from '../../platform/must-be.ts';

const app = await createTestApp();
const database = new pg.Client({ connectionString: app.services.settings.databaseUrl ?? '' });
await database.connect();
database.on('error', () => {});
afterAll(() => database.end());
const cards = {
  pays: '4242 4242 4242 4242',
  refused: '4000000000000002',
  declines: '4000-0000-0000-0341',
  confirms: '4000002500003155',
  expires: '4000000000000069',
};
const as = (person: TestPerson) => app.as(person);
const system = (companyId: number) => systemCtx(app.services, companyId, app.notifier);
const inCompany = (companyId: number) => ({ params: { companyId } });
const plain = (method: 'GET' | 'POST', url: string, payload?: object) =>
  app.as(null).inject({ method, url, ...(payload && { payload }) });

/** A company with a plan that owes this much. */
async function owing(cents: number, state: SubscriptionState = 'retry_period') {
  const { company, owner } = await app.createCompany();
  const { now } = app.services;
  await app.services.db.systemTransaction((tx) =>
    tx
      .insertInto('subscription')
      .values({
        company_id: company.id,
        state,
        plan: 'unlimited_monthly' satisfies PlanId,
        anchor_at: now(),
        period_start: now(),
        period_end: new Date(now().getTime() + 30 * 86_400_000),
        provider: 'sandbox',
        created_at: now(),
        updated_at: now(),
      })
      .execute(),
  );
  if (cents)
    await system(company.id).transaction((t) =>
      insertEntry(t.tx, company.id, {
        cause: 'test:1',
        kind: 'charge',
        amountCents: cents,
        currency: 'USD',
        description: 'A month of Unlimited',
        at: now(),
      }),
    );
  return { company, owner };
}
const saveCard = (owner: TestPerson, number: string) =>
  as(owner).request(billing.updateCompanyBilling, {
    ...inCompany(owner.companyId),
    body: { cc_number: number, cc_exp: '09/31', cc_cvc: '123' },
  });
const retry = (owner: TestPerson) =>
  as(owner).request(billing.retryPayment, inCompany(owner.companyId));
const now = async (owner: TestPerson) =>
  (await as(owner).request(subscription.getSubscription, inCompany(owner.companyId))).body.data;
const entries = (companyId: number) =>
  app.services.db.unscoped
    .selectFrom('ledger_entry')
    .select(['kind', 'amount_cents', 'cause'])
    .where('company_id', '=', companyId)
    .orderBy('id')
    .execute();

describe('a new card', () => {
  test('is saved, and nothing is charged before the next cycle', async () => {
    const { owner } = await owing(0, 'active');
    const saved = await saveCard(owner, cards.pays);
    expect(saved.body).toMatchObject({
      data: { payment_method: { brand: 'Visa', last4: '4242', exp: '09/2031' } },
      meta: { payment: { state: 'none', message: billingSentences.saved } },
    });
    expect(await entries(owner.companyId)).toEqual([]);
  });

  test('pays what is owed, and the account is active again', async () => {
    const { owner } = await owing(3900);
    const saved = await saveCard(owner, cards.pays);
    expect(saved.body.meta.payment).toMatchObject({
      state: 'paid',
      message: billingSentences.savedPaid,
    });
    expect(saved.body.data.balance_cents).toBe(0);
    expect(await now(owner)).toMatchObject({ state: 'active', past_due_since: null });
  });

  test('that can’t pay is saved, and the account stays past due', async () => {
    const { owner } = await owing(3900);
    const saved = await saveCard(owner, cards.declines);
    expect([saved.status, saved.body.meta.payment]).toEqual([
      200,
      { state: 'declined', message: billingSentences.savedPastDue, confirm_url: null },
    ]);
    expect(await now(owner)).toMatchObject({
      state: 'retry_period',
      balance_cents: 3900,
      payment_method: { last4: '0341' },
    });
  });

  test('that the issuer refuses is not saved', async () => {
    const { owner } = await owing(3900);
    const refused = await saveCard(owner, cards.refused);
    expect(refused).toMatchObject({
      status: 422,
      body: { code: 'billing.card_declined', message: expect.stringContaining('card issuer') },
    });
    expect((await now(owner)).payment_method).toBeNull();
  });

  test('that ends with this month is said to expire soon', async () => {
    const { owner } = await owing(0, 'active');
    await saveCard(owner, cards.expires);
    expect((await now(owner)).payment_method).toMatchObject({ expires_soon: true });
  });

  test('is entered at the provider, whose token works for one company only', async () => {
    const { owner } = await owing(0, 'active');
    const stranger = await owing(0, 'active');
    const field = await as(owner).request(billing.cardSecurityToken, {
      query: { company_id: owner.companyId },
    });
    const entered = await plain('POST', mustBe(field.body.data.tokens_url, 'address'), {
      security_token: field.body.data.token,
      number: cards.pays,
      exp: '9/2031',
      cvc: '123',
    });
    expect(entered.status).toBe(201);
    const body = { payment_token: String(entered.body.data.token) };
    const stolen = await as(stranger.owner).request(billing.updateCompanyBilling, {
      ...inCompany(stranger.company.id),
      body,
    });
    expect(stolen).toMatchObject({ status: 422, body: { code: 'billing.card_token' } });
    const saved = await as(owner).request(billing.updateCompanyBilling, {
      ...inCompany(owner.companyId),
      body,
    });
    expect(saved.body.data.payment_method).toMatchObject({ last4: '4242' });
  });

  test('must be a test card; a real one is refused at both doors', async () => {
    const { owner } = await owing(0, 'active');
    const real = '4532015112830366';
    expect(await saveCard(owner, real)).toMatchObject({
      status: 422,
      body: { code: 'billing.card_number', message: expect.stringContaining('use the token') },
    });
    const field = await as(owner).request(billing.cardSecurityToken, {
      query: { company_id: owner.companyId },
    });
    expect(
      await plain('POST', mustBe(field.body.data.tokens_url, 'address'), {
        security_token: field.body.data.token,
        number: real,
        exp: '09/31',
        cvc: '123',
      }),
    ).toMatchObject({ status: 422, body: { message: expect.stringContaining('test cards') } });
  });
});

describe('paying again', () => {
  test('pays once, however often it is asked for at the same time', async () => {
    const { owner } = await owing(3900);
    await saveCard(owner, cards.declines);
    await app.services.db.unscoped
      .updateTable('subscription')
      .set({ card_reference: 'card.pays.x' })
      .where('company_id', '=', owner.companyId)
      .execute();
    const answers = await Promise.all([1, 2, 3, 4].map(() => retry(owner)));
    for (const answer of answers)
      expect([200, 409], JSON.stringify(answer.body)).toContain(answer.status);
    expect(answers.some((a) => a.status === 200)).toBe(true);
    expect(await entries(owner.companyId)).toEqual([
      expect.objectContaining({ kind: 'charge', amount_cents: 3900 }),
      expect.objectContaining({ kind: 'payment', amount_cents: -3900 }),
    ]);
    expect(await retry(owner)).toMatchObject({
      status: 409,
      body: { code: 'subscription.nothing_due' },
    });
  });

  test('without a card asks for one; a declined one says what to do', async () => {
    const { owner } = await owing(3900);
    expect(await retry(owner)).toMatchObject({ status: 409, body: { code: 'billing.no_card' } });
    await saveCard(owner, cards.declines);
    expect(await retry(owner)).toMatchObject({
      status: 422,
      body: { code: 'billing.card_declined' },
    });
    expect((await now(owner)).state_reason).toBe('The card has insufficient funds.');
  });

  test('a payment that the bank asks about is paid when the person confirms it', async () => {
    const { owner } = await owing(3900);
    const saved = await saveCard(owner, cards.confirms);
    const { state, confirm_url: url } = saved.body.meta.payment;
    expect(state).toBe('confirm');
    expect((await now(owner)).state).toBe('retry_period');
    const page = await plain('GET', url ?? '');
    expect([page.status, String(page.body)]).toEqual([200, expect.stringContaining('$39.00')]);
    expect((await retry(owner)).body.meta.payment.state).toBe('confirm');
    const answered = await app.server.inject({
      method: 'POST',
      url: `${url}?approve=1`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(answered.headers.location).toBe('/settings/billing?paid=1');
    expect((await retry(owner)).body.meta.payment.state).toBe('paid');
    expect(await now(owner)).toMatchObject({ state: 'active', balance_cents: 0 });
  });

  test('a new card gives up the payment that waited on the old one', async () => {
    const { owner } = await owing(3900);
    const url = (await saveCard(owner, cards.confirms)).body.meta.payment.confirm_url;
    expect((await saveCard(owner, cards.pays)).body.meta.payment.state).toBe('paid');
    await app.server.inject({ method: 'POST', url: `${url}?approve=1` });
    await app.drainJobs();
    expect((await now(owner)).balance_cents).toBe(0);
  });

  test('a charge whose process died before its answer is charged once, by a job', async () => {
    const { owner } = await owing(3900);
    await saveCard(owner, cards.declines);
    await app.services.db.unscoped
      .updateTable('subscription')
      .set({ card_reference: 'card.pays.y' })
      .where('company_id', '=', owner.companyId)
      .execute();
    const provider = mustBe(app.services.gateways.payments, 'provider');
    // The intent is stored and the provider charges; no one hears of it.
    const attempt = await system(owner.companyId).transaction((t) => intendCharge(t, provider));
    const order = {
      key: `trunkline-${owner.companyId}-${attempt.id}`,
      firstAskedAt: new Date(attempt.created_at),
      cardReference: attempt.card_reference,
      amountCents: attempt.amount_cents,
      currency: attempt.currency,
    };
    await provider.charge(order);
    expect((await now(owner)).balance_cents).toBe(3900);
    // What the clock does a minute later.
    await database.query(
      `update graphile_worker._private_jobs set run_at = clock_timestamp()
        where payload ->> 'attemptId' = $1`,
      [String(attempt.id)],
    );
    await app.drainJobs();
    expect(await now(owner)).toMatchObject({ state: 'active', balance_cents: 0 });
    const { rows } = await sql`select 1 from sandbox.payment where key = ${order.key}`.execute(
      app.services.db.unscoped,
    );
    expect(rows).toHaveLength(1);
  });
});

test('no card number is anywhere in the database', async () => {
  const { owner } = await owing(3900);
  for (const number of Object.values(cards)) await saveCard(owner, number);
  await saveCard(owner, '4532015112830366');
  const { rows: columns } = await sql<{ table: string; column: string }>`
    select format('%I.%I', table_schema, table_name) as table, format('%I', column_name) as column
    from information_schema.columns where table_schema in ('public', 'sandbox', 'graphile_worker')
      and data_type in ('text', 'jsonb', 'json', 'ARRAY', 'character varying')`.execute(
    app.services.db.unscoped,
  );
  expect(columns.length).toBeGreaterThan(500);
  const numbers = [...Object.values(cards), '4532015112830366'].map((n) => n.replace(/\D/g, ''));
  const found: string[] = [];
  const tables = new Set(columns.map((c) => c.table));
  await app.services.db.systemTransaction(async (tx) => {
    for (const table of tables) {
      const its = columns.filter((c) => c.table === table);
      const text = its.map((c) => `coalesce(${c.column}::text, '')`).join(` || ' ' || `);
      const readable = await sql<{ yes: boolean }>`select has_table_privilege(${table}, 'select')
        as yes`.execute(tx);
      if (!readable.rows[0]?.yes) continue;
      const { rows } = await sql`select 1 from ${sql.raw(table)}
        where regexp_replace(${sql.raw(text)}, '[ -]', '', 'g') ~ ${numbers.join('|')}
        limit 1`.execute(tx);
      if (rows.length) found.push(table);
    }
  });
  expect(found).toEqual([]);
});

test('what one company owes and pays is no one else’s', async () => {
  const { owner } = await owing(3900);
  const stranger = await owing(500);
  const asked = await as(stranger.owner).request(
    billing.companyBilling,
    inCompany(owner.companyId),
  );
  expect(asked.status).toBe(404);
  const theirs = await system(stranger.company.id).readOnly((t) =>
    balanceOf(t.tx, owner.companyId),
  );
  expect(theirs).toBe(0);
});
