import { useState } from 'react';
import { Button, Group, Select, Stack } from '@mantine/core';
import { marketplace, numbers } from '#contract';
import { confirm, formatMoney, formatTime, navigate, Section, t, useApiMutation } from '#ui';
import { months } from '../numbers/index.ts';
import { priceLabel } from './labels.ts';

type Listing = marketplace.PublicListing;

/** Leases or takes over a number that is reserved for the company until the given time (ISO). */
export function Checkout({
  id,
  listing,
  until,
  leave,
}: {
  id: number;
  listing: Listing;
  until: string;
  leave: () => void;
}) {
  const [term, setTerm] = useState(String(listing.pricing.minimum_term_months));
  const { mutate, isPending } = useApiMutation(marketplace.leaseListing, {
    invalidates: [
      marketplace.marketplacePublic,
      marketplace.listListings,
      numbers.listNumbersDatatable,
    ],
    success: t('The number is yours'),
    onSuccess: () => navigate('/numbers'),
  });
  const assigned = listing.pricing.type === 'assignment';
  const take = async (): Promise<void> => {
    if (await confirmTaking(listing, Number(term)))
      void mutate({ params: { id }, body: assigned ? {} : { term_months: Number(term) } });
  };
  return (
    <Section
      title={t('Checkout')}
      about={t('The number is held for you until {time}.', { time: formatTime(until) })}
    >
      <Stack gap="sm">
        {!assigned && (
          <Select
            label={t('Term')}
            allowDeselect={false}
            data={termsFrom(listing.pricing.minimum_term_months).map((n) => ({
              value: String(n),
              label: months(n),
            }))}
            value={term}
            onChange={(v) => v && setTerm(v)}
          />
        )}
        <Group>
          <Button loading={isPending} onClick={() => void take()}>
            {assigned ? t('Confirm') : t('Confirm lease')}
          </Button>
          <Button variant="default" onClick={leave}>
            {t('Later')}
          </Button>
        </Group>
      </Stack>
    </Section>
  );
}

/** Terms to choose from (months), beginning with the shortest that the owner accepts. */
const termsFrom = (least: number): number[] =>
  [...new Set([least, 12, 24, 36])].filter((n) => n >= least).sort((a, b) => a - b);

function confirmTaking(listing: Listing, term: number): Promise<boolean> {
  const name = listing.vanity_text ?? listing.formatted;
  const price =
    listing.pricing.type === 'make_offer'
      ? t('{price} per month', { price: formatMoney(listing.pricing.monthly_cents) })
      : priceLabel(listing.pricing);
  if (listing.pricing.type === 'assignment')
    return confirm({
      title: t('Take {number}?', { number: name }),
      body: `${price}. ${listing.terms}`,
      confirmLabel: t('Take'),
    });
  return confirm({
    title: t('Lease {number}?', { number: name }),
    body: `${t('{price} for {months}.', { price, months: months(term) })} ${listing.terms}`,
    confirmLabel: t('Lease'),
  });
}
