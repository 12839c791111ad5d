import { billing as contract, subscription, type Answer } from '#contract';
import { toast, useApiMutation, useCompanyId } from '#ui';

type Payment = Answer<typeof contract.retryPayment>['meta']['payment'];

/** What a payment changes. */
export const afterPayment = [
  contract.companyBilling,
  subscription.getSubscription,
  subscription.listInvoices,
];

/** Says what became of a payment; one that the bank asks about goes to the bank's page. */
export function showPayment(payment: Payment): void {
  if (payment.confirm_url) window.location.assign(payment.confirm_url);
  else if (payment.state === 'declined') toast.warn(payment.message);
  else toast.success(payment.message);
}

/** Charges what is owed to the card on file. */
export function usePayNow(): { pay: () => Promise<unknown>; isPaying: boolean } {
  const companyId = useCompanyId() ?? 0;
  const { mutate, isPending } = useApiMutation(contract.retryPayment, {
    invalidates: afterPayment,
    onSuccess: ({ meta }) => showPayment(meta.payment),
  });
  return { pay: () => mutate({ params: { companyId }, body: {} }), isPaying: isPending };
}
