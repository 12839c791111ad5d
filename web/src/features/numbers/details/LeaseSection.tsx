import { Button } from '@mantine/core';
import { marketplace, numbers, routing } from '#contract';
import { confirm, formatDate, formatMoney, Section, t, useApiMutation } from '#ui';
import { months } from '../labels.ts';
import type { EditableNumber } from './number-form.ts';

/**
 * The lessee's side of a marketplace lease: its terms, and the renewal button once it is renewable.
 */
export function LeaseSection({
  number,
  lease,
  mayBuy,
}: {
  number: EditableNumber;
  lease: NonNullable<EditableNumber['lease']>;
  mayBuy: boolean;
}) {
  const { mutate, isPending } = useApiMutation(marketplace.renewLease, {
    invalidates: [routing.getNumber, numbers.listNumbersDatatable],
    success: t('Lease renewed'),
  });
  const mayRenew = mayBuy && lease.renewable && number.status !== 'releasing';
  const renew = async (): Promise<void> => {
    const body = t('{price} per month for another {months}, from {date}.', {
      price: formatMoney(lease.monthly_cents ?? 0),
      months: months(lease.term_months ?? 0),
      date: lease.ends_at ? formatDate(lease.ends_at) : '',
    });
    if (await confirm({ title: t('Renew lease?'), body, confirmLabel: t('Renew') }))
      await mutate({ params: { id: lease.listing_id }, body: {} });
  };
  return (
    <Section
      title={t('Lease')}
      about={marketplace.termsOf('lease')}
      action={
        mayRenew && (
          <Button variant="default" loading={isPending} onClick={() => void renew()}>
            {t('Renew lease')}
          </Button>
        )
      }
    />
  );
}
