import { Button, MultiSelect, NumberInput, Stack, TagsInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { tracking } from '#contract';
import { bindFieldErrors, Modal, navigate, t, trackBatch, useApiMutation, useCompanyId } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';
import { useFreeNumbers } from './use-options.ts';

/** Creates a pool with numbers of the company, bought ones, or both; then opens it. */
export function NewPool({ close }: { close: () => void }) {
  const { form, save, isPending } = useNewPool(close);
  const freeNumbers = useFreeNumbers();
  return (
    <Modal
      opened
      onClose={close}
      title={t('New pool')}
      size="md"
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form onSubmit={save} noValidate>
        <Stack gap="sm">
          <TextInput
            label={t('Name')}
            placeholder={t('Website visitors')}
            maxLength={80}
            data-autofocus
            {...form.getInputProps('name')}
          />
          <TagsInput
            label={t('Websites')}
            description={t('Where the numbers are shown.')}
            placeholder="www.example.com"
            {...form.getInputProps('domains')}
          />
          <MultiSelect
            label={t('Numbers you have')}
            searchable
            nothingFoundMessage={t('No results')}
            data={freeNumbers}
            {...form.getInputProps('numberIds')}
          />
          <NumberInput
            label={t('Numbers to buy')}
            min={0}
            max={tracking.poolLimits.numbers}
            {...form.getInputProps('buy')}
          />
          {Number(form.values.buy) > 0 && (
            <TextInput
              label={t('Area code')}
              placeholder="212"
              maxLength={3}
              inputMode="numeric"
              {...form.getInputProps('areaCode')}
            />
          )}
          <DialogFooter onCancel={close}>
            <Button type="submit" loading={isPending}>
              {t('Create')}
            </Button>
          </DialogFooter>
        </Stack>
      </form>
    </Modal>
  );
}

function useNewPool(close: () => void) {
  const companyId = useCompanyId() ?? 0;
  const form = useForm({
    initialValues: {
      name: '',
      domains: [] as string[],
      numberIds: [] as string[],
      buy: 0 as number | string,
      areaCode: '',
    },
    validate: { name: (name) => (name.trim() ? null : t('Enter a name.')) },
  });
  const { mutate, isPending } = useApiMutation(tracking.createPool, {
    invalidates: [tracking.listPools],
    onFieldErrors: bindFieldErrors(form, { size: 'buy' }),
  });
  const save = form.onSubmit(async ({ name, domains, numberIds, buy, areaCode }) => {
    const response = await mutate({
      params: { companyId },
      body: {
        name,
        domains,
        numberIds: numberIds.map(Number),
        size: numberIds.length + Number(buy),
        areaCode: areaCode || null,
      },
    });
    if (!response) return;
    followPurchase(response.data.purchase);
    close();
    navigate(`/tracking/pools/${response.data.id}`);
  });
  return { form, save, isPending };
}

/** Shows the progress of numbers being bought in the tray; null: none are. */
export function followPurchase(purchase: { batchId: string; total: number } | null): void {
  if (purchase)
    trackBatch({ id: purchase.batchId, label: t('Buying numbers'), total: purchase.total });
}
