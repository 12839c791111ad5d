import { Button, Group, Text } from '@mantine/core';
import { marketplace } from '#contract';
import { formatMoney, Section, t, useApiMutation } from '#ui';
import css from '../../shared/Rows.module.css';
import { months } from '../numbers/index.ts';

type Item = marketplace.MarketplaceDetail;
type Offer = Item['offers'][number];

const offerStatusNames: Record<Offer['status'], string> = {
  open: 'Open',
  accepted: 'Accepted',
  declined: 'Declined',
  expired: 'Expired',
};

/** Offers of other companies for a number. Open offers can be accepted or declined. */
export function OwnItemOffers({ item, mayEdit }: { item: Item; mayEdit: boolean }) {
  if (item.offers.length === 0) return null;
  return (
    <Section title={t('Offers')}>
      <ul className={css.rows} aria-label={t('Offers')}>
        {item.offers.map((offer) => (
          <OfferRow key={offer.id} itemId={item.id} offer={offer} mayEdit={mayEdit} />
        ))}
      </ul>
    </Section>
  );
}

function OfferRow({ itemId, offer, mayEdit }: { itemId: number; offer: Offer; mayEdit: boolean }) {
  const { mutate, isPending } = useApiMutation(marketplace.decideOffer, {
    invalidates: [
      marketplace.getMarketplaceNumber,
      marketplace.listMarketplaceNumbers,
      marketplace.marketplaceKpi,
    ],
    success: t('Marketplace number updated'),
  });
  const decide = (decision: 'accept' | 'decline') =>
    mutate({ params: { id: itemId, offerId: offer.id }, body: { decision } });
  return (
    <li>
      <span className={css.grow}>
        <strong>{offer.company}</strong>:{' '}
        {t('{price} per month for {months}', {
          price: formatMoney(offer.amount_cents),
          months: months(offer.term),
        })}
        {offer.message && (
          <Text fz="sm" c="dimmed">
            {offer.message}
          </Text>
        )}
      </span>
      {offer.status === 'open' && mayEdit ? (
        <Group gap="xs">
          <Button
            size="compact-md"
            loading={isPending}
            aria-label={t('Accept the offer of {company}', { company: offer.company })}
            onClick={() => void decide('accept')}
          >
            {t('Accept')}
          </Button>
          <Button
            size="compact-md"
            variant="default"
            aria-label={t('Decline the offer of {company}', { company: offer.company })}
            onClick={() => void decide('decline')}
          >
            {t('Decline')}
          </Button>
        </Group>
      ) : (
        <span className={css.quiet}>{t(offerStatusNames[offer.status])}</span>
      )}
    </li>
  );
}
