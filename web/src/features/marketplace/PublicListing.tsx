import { useState } from 'react';
import { Button, Text } from '@mantine/core';
import { marketplace } from '#contract';
import {
  EmptyState,
  ErrorState,
  Facts,
  formatMoney,
  Page,
  PageSkeleton,
  Section,
  t,
  useApiQuery,
  usePermission,
  useApiMutation,
} from '#ui';
import { industryLabel } from '../settings/index.ts';
import { Checkout } from './Checkout.tsx';
import { months } from '../numbers/index.ts';
import { priceLabel, tierName } from './labels.ts';
import { Questions } from './Questions.tsx';

type Listing = marketplace.PublicListing;
const back = () => ({ href: '/marketplace?view=market', label: t('Marketplace') });

/**
 * Another company's marketplace number as buyers see it: ask a question, make an offer, or check
 * out.
 */
export function PublicListing({ id }: { id: number }) {
  const { response, error, loading, refetch } = useApiQuery(marketplace.marketplacePublic, {
    params: { id },
  });
  const [reserved, setReserved] = useState<{ until: string; listing: Listing } | null>(null);
  const mayBuy = usePermission('numbers.buy');
  const reserve = useApiMutation(marketplace.reserveListing, {
    invalidates: [marketplace.marketplacePublic, marketplace.listListings],
    onSuccess: (a) => setReserved({ until: a.data.reserved_until, listing: a.data.listing }),
  });
  const listing = reserved?.listing ?? response?.data[0];
  if (error && !response)
    return (
      <Page title={t('Marketplace')} back={back()}>
        <ErrorState error={error} retry={refetch} />
      </Page>
    );
  if (loading && !response) return <PageSkeleton />;
  if (!listing) return <Unavailable />;
  const mustOffer = listing.pricing.type === 'make_offer' && listing.available;
  const mayReserve = mayBuy && !reserved && !mustOffer;
  return (
    <Page
      title={listing.vanity_text ?? listing.formatted}
      description={listing.formatted}
      back={back()}
      layout="read"
      action={
        mayReserve && (
          <Button
            loading={reserve.isPending}
            onClick={() => void reserve.mutate({ params: { id }, body: {} })}
          >
            {reserveLabel(listing)}
          </Button>
        )
      }
    >
      {!reserved && !listing.available && (
        <Text mb="md">{t('This number is reserved for you.')}</Text>
      )}
      {reserved && (
        <Checkout
          id={id}
          listing={reserved.listing}
          until={reserved.until}
          leave={() => setReserved(null)}
        />
      )}
      <ListingFacts listing={listing} />
      {!reserved && listing.available && (
        <Questions
          id={id}
          listing={listing}
          mayOffer={mayBuy && listing.pricing.type !== 'assignment'}
        />
      )}
    </Page>
  );
}

const reserveLabel = (listing: Listing): string => {
  if (!listing.available) return t('Go to checkout');
  return listing.pricing.type === 'assignment' ? t('Take this number') : t('Lease this number');
};

function Unavailable() {
  return (
    <Page title={t('Marketplace')} back={back()}>
      <EmptyState
        title={t('This number isn’t available')}
        action={
          <Button component="a" href="/marketplace?view=market">
            {t('See available numbers')}
          </Button>
        }
      >
        {t('Someone may be checking out with it, or it was taken.')}
      </EmptyState>
    </Page>
  );
}

function ListingFacts({ listing }: { listing: Listing }) {
  return (
    <Section>
      <Text mb="md">{listing.description}</Text>
      <Facts
        rows={[
          [t('Price'), priceLabel(listing.pricing)],
          listing.pricing.type !== 'assignment' && [
            t('Minimum term'),
            months(listing.pricing.minimum_term_months),
          ],
          [t('Terms'), listing.terms],
          listing.pricing.setup_cents > 0 && [
            t('Setup fee'),
            formatMoney(listing.pricing.setup_cents),
          ],
          [t('Tier'), tierName(listing.tier)],
          [t('Industries'), listing.industries.map(industryLabel).join(', ') || '–'],
          listing.exclusive_area.states.length > 0 && [
            t('Exclusive in'),
            listing.exclusive_area.states.join(', '),
          ],
        ]}
      />
      <Text mt="md" fz="sm" c="dimmed">
        {listing.legal_notice}
      </Text>
    </Section>
  );
}
