import { useState } from 'react';
import { Button, Checkbox, NumberInput, Stack, TextInput } from '@mantine/core';
import { billingAccounts as contract, type Answer } from '#contract';
import { formatMoney, t, useApiMutation } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';

export type Account = Answer<typeof contract.getBillingAccount>['data'];
export type Invoice = Account['invoices'][number];

/** What a change of an account makes old. */
export const changed = {
  invalidates: [contract.getBillingAccount, contract.listBillingAccounts],
};

interface RefundFormProps {
  invoice: Invoice;
  companyId: number;
  onDone: () => void;
}

const useRefund = (onSuccess: () => void) =>
  useApiMutation(contract.refundInvoice, { success: t('Refunded'), ...changed, onSuccess });

/** Asks how much of an invoice goes back and why: money that went back doesn't return. */
export function RefundForm({ invoice, companyId, onDone }: RefundFormProps) {
  const left = invoice.total_cents - invoice.refunded_cents;
  const [amount, setAmount] = useState<number | string>(left / 100);
  const [reason, setReason] = useState('');
  const [endsPlan, setEndsPlan] = useState(false);
  const { mutate, isPending } = useRefund(onDone);
  const cents = Math.round(Number(amount) * 100);
  const body = { invoice_id: invoice.id, amount_cents: cents, reason, ends_plan: endsPlan };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void mutate({ params: { companyId }, body });
      }}
    >
      <Stack gap="sm">
        <NumberInput
          data-autofocus
          label={t('Amount')}
          description={t('Up to {amount}', { amount: formatMoney(left) })}
          prefix="$"
          min={0.01}
          max={left / 100}
          decimalScale={2}
          value={amount}
          onChange={setAmount}
        />
        <TextInput
          label={t('Reason')}
          description={t('Shown on the credit note')}
          value={reason}
          maxLength={200}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <Checkbox
          label={t('Also end the plan now')}
          checked={endsPlan}
          onChange={(event) => setEndsPlan(event.currentTarget.checked)}
        />
        <DialogFooter onCancel={onDone}>
          <Button
            type="submit"
            color="red"
            disabled={!amount || !reason.trim()}
            loading={isPending}
          >
            {t('Refund {amount}', { amount: formatMoney(cents) })}
          </Button>
        </DialogFooter>
      </Stack>
    </form>
  );
}
