import { useEffect, useState } from 'react';
import { billing as contract } from '#contract';
import { navigate, useApiMutation, useCompanyId, useFilters, usePath } from '#ui';
import { leaveForCardPage } from './enter-card.ts';
import { afterPayment, showPayment } from './use-pay-now.ts';

const none = { card: '', paid: '' };

/**
 * Cards that are entered at the provider's page: `open` leaves for it. Back from there, the card is
 * saved; back from the bank's page, it is asked what became of the payment.
 */
export function useCardPage(mayPay: boolean): { open: () => Promise<void>; isBusy: boolean } {
  const companyId = useCompanyId() ?? 0;
  const { filters } = useFilters(none);
  const path = usePath();
  const [isLeaving, setLeaving] = useState(false);
  const card = useApiMutation(contract.updateCompanyBilling, {
    invalidates: afterPayment,
    onSuccess: ({ meta }) => showPayment(meta.payment),
  });
  const paid = useApiMutation(contract.retryPayment, {
    invalidates: afterPayment,
    onSuccess: ({ meta }) => showPayment(meta.payment),
  });
  useEffect(() => {
    if (!mayPay || !companyId || (!filters.card && !filters.paid)) return;
    // Gone from the address first, so that a reload asks nothing again.
    navigate(path, { replace: true });
    if (filters.card)
      void card.mutate({ params: { companyId }, body: { payment_token: filters.card } });
    else void paid.mutate({ params: { companyId }, body: { confirmed: true } });
    // oxlint-disable-next-line exhaustive-deps -- once per way back from the card page
  }, [mayPay, companyId, filters.card, filters.paid]);
  const open = async (): Promise<void> => {
    setLeaving(true);
    await leaveForCardPage(companyId).catch(() => setLeaving(false));
  };
  return { open, isBusy: isLeaving || card.isPending || paid.isPending };
}
