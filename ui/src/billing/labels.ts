import type { Answer, subscription as contract } from '#contract';
import { formatRate } from '#contract/billing/rules';
import { formatMoney, t } from '#ui';

export type Subscription = Answer<typeof contract.getSubscription>['data'];
type Invoice = Answer<typeof contract.listInvoices>['data'][number];
export type Plan = NonNullable<Subscription['plan']>;

type Tone = 'success' | 'warn' | 'danger' | 'neutral' | 'info';

/** What a subscription's state is called, and how it looks. */
export const stateLooks = (
  state: Subscription['state'],
  isTrial: boolean,
): { label: string; tone: Tone } => {
  if (state === 'active' && isTrial) return { label: t('Trial'), tone: 'info' };
  return {
    active: { label: t('Active'), tone: 'success' as const },
    canceling: { label: t('Ends soon'), tone: 'warn' as const },
    expired: { label: t('Ended'), tone: 'neutral' as const },
    refunding: { label: t('Being refunded'), tone: 'warn' as const },
    retry_period: { label: t('Past due'), tone: 'danger' as const },
    not_subscribed: { label: t('No plan'), tone: 'neutral' as const },
  }[state];
};

/** What an invoice's status is called, and how it looks. */
export const invoiceLooks = (status: Invoice['status']): { label: string; tone: Tone } =>
  ({
    paid: { label: t('Paid'), tone: 'success' as const },
    open: { label: t('Due'), tone: 'warn' as const },
    void: { label: t('Void'), tone: 'neutral' as const },
    refunded: { label: t('Refunded'), tone: 'neutral' as const },
  })[status];

/** "$39 a month". */
export const priceOf = ({
  price_cents: cents,
  currency,
  interval,
}: Pick<Plan, 'price_cents' | 'currency' | 'interval'>): string =>
  interval === 'year'
    ? t('{price} a year', { price: formatMoney(cents, currency) })
    : t('{price} a month', { price: formatMoney(cents, currency) });

/** "$42.46, of which $3.46 is tax"; without tax the amount alone. */
export const withTax = (cents: number, taxCents: number): string =>
  taxCents === 0
    ? formatMoney(cents)
    : t('{amount}, of which {tax} is tax', {
        amount: formatMoney(cents),
        tax: formatMoney(taxCents),
      });

/** What is charged as tax: "Sales tax, 8.875%, added to prices". */
export function taxText({
  name,
  rate,
  included,
  exempt,
}: NonNullable<Subscription['tax']>): string {
  if (exempt)
    return t('Exempt: {reason}', {
      reason: [exempt.reason, exempt.number].filter(Boolean).join(', '),
    });
  return included
    ? t('{name}, {rate}, included in prices', { name, rate: formatRate(rate) })
    : t('{name}, {rate}, added to prices', { name, rate: formatRate(rate) });
}
