import { useState } from 'react';
import { Button, Radio, Stack, Text, TextInput } from '@mantine/core';
import { billingTax as contract } from '#contract';
import { Modal, Section, t, useApiMutation } from '#ui';
import { taxText } from '#ui/billing/labels.ts';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';
import { RateInput, thousandths } from './BillingTax.tsx';
import { changed, type Account } from './RefundForm.tsx';

type Treatment = 'standard' | 'exempt' | 'rate';

/** How an account is taxed, and the way to tax it otherwise. */
export function AccountTax({ account, companyId }: { account: Account; companyId: number }) {
  const [isOpen, setOpen] = useState(false);
  const { tax } = account.subscription;
  return (
    <Section title={t('Tax')}>
      <Text size="sm" mb="sm">
        {tax ? taxText(tax) : t('No tax')}
      </Text>
      <Button size="xs" variant="default" onClick={() => setOpen(true)}>
        {t('Change tax')}
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={t('Tax of {name}', { name: account.company.name })}
        closeButtonProps={{ 'aria-label': t('Close') }}
      >
        <TaxForm account={account} companyId={companyId} close={() => setOpen(false)} />
      </Modal>
    </Section>
  );
}

/** The form's values, and what is missing of them. */
function useTaxForm({ tax_exception: exception }: Account) {
  const [values, set] = useState({
    treatment: (exception?.treatment ?? 'standard') satisfies Treatment as Treatment,
    reason: exception?.reason ?? '',
    number: exception?.number ?? '',
    name: exception?.name ?? '',
    percent: ((exception?.rate ?? 0) / 1000) as number | string,
  });
  const rate = thousandths(values.percent);
  const isComplete =
    values.treatment === 'standard' ||
    (values.treatment === 'exempt' && values.reason.trim() !== '') ||
    (values.treatment === 'rate' && values.name.trim() !== '' && rate > 0);
  const { treatment, reason, number, name } = values;
  const details = treatment === 'exempt' ? { reason, number } : { name, rate };
  return {
    values,
    isComplete,
    change: (some: Partial<typeof values>): void => set((before) => ({ ...before, ...some })),
    body: { treatment, ...(treatment !== 'standard' && details) },
  };
}
type TaxFormState = ReturnType<typeof useTaxForm>;

function TaxForm({
  account,
  companyId,
  close,
}: {
  account: Account;
  companyId: number;
  close: () => void;
}) {
  const form = useTaxForm(account);
  const { mutate, isPending } = useApiMutation(contract.updateAccountTax, {
    success: t('Tax saved'),
    ...changed,
    onSuccess: close,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void mutate({ params: { companyId }, body: form.body });
      }}
    >
      <Stack gap="sm">
        <Radio.Group
          label={t('This account is taxed')}
          value={form.values.treatment}
          onChange={(value) => form.change({ treatment: value as Treatment })}
        >
          <Stack gap="xs" mt="xs">
            <Radio value="standard" label={t('As all others')} />
            <Radio value="exempt" label={t('Not at all: it is exempt')} />
            <Radio value="rate" label={t('At the rate of its place')} />
          </Stack>
        </Radio.Group>
        <Details form={form} />
        <DialogFooter onCancel={close}>
          <Button type="submit" loading={isPending} disabled={!form.isComplete}>
            {t('Save')}
          </Button>
        </DialogFooter>
      </Stack>
    </form>
  );
}

function Details({ form: { values, change } }: { form: TaxFormState }) {
  if (values.treatment === 'standard') return null;
  if (values.treatment === 'exempt')
    return (
      <>
        <TextInput
          label={t('Reason')}
          description={t('Shown on invoices')}
          placeholder={t('Resale')}
          maxLength={100}
          value={values.reason}
          onChange={(event) => change({ reason: event.currentTarget.value })}
        />
        <TextInput
          label={t('Certificate number (optional)')}
          maxLength={40}
          value={values.number}
          onChange={(event) => change({ number: event.currentTarget.value })}
        />
      </>
    );
  return (
    <>
      <TextInput
        label={t('Name')}
        placeholder={t('Texas sales tax')}
        maxLength={40}
        value={values.name}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <RateInput value={values.percent} onChange={(percent) => change({ percent })} />
    </>
  );
}
