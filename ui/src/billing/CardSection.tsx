import { useState } from 'react';
import { Button, Group, Text } from '@mantine/core';
import { billing as contract, type Answer } from '#contract';
import { Facts, Modal, Section, t, useApiQuery, useCompanyId, usePermission } from '#ui';
import { AddressForm } from './AddressForm.tsx';
import { CardForm } from './CardForm.tsx';
import type { Subscription } from './labels.ts';
import { useCardPage } from './use-card-page.ts';

type Billing = Answer<typeof contract.companyBilling>['data'];

/** The card on file and the address on invoices, each with its dialog. */
export function CardSection({ subscription }: { subscription: Subscription }) {
  const companyId = useCompanyId() ?? 0;
  const [open, setOpen] = useState<'card' | 'address' | null>(null);
  const mayPay = usePermission('billing.pay');
  const { response } = useApiQuery(contract.companyBilling, { params: { companyId } });
  const billing = response?.data;
  const card = subscription.payment_method;
  const close = (): void => setOpen(null);
  const page = useCardPage(mayPay);
  const hasPage = billing?.provider === 'stripe' || billing?.provider === 'maxio';
  return (
    <Section title={t('Payment')}>
      <Facts
        rows={[
          [t('Card'), cardLine(card, billing)],
          [t('Invoices to'), billing ? addressLine(billing) : ''],
        ]}
      />
      {card?.expires_soon && (
        <Text size="sm" c="var(--tl-warn)" mt="xs">
          {t('This card ends soon. Add another one, so that your numbers stay on.')}
        </Text>
      )}
      {mayPay && billing && (
        <Group mt="sm" gap="xs">
          {billing.takes_cards && (
            <Button
              variant="default"
              loading={page.isBusy}
              onClick={() => (hasPage ? void page.open() : setOpen('card'))}
            >
              {card ? t('Change card') : t('Add a card')}
            </Button>
          )}
          <Button variant="default" onClick={() => setOpen('address')}>
            {t('Edit address')}
          </Button>
        </Group>
      )}
      <Modal
        opened={open !== null}
        onClose={close}
        title={open === 'card' ? t('Card') : t('Billing address')}
        closeButtonProps={{ 'aria-label': t('Close') }}
      >
        {open === 'card' && <CardForm onDone={close} isTest={billing?.provider === 'sandbox'} />}
        {open === 'address' && billing && <AddressForm billing={billing} onDone={close} />}
      </Modal>
    </Section>
  );
}

function cardLine(card: Subscription['payment_method'], billing: Billing | undefined): string {
  if (card) {
    const { brand, last4, exp } = card;
    return t('{brand} ending in {last4}, until {exp}', { brand, last4, exp });
  }
  return billing?.takes_cards === false
    ? t('This server takes no cards. You pay by invoice.')
    : t('No card yet');
}

const addressLine = (billing: Billing): string =>
  [
    billing.billing_name,
    billing.billing_address,
    billing.billing_address_2,
    [billing.billing_city, billing.billing_state, billing.billing_zip].filter(Boolean).join(' '),
    billing.billing_country,
  ]
    .filter(Boolean)
    .join(', ') || t('No address yet');
