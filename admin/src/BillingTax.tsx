import { useState } from 'react';
import { Button, NumberInput, Skeleton, Stack, Switch, Text, TextInput } from '@mantine/core';
import { billingTax as contract, type Answer } from '#contract';
import { formatRate, taxOf } from '#contract/billing/rules';
import { ErrorState, formatMoney, Modal, t, Time, useApiMutation, useApiQuery } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';

type Rule = Answer<typeof contract.getBillingTax>['data'];

/** A button that opens the tax of this server's invoices. */
export function BillingTax() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setOpen(true)}>
        {t('Tax')}
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={t('Tax on invoices')}
        closeButtonProps={{ 'aria-label': t('Close') }}
      >
        <Dialog close={() => setOpen(false)} />
      </Modal>
    </>
  );
}

function Dialog({ close }: { close: () => void }) {
  const { response, error, refetch } = useApiQuery(
    contract.getBillingTax,
    {},
    { silent: true, refetchOnMount: true },
  );
  if (error && !response) return <ErrorState error={error} retry={refetch} />;
  if (!response) return <Skeleton height={260} />;
  return (
    <Stack gap="md">
      <TaxForm rule={response.data} close={close} />
      <History rule={response.data} />
    </Stack>
  );
}

/** A rate as one types it, in percent. */
export function RateInput({
  value,
  onChange,
  error,
}: {
  value: number | string;
  onChange: (value: number | string) => void;
  error?: string | undefined;
}) {
  return (
    <NumberInput
      label={t('Rate')}
      suffix="%"
      min={0}
      max={100}
      decimalScale={3}
      value={value}
      error={error}
      onChange={onChange}
    />
  );
}
/** Percent as thousandths of a percent. */
export const thousandths = (percent: number | string): number => Math.round(Number(percent) * 1000);

function TaxForm({ rule, close }: { rule: Rule; close: () => void }) {
  const [name, setName] = useState(rule.name);
  const [percent, setPercent] = useState<number | string>(rule.rate / 1000);
  const [included, setIncluded] = useState(rule.included);
  const [taxId, setTaxId] = useState(rule.seller_tax_id);
  const { mutate, isPending } = useApiMutation(contract.updateBillingTax, {
    success: t('Tax saved'),
    invalidates: [contract.getBillingTax],
    onSuccess: close,
  });
  const rate = thousandths(percent);
  const needsName = rate > 0 && !name.trim();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!needsName)
          void mutate({ body: { name: name.trim(), rate, included, seller_tax_id: taxId } });
      }}
    >
      <Stack gap="sm">
        <TextInput
          data-autofocus
          label={t('Name')}
          placeholder={t('Sales tax')}
          maxLength={40}
          value={name}
          error={needsName ? t('Name the tax, such as Sales tax.') : undefined}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <RateInput value={percent} onChange={setPercent} />
        <Switch
          label={t('Prices include the tax')}
          checked={included}
          onChange={(event) => setIncluded(event.currentTarget.checked)}
        />
        <TextInput
          label={t('Your tax ID')}
          description={t('Printed on every invoice')}
          maxLength={40}
          value={taxId}
          onChange={(event) => setTaxId(event.currentTarget.value)}
        />
        <Example rate={rate} included={included} />
        <DialogFooter onCancel={close}>
          <Button type="submit" loading={isPending} disabled={needsName}>
            {t('Save')}
          </Button>
        </DialogFooter>
      </Stack>
    </form>
  );
}

/** What the rule does to a plan of $39. */
function Example({ rate, included }: { rate: number; included: boolean }) {
  const price = 3900;
  const tax = taxOf(price, { rate, included });
  return (
    <Text size="sm" c="dimmed">
      {rate === 0
        ? t('At 0%, invoices have no tax.')
        : t('A plan of {price} costs {total}, of which {tax} is tax. Rounded once per invoice.', {
            price: formatMoney(price),
            total: formatMoney(included ? price : price + tax),
            tax: formatMoney(tax),
          })}{' '}
      {t('Invoices that were issued keep their tax.')}
    </Text>
  );
}

function History({ rule }: { rule: Rule }) {
  if (rule.history.length === 0) return null;
  return (
    <Stack gap={4}>
      <Text size="sm" fw={600}>
        {t('Changes')}
      </Text>
      {rule.history.map(({ id, name, rate, changed_by: by, changed_at: at }) => (
        <Text key={id} size="sm" c="dimmed">
          <Time at={at} as="date" />
          {': '}
          {rate === 0
            ? t('No tax, by {name}', { name: by })
            : t('{tax} {rate}, by {name}', { tax: name, rate: formatRate(rate), name: by })}
        </Text>
      ))}
    </Stack>
  );
}
