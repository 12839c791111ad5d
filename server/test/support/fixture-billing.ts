import { insertEntry, insertInvoice, planLine } from '../../src/modules/billing/index.ts';
import type { InputContext } from './endpoint-inputs.ts';
import type { TestApp } from './test-app.ts';

const day = 86_400_000;

/**
 * Gives a company a plan, a card that pays, an invoice that is owed, a yearly offer and a billing
 * contact; their IDs.
 */
export const createBilling = (
  app: TestApp,
  companyId: number,
): Promise<{ billingContact: number; invoice: number; yearlyOffer: number }> =>
  app.services.db.systemTransaction(async (tx) => {
    const now = app.clock.value;
    await tx
      .insertInto('subscription')
      .values({
        company_id: companyId,
        state: 'active',
        plan: 'deluxe_monthly',
        subscribed_at: new Date(now.getTime() - 70 * day),
        had_trial: true,
        anchor_at: new Date(now.getTime() - 70 * day),
        period_start: new Date(now.getTime() - 10 * day),
        period_end: new Date(now.getTime() + 20 * day),
        provider: 'sandbox',
        card_reference: 'card.pays.fixture',
        card_brand: 'Visa',
        card_last4: '4242',
        card_exp_month: 9,
        card_exp_year: 2031,
        created_at: now,
        updated_at: now,
      })
      .execute();
    await tx
      .insertInto('billing_details')
      .values({ company_id: companyId, name: `Company ${companyId} LLC`, updated_at: now })
      .execute();
    const invoice = await insertInvoice(
      tx,
      companyId,
      {
        kind: 'invoice',
        cause: 'fixture',
        issued_at: now,
        period_start: now,
        period_end: new Date(now.getTime() + 30 * day),
        currency: 'USD',
        total_cents: 3900,
        bill_to: { name: `Company ${companyId} LLC`, lines: [] },
      },
      [planLine('deluxe_monthly')],
    );
    await insertEntry(tx, companyId, {
      cause: `invoice:${invoice.id}`,
      kind: 'charge',
      amountCents: 3900,
      currency: 'USD',
      description: 'A month of Unlimited',
      at: now,
    });
    const offer = await tx
      .insertInto('yearly_upgrade_offer')
      .values({
        company_id: companyId,
        from_plan: 'deluxe_monthly',
        to_plan: 'deluxe_yearly',
        monthly_price_cents: 3900,
        yearly_price_cents: 39_600,
        expires_at: new Date(now.getTime() + 14 * day),
        created_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx
      .insertInto('payment_attempt')
      .values({
        company_id: companyId,
        amount_cents: 3900,
        currency: 'USD',
        state: 'declined',
        reason: 'The card has insufficient funds.',
        provider: 'sandbox',
        card_reference: 'card.declines.fixture',
        card_last4: '0341',
        created_at: now,
        settled_at: now,
      })
      .execute();
    const contact = await tx
      .insertInto('billing_contact')
      .values({
        company_id: companyId,
        first_name: 'Bea',
        last_name: 'Ledger',
        email: `bea.${companyId}@people.test`,
        created_at: now,
        updated_at: now,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { billingContact: contact.id, invoice: invoice.id, yearlyOffer: offer.id };
  });

/** The subscription as it is in the middle of a change. */
const changing = (patch: { state?: string; pending_plan?: string }) => {
  return async (s: InputContext) => {
    await s.app.services.db.systemTransaction((tx) =>
      tx
        .updateTable('subscription')
        .set({ ...patch, ...(patch.pending_plan && { pending_at: s.app.clock.value }) })
        .where('company_id', '=', s.company.id)
        .execute(),
    );
    return {};
  };
};

/** Pays what the company owes, so that its invoice can be refunded. */
const paid = async (s: InputContext) => {
  const companyId = s.company.id;
  await s.app.services.db.systemTransaction((tx) =>
    insertEntry(tx, companyId, {
      cause: 'fixture:paid',
      kind: 'payment',
      amountCents: -3900,
      currency: 'USD',
      description: 'Check',
      at: s.app.clock.value,
    }),
  );
  return { body: { invoice_id: s.fixtureIds.invoice, reason: 'Bought by mistake' } };
};

/** What the endpoints of plans need beyond their examples. */
export const billingInputs = {
  refundInvoice: paid,
  clearCancel: changing({ state: 'canceling' }),
  revertPendingProductChange: changing({ pending_plan: 'starter' }),
};
