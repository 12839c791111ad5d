import { useState } from 'react';
import { Button, Group, Stack, Textarea, TextInput } from '@mantine/core';
import { marketplace } from '#contract';
import { Section, t, useApiMutation } from '#ui';
import { months } from '../numbers/index.ts';
import { dollarsToCents } from './labels.ts';

const invalidates = [marketplace.marketplacePublic, marketplace.listListings];

/** Sends a question or an offer about a number to the company that lists it. */
export function Questions({
  id,
  listing,
  mayOffer,
}: {
  id: number;
  listing: marketplace.PublicListing;
  mayOffer: boolean;
}) {
  const [message, setMessage] = useState('');
  const ask = useApiMutation(marketplace.inquireListing, {
    invalidates,
    success: t('Your question was sent'),
    onSuccess: () => setMessage(''),
  });
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
        {mayOffer && <OfferForm id={id} term={listing.pricing.minimum_term_months} />}
      </Stack>
    </Section>
  );
}

/** Makes an offer per month for the minimum term (months). */
function OfferForm({ id, term }: { id: number; term: number }) {
  const [offer, setOffer] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
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
        body: { amount_cents: cents, term_months: term, message: '' },
      });
  };
  return (
    <Group align="flex-start">
      <TextInput
        label={t('Your offer, US dollars per month for {months}', { months: months(term) })}
        inputMode="decimal"
        value={offer}
        error={wrong}
        onChange={(e) => setOffer(e.currentTarget.value)}
      />
      <Button mt={24} variant="default" loading={bid.isPending} onClick={send}>
        {t('Send offer')}
      </Button>
    </Group>
  );
}
