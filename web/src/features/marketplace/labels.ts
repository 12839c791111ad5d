import type { marketplace } from '#contract';
import { formatMoney, parseMoney, t, type Tone } from '#ui';

type Status = marketplace.MarketplaceStatus;
const statuses: Readonly<Record<Status, readonly [string, Tone]>> = {
  draft: ['Draft', 'neutral'],
  listed: ['Listed', 'success'],
  reserved: ['In checkout', 'info'],
  under_offer: ['Under offer', 'accent'],
  leased: ['Leased', 'info'],
  withdrawn: ['Withdrawn', 'neutral'],
};
/** The name of a marketplace number's status. */
export const itemStatusName = (status: Status): string => t(statuses[status][0]);
/** The color of a marketplace number's status. */
export const itemStatusTone = (status: Status): Tone => statuses[status][1];
/** The name of a price tier; unknown ones stay as they are. */
export const tierName = (tier: string): string =>
  t(
    (
      { standard: 'Standard', premium: 'Premium', exclusive: 'Exclusive' } as Record<string, string>
    )[tier] ?? tier,
  );
/** The price as shown to buyers: per month, one-time, or open to offers. Never worded as a sale. */
export function priceLabel(pricing: {
  type: string;
  monthly_cents: number;
  setup_cents: number;
}): string {
  if (pricing.type === 'make_offer') return t('Make an offer');
  if (pricing.type === 'assignment')
    return t('{price}, assignment of service', { price: formatMoney(pricing.setup_cents) });
  return t('{price} per month', { price: formatMoney(pricing.monthly_cents) });
}
/** US cents as a dollar field holds them; empty for null. */
export const centsToDollars = (cents: number | null): string =>
  cents === null ? '' : String(cents / 100);
/**
 * Typed US dollars in cents. Null when it is not an amount, is negative, or is ten million dollars
 * or more.
 */
export const dollarsToCents = (text: string): number | null => {
  const cents = parseMoney(text);
  return cents !== null && cents >= 0 && cents < 1_000_000_000 ? cents : null;
};
