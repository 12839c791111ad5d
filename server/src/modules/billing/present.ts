import type { Answer } from '#contract';
import { cardExpiresSoon, plans } from '#contract/billing/rules';
import type { getSubscription } from '#contract/billing/subscription/endpoints';
import type { companyBilling } from '#contract/billing/endpoints';
import type { Settings } from '../../platform/settings.ts';
import { withTax, type AccountTax } from './tax/tax-of-account.ts';
import type { DetailsRow, SubscriptionRow } from './store-subscription.ts';

type Subscription = Answer<typeof getSubscription>['data'];
type Billing = Answer<typeof companyBilling>['data'];
type Mode = Settings['billing'];

const currency = 'USD';
const at = (value: Date | null | undefined): string | null =>
  value ? new Date(value).toISOString() : null;

/** The card on file; null: none. */
function presentCard(row: SubscriptionRow | undefined, now: Date): Subscription['payment_method'] {
  if (!row?.card_reference || !row.card_brand || !row.card_last4) return null;
  const [month, year] = [row.card_exp_month ?? 1, row.card_exp_year ?? 2000];
  return {
    brand: row.card_brand,
    last4: row.card_last4,
    exp: `${String(month).padStart(2, '0')}/${year}`,
    expires_soon: cardExpiresSoon(month, year, now),
  };
}

/** What is charged next, and when; nulls: nothing. */
function nextCharge(
  row: SubscriptionRow | undefined,
  tax: AccountTax,
): {
  next_charge_cents: number | null;
  next_charge_at: string | null;
} {
  const plan = row?.pending_plan ?? row?.plan;
  return row?.state === 'active' && plan
    ? {
        next_charge_cents: withTax(plans[plan].price_cents, tax).totalCents,
        next_charge_at: at(row.period_end),
      }
    : { next_charge_cents: null, next_charge_at: null };
}

/** A subscription as screens read it; a company without one is not subscribed. */
export function presentSubscription(
  companyId: number,
  row: SubscriptionRow | undefined,
  balanceCents: number,
  { now, mode, tax }: { now: Date; mode: Mode; tax: AccountTax },
): Subscription {
  return {
    id: row?.id ?? null,
    company_id: companyId,
    plan: row?.plan ? presentPlan(row.plan) : null,
    state: row?.state ?? 'not_subscribed',
    state_reason: row?.state_reason ?? null,
    trial_ends_at: at(row?.trial_ends_at),
    current_period_start: at(row?.period_start),
    current_period_end: at(row?.period_end),
    ...nextCharge(row, tax),
    cancel_at: at(row?.cancel_at),
    cancel_reason: row?.cancel_reason ?? null,
    pending_change:
      row?.pending_plan && row.pending_at
        ? {
            plan: presentPlan(row.pending_plan),
            effective_at: new Date(row.pending_at).toISOString(),
            revertible: true,
          }
        : null,
    tax,
    balance_cents: balanceCents,
    currency,
    past_due_since: at(row?.past_due_since),
    payment_method: presentCard(row, now),
    receivesInvoiceEmails: row?.receives_invoice_emails ?? true,
    provider: mode === 'off' ? 'manual' : mode,
    created_at: at(row?.created_at),
  };
}

/** A plan of the catalogue. */
export const presentPlan = (identifier: keyof typeof plans): NonNullable<Subscription['plan']> => ({
  ...plans[identifier],
  features: [...plans[identifier].features],
});

/** Address, card and what is owed. */
export const presentBilling = (
  details: DetailsRow | undefined,
  row: SubscriptionRow | undefined,
  balanceCents: number,
  { now, mode, takesCards }: { now: Date; mode: Mode; takesCards: boolean },
): Billing => ({
  billing_name: details?.name ?? '',
  billing_address: details?.address ?? '',
  billing_address_2: details?.address_2 ?? '',
  billing_city: details?.city ?? '',
  billing_state: details?.state ?? '',
  billing_zip: details?.zip ?? '',
  billing_country: details?.country ?? '',
  provider: mode,
  takes_cards: takesCards,
  payment_method: presentCard(row, now),
  balance_cents: balanceCents,
  currency,
});
