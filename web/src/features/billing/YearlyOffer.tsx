import { useState } from 'react';
import { Button, Group, Text } from '@mantine/core';
import { subscription as contract, type Answer } from '#contract';
import { plans } from '#contract/billing/rules';
import {
  formatMoney,
  Modal,
  Section,
  t,
  Time,
  useApiMutation,
  useApiQuery,
  useCompanyId,
  usePermission,
} from '#ui';
import { ChangePreview } from '#ui/billing/ChangePreview.tsx';

type Offer = NonNullable<Answer<typeof contract.getYearlyOffer>['data']>;

/** The offer to pay by the year, until it is taken up or was declined. */
export function YearlyOffer() {
  const companyId = useCompanyId() ?? 0;
  const mayPlan = usePermission('billing.plan');
  const { response } = useApiQuery(
    contract.getYearlyOffer,
    { params: { companyId } },
    { silent: true, enabled: mayPlan },
  );
  const offer = response?.data;
  return offer && !offer.viewed ? <OfferCard offer={offer} companyId={companyId} /> : null;
}

function OfferCard({ offer, companyId }: { offer: Offer; companyId: number }) {
  const [isOpen, setOpen] = useState(false);
  const { mutate, isPending } = useApiMutation(contract.updateYearlyOffer, {
    invalidates: [contract.getYearlyOffer],
  });
  const mark = (body: { used?: true }) =>
    mutate({ params: { companyId, offerId: offer.id }, body: { viewed: true, ...body } });
  const close = (): void => setOpen(false);
  return (
    <Section title={offer.headline}>
      <Text size="sm">
        {t('{plan} for {yearly} a year instead of {monthly} a month. The offer ends', {
          plan: plans[offer.to_plan].name,
          yearly: formatMoney(offer.yearly_price_cents),
          monthly: formatMoney(offer.monthly_price_cents),
        })}{' '}
        <Time at={offer.expires_at} as="date" />.
      </Text>
      <Group mt="sm" gap="xs">
        <Button onClick={() => setOpen(true)}>{t('See what it costs')}</Button>
        <Button variant="subtle" color="gray" loading={isPending} onClick={() => void mark({})}>
          {t('No thanks')}
        </Button>
      </Group>
      <Modal
        opened={isOpen}
        onClose={close}
        title={t('Pay by the year?')}
        closeButtonProps={{ 'aria-label': t('Close') }}
      >
        <ChangePreview
          plan={plans[offer.to_plan]}
          before={async () => (await mark({ used: true })) !== undefined}
          onDone={close}
          onBack={close}
        />
      </Modal>
    </Section>
  );
}
