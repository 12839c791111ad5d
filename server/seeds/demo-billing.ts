import { sql } from 'kysely';
import { plans, type PlanId } from '#contract/billing/rules';
import {
  insertEntry,
  insertInvoice,
  nextPeriodEnd,
  planLine,
} from '../src/modules/billing/index.ts';
import type { Tx } from '../src/platform/db.ts';

const day = 86_400_000;

interface DemoBilling {
  id: number;
  name: string;
  plan: PlanId;
  /** The company came so many days ago, with a trial of 14. */
  since: number;
  /** The card of the sandbox and how it behaves; its last charge failed where it declines. */
  card: { reference: string; brand: string; last4: string } | null;
}

/**
 * Plans of the demo's companies: one that pays, one in its trial, and one whose card was declined.
 * Usage is counted from the history that the demo has.
 */
export async function seedBilling(
  tx: Tx,
  companies: readonly { id: number; name: string }[],
  now: Date,
): Promise<void> {
  const [first, second, third] = companies;
  const visa = { reference: 'card.pays.demo', brand: 'Visa', last4: '4242' };
  const declined = { reference: 'card.declines.demo', brand: 'Visa', last4: '0341' };
  if (first)
    await seedCompany(tx, { ...first, plan: 'deluxe_monthly', since: 90, card: visa }, now);
  if (second)
    await seedCompany(tx, { ...second, plan: 'premium_monthly', since: 9, card: null }, now);
  if (third)
    await seedCompany(tx, { ...third, plan: 'unlimited_monthly', since: 46, card: declined }, now);
  if (first) await seedContacts(tx, first.id, now);
  if (second) await seedExemption(tx, second.id, now);
  if (first) await seedOffer(tx, first.id, now);
}

/** The offer that the daily clock makes to a company that pays by the month. */
const seedOffer = async (tx: Tx, companyId: number, now: Date): Promise<void> => {
  await tx
    .insertInto('yearly_upgrade_offer')
    .values({
      company_id: companyId,
      from_plan: 'deluxe_monthly',
      to_plan: 'deluxe_yearly',
      monthly_price_cents: plans.deluxe_monthly.price_cents,
      yearly_price_cents: plans.deluxe_yearly.price_cents,
      created_at: new Date(now.getTime() - 2 * day),
      expires_at: new Date(now.getTime() + 12 * day),
    })
    .execute();
};

/** One that resells and pays no sales tax, whatever the operator sets. */
const seedExemption = async (tx: Tx, companyId: number, now: Date): Promise<void> => {
  await tx
    .insertInto('billing_tax_exception')
    .values({
      company_id: companyId,
      treatment: 'exempt',
      reason: 'Resale certificate',
      number: 'MA-4471',
      updated_at: new Date(now.getTime() - 8 * day),
    })
    .execute();
};

async function seedCompany(tx: Tx, billing: DemoBilling, now: Date): Promise<void> {
  const { id, name, plan, since, card } = billing;
  const created = new Date(now.getTime() - since * day);
  const trialEnd = new Date(created.getTime() + 14 * day);
  const isTrial = trialEnd > now;
  let [start, end] = [created, trialEnd];
  const isDeclined = card?.reference.includes('declines') ?? false;
  await seedUsage(tx, id);
  while (end <= now) {
    [start, end] = [end, nextPeriodEnd(trialEnd, plans[plan].interval, end)];
    await seedInvoice(tx, billing, { start, end, isPaid: !isDeclined || end <= now });
  }
  await tx
    .insertInto('billing_details')
    .values({
      company_id: id,
      name: `${name} LLC`,
      address: '12 Pier Street',
      city: 'Boston',
      state: 'MA',
      zip: '02110',
      country: 'US',
      updated_at: created,
    })
    .execute();
  await tx
    .insertInto('subscription')
    .values({
      company_id: id,
      state: isDeclined ? 'retry_period' : 'active',
      state_reason: isDeclined ? 'The card has insufficient funds.' : null,
      plan,
      anchor_at: isTrial ? created : trialEnd,
      period_start: start,
      period_end: end,
      trial_ends_at: isTrial ? trialEnd : null,
      had_trial: true,
      subscribed_at: created,
      past_due_since: isDeclined ? start : null,
      provider: 'sandbox',
      ...(card && {
        card_reference: card.reference,
        card_brand: card.brand,
        card_last4: card.last4,
        card_exp_month: 9,
        card_exp_year: now.getUTCFullYear() + 3,
      }),
      created_at: created,
      updated_at: now,
    })
    .execute();
}

async function seedInvoice(
  tx: Tx,
  { id, name, plan, card }: DemoBilling,
  { start, end, isPaid }: { start: Date; end: Date; isPaid: boolean },
): Promise<void> {
  const line = planLine(plan);
  const invoice = await insertInvoice(
    tx,
    id,
    {
      kind: 'invoice',
      cause: `period:${start.toISOString()}`,
      issued_at: start,
      period_start: start,
      period_end: end,
      currency: 'USD',
      total_cents: line.amount_cents,
      bill_to: { name: `${name} LLC`, lines: ['12 Pier Street', 'Boston, MA 02110', 'US'] },
    },
    [line],
  );
  const entry = { currency: 'USD', at: start };
  await insertEntry(tx, id, {
    ...entry,
    cause: `invoice:${invoice.id}`,
    kind: 'charge',
    amountCents: line.amount_cents,
    description: 'Invoice',
  });
  if (isPaid)
    await insertEntry(tx, id, {
      ...entry,
      cause: `payment:${invoice.id}`,
      kind: 'payment',
      amountCents: -line.amount_cents,
      description: `Card ending in ${card?.last4 ?? ''}`,
    });
}

/** What the triggers would have written while the demo's calls and texts happened. */
async function seedUsage(tx: Tx, companyId: number): Promise<void> {
  await sql`insert into usage_entry
      (company_id, component, cause, quantity, seconds, number_id, at)
    select company_id,
      case when outbound then 'outbound_minutes' when is_toll_free(to_number)
        then 'voice_minutes_toll_free' else 'voice_minutes' end,
      'call:' || id, ceil(talk_seconds / 60.0)::int, talk_seconds, number_id,
      coalesce(ended_at, started_at)
    from call where company_id = ${companyId} and talk_seconds > 0`.execute(tx);
  await sql`insert into usage_entry (company_id, component, cause, quantity, number_id, at)
    select company_id, 'text_credits', 'item:' || id,
      greatest(1, coalesce((details ->> 'segments')::int, 1)), number_id, created_at
    from conversation_item where company_id = ${companyId} and kind = 'message'
      and not is_inbound and delivery_state in ('sent', 'delivered', 'undelivered')`.execute(tx);
}

async function seedContacts(tx: Tx, companyId: number, now: Date): Promise<void> {
  await tx
    .insertInto('billing_contact')
    .values([
      {
        company_id: companyId,
        first_name: 'Bea',
        last_name: 'Ledger',
        email: 'bea@ledger-books.test',
        phone: '+12125550184',
        created_at: now,
        updated_at: now,
      },
      {
        company_id: companyId,
        first_name: 'Felix',
        last_name: 'Amount',
        email: 'felix@harbor-dental.test',
        email_notifications: false,
        created_at: now,
        updated_at: now,
      },
    ])
    .execute();
}
