import { useState } from 'react';
import { Button, Group, Select, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { marketplace, numbers } from '#contract';
import {
  confirm,
  EmptyState,
  ErrorState,
  Facts,
  formatMoney,
  formatTime,
  navigate,
  Page,
  PageSkeleton,
  Section,
  t,
  useApiQuery,
  usePermission,
  useApiMutation,
} from '#ui';
import { dollarsToCents, months, priceLabel, tierName } from './labels.ts';

const invalidates = [marketplace.marketplacePublic, marketplace.listListings];
/**
 * Another company's marketplace number as buyers see it: ask a question, make an offer, or check
 * out.
 */
export function PublicListing({ id }: { id: number }) {
  const { response, error, loading, refetch } = useApiQuery(marketplace.marketplacePublic, {
    params: { id },
  });
  const [reserved, setReserved] = useState<{
    until: string;
    listing: marketplace.PublicListing;
  } | null>(null);
  const mayBuy = usePermission('numbers.buy');
  const back = { href: '/marketplace?view=market', label: t('Marketplace') };
  const reserve = useApiMutation(marketplace.reserveListing, {
    invalidates,
    onSuccess: (a) => setReserved({ until: a.data.reserved_until, listing: a.data.listing }),
  });
  const listing = reserved?.listing ?? response?.data[0];
  if (error && !response)
    return (
      <Page title={t('Marketplace')} back={back}>
        <ErrorState error={error} retry={refetch} />
      </Page>
    );
  if (loading && !response) return <PageSkeleton />;
  if (!listing)
    return (
      <Page title={t('Marketplace')} back={back}>
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
  return (
    <Page
      title={listing.vanity_text ?? listing.formatted}
      description={listing.formatted}
      back={back}
      layout="read"
      action={
        mayBuy &&
        !reserved &&
        (listing.pricing.type !== 'make_offer' || !listing.available) && (
          <Button
            loading={reserve.isPending}
            onClick={() => void reserve.mutate({ params: { id }, body: {} })}
          >
            {!listing.available
              ? t('Go to checkout')
              : listing.pricing.type === 'assignment'
                ? t('Take this number')
                : t('Lease this number')}
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
            [t('Industries'), listing.industries.join(', ') || '–'],
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
      {!reserved && listing.available && (
        <Questions
          id={id}
          listing={listing}
          mayBuy={mayBuy && listing.pricing.type !== 'assignment'}
        />
      )}
    </Page>
  );
}

function Checkout({
  id,
  listing,
  until,
  leave,
}: {
  id: number;
  listing: marketplace.PublicListing;
  until: string;
  leave: () => void;
}) {
  const [term, setTerm] = useState(String(listing.pricing.minimum_term_months));
  const { mutate, isPending } = useApiMutation(marketplace.leaseListing, {
    invalidates: [...invalidates, numbers.listNumbersDatatable],
    success: t('The number is yours'),
    onSuccess: () => navigate('/numbers'),
  });
  const assigned = listing.pricing.type === 'assignment';
  const name = listing.vanity_text ?? listing.formatted;
  const price =
    listing.pricing.type === 'make_offer'
      ? t('{price} per month', { price: formatMoney(listing.pricing.monthly_cents) })
      : priceLabel(listing.pricing);
  const take = async (): Promise<void> => {
    const asked = assigned
      ? {
          title: t('Take {number}?', { number: name }),
          body: `${price}. ${listing.terms}`,
          confirmLabel: t('Take'),
        }
      : {
          title: t('Lease {number}?', { number: name }),
          body: `${t('{price} for {months}.', { price, months: months(Number(term)) })} ${listing.terms}`,
          confirmLabel: t('Lease'),
        };
    if (await confirm(asked))
      void mutate({ params: { id }, body: assigned ? {} : { term_months: Number(term) } });
  };
  const terms = [...new Set([listing.pricing.minimum_term_months, 12, 24, 36])]
    .filter((n) => n >= listing.pricing.minimum_term_months)
    .sort((a, b) => a - b);
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
            data={terms.map((n) => ({ value: String(n), label: months(n) }))}
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

function Questions({
  id,
  listing,
  mayBuy,
}: {
  id: number;
  listing: marketplace.PublicListing;
  mayBuy: boolean;
}) {
  const least = listing.pricing.minimum_term_months;
  const [message, setMessage] = useState('');
  const [offer, setOffer] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const ask = useApiMutation(marketplace.inquireListing, {
    invalidates,
    success: t('Your question was sent'),
    onSuccess: () => setMessage(''),
  });
  const bid = useApiMutation(marketplace.makeOffer, {
    invalidates,
    success: t('Your offer was sent'),
    onSuccess: () => setOffer(''),
    onFieldErrors: (error) => {
      setWrong(error.fields['amount_cents'] ?? null);
      return error.fields['amount_cents'] ? ['amount_cents'] : [];
    },
  });
  const send = (): void => {
    const cents = dollarsToCents(offer);
    setWrong(cents ? null : t('Enter an amount.'));
    if (cents)
      void bid.mutate({
        params: { id },
        body: { amount_cents: cents, term_months: least, message: '' },
      });
  };
  return (
    <Section title={t('Ask or offer')}>
      <Stack gap="sm">
        <Textarea
          label={t('Your question')}
          autosize
          minRows={2}
          value={message}
          onChange={(e) => setMessage(e.currentTarget.value)}
        />
        <Group>
          <Button
            variant="default"
            loading={ask.isPending}
            disabled={!message.trim()}
            onClick={() => void ask.mutate({ params: { id }, body: { message } })}
          >
            {t('Send question')}
          </Button>
        </Group>
        {mayBuy && (
          <Group align="flex-start">
            <TextInput
              label={t('Your offer, US dollars per month for {months}', { months: months(least) })}
              inputMode="decimal"
              value={offer}
              error={wrong}
              onChange={(e) => setOffer(e.currentTarget.value)}
            />
            <Button mt={24} variant="default" loading={bid.isPending} onClick={send}>
              {t('Send offer')}
            </Button>
          </Group>
        )}
      </Stack>
    </Section>
  );
}
