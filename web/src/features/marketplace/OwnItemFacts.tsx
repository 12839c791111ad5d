import { Anchor } from '@mantine/core';
import type { marketplace } from '#contract';
import { Facts, formatMoney, formatNumber, t, Time } from '#ui';
import { months } from '../numbers/index.ts';
import { priceLabel, tierName } from './labels.ts';

/** Price, interest and lease of one of the company's marketplace numbers. */
export function OwnItemFacts({ item }: { item: marketplace.MarketplaceDetail }) {
  const isOwnedUnleased =
    item.number_id !== null && item.status !== 'leased' && item.assigned_at === null;
  return (
    <Facts
      rows={[
        [t('Price'), priceLabel(item.pricing)],
        [t('Tier'), tierName(item.tier)],
        [t('Views'), formatNumber(item.views)],
        [t('Inquiries'), formatNumber(item.inquiries)],
        [
          t('Calls, 30 days'),
          t('{n}, {m} shorter than ten seconds', {
            n: formatNumber(item.calls_30d),
            m: formatNumber(item.misdials_30d),
          }),
        ],
        item.reserved_until !== null && [
          t('In checkout until'),
          <Time key="until" at={item.reserved_until} as="time" />,
        ],
        item.lessee_name !== null && [
          t('Leased to'),
          <NameSince key="lessee" name={item.lessee_name} at={item.leased_at} />,
        ],
        item.lease_monthly_cents !== null && [
          t('Lease'),
          t('{price} per month for {months}', {
            price: formatMoney(item.lease_monthly_cents),
            months: months(item.lease_term_months ?? 0),
          }),
        ],
        item.lease_ends_at !== null && [
          t('Returns'),
          <LeaseEnd key="ends" item={item} endsAt={item.lease_ends_at} />,
        ],
        item.assigned_to !== null && [
          t('Assigned to'),
          <NameSince key="assigned" name={item.assigned_to} at={item.assigned_at} />,
        ],
        isOwnedUnleased && [
          t('One of your numbers'),
          <Anchor inherit key="own" href={`/numbers/${item.number_id}`}>
            {item.formatted}
          </Anchor>,
        ],
      ]}
    />
  );
}

const NameSince = ({ name, at }: { name: string; at: string | null }) => (
  <span>
    {name}
    {at && (
      <>
        , <Time at={at} as="date" />
      </>
    )}
  </span>
);

const LeaseEnd = ({ item, endsAt }: { item: marketplace.MarketplaceDetail; endsAt: string }) => (
  <span>
    <Time at={endsAt} as="date" />, {item.lease_notice_at ? t('notice given') : t('unless renewed')}
    {item.withdraws_at_end && <> · {t('then leaves the marketplace')}</>}
  </span>
);
