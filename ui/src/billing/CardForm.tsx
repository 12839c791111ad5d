import { useState } from 'react';
import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { billing as contract } from '#contract';
import { t, toast, useApiMutation, useCompanyId } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';
import css from './billing.module.css';
import { enterCard } from './enter-card.ts';
import { afterPayment, showPayment } from './use-pay-now.ts';

/** The provider's card field: the card goes there, and only its token to us. */
export function CardForm({ onDone, isTest }: { onDone: () => void; isTest: boolean }) {
  const { form, save, isSaving } = useCardForm(onDone);
  return (
    <form onSubmit={form.onSubmit((values) => void save(values))} autoComplete="off">
      <Stack gap="sm">
        {isTest && (
          <p className={css.test}>
            {t(
              'Test cards only, no money moves: 4242 4242 4242 4242 pays, 4000 0000 0000 0341 is declined when charged, 4000 0000 0000 0002 at once, 4000 0025 0000 3155 asks the bank, 4000 0000 0000 0069 ends this month.',
            )}
          </p>
        )}
        <TextInput
          label={t('Card number')}
          data-autofocus
          inputMode="numeric"
          maxLength={30}
          {...form.getInputProps('number')}
        />
        <Group grow align="start">
          <TextInput
            label={t('Expires')}
            placeholder="MM/YY"
            maxLength={7}
            {...form.getInputProps('exp')}
          />
          <TextInput
            label={t('Security code')}
            inputMode="numeric"
            maxLength={4}
            {...form.getInputProps('cvc')}
          />
        </Group>
        <DialogFooter onCancel={onDone}>
          <Button type="submit" loading={isSaving}>
            {t('Save card')}
          </Button>
        </DialogFooter>
      </Stack>
    </form>
  );
}

function useCardForm(onDone: () => void) {
  const companyId = useCompanyId() ?? 0;
  const [isEntering, setEntering] = useState(false);
  const form = useForm({
    initialValues: { number: '', exp: '', cvc: '' },
    validate: {
      number: (text) => (text.trim() ? null : t('Enter the card number.')),
      exp: (text) => (text.trim() ? null : t('Enter month and year.')),
      cvc: (text) => (/^\d{3,4}$/.test(text) ? null : t('Enter the 3 or 4 digits.')),
    },
  });
  const { mutate, isPending } = useApiMutation(contract.updateCompanyBilling, {
    invalidates: afterPayment,
    onSuccess: ({ meta }) => {
      showPayment(meta.payment);
      onDone();
    },
  });
  const save = async (values: typeof form.values): Promise<void> => {
    setEntering(true);
    const entered = await enterCard(companyId, values).catch(() => null);
    setEntering(false);
    if (entered === null)
      toast.danger(t('The payment provider can’t be reached. Try again in a moment.'));
    else if (typeof entered !== 'string') form.setErrors(entered);
    else await mutate({ params: { companyId }, body: { payment_token: entered } });
  };
  return { form, save, isSaving: isEntering || isPending };
}
