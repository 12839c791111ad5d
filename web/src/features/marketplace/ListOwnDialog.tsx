import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { marketplace, numbers } from '#contract';
import {
  bindFieldErrors,
  formatPhoneNumber,
  navigate,
  Modal,
  t,
  useApiQuery,
  useCompanyId,
  useApiMutation,
} from '#ui';

/** Adds one of the company's own numbers to the marketplace as a draft. */
export function ListOwnDialog({ close }: { close: () => void }) {
  const { form, send, isPending } = useListOwn();
  const listable = useListableNumbers();
  return (
    <Modal
      opened
      onClose={close}
      size="sm"
      title={t('List a number')}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      <form onSubmit={send}>
        <Stack gap="sm">
          <Text c="dimmed" fz="sm">
            {t(
              'The number stays yours and keeps working until someone leases it. It’s hidden until you list it.',
            )}
          </Text>
          <Select
            label={t('Number')}
            searchable
            data={listable}
            {...form.getInputProps('number_id')}
          />
          <TextInput
            label={t('What it spells')}
            placeholder="800-555-DENT"
            {...form.getInputProps('vanity_text')}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              {t('Cancel')}
            </Button>
            <Button type="submit" loading={isPending}>
              {t('Create draft')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function useListOwn() {
  const form = useForm({
    initialValues: { number_id: '', vanity_text: '' },
    validate: { number_id: (v) => (v ? null : t('Choose a number.')) },
  });
  const { mutate, isPending } = useApiMutation(marketplace.listOnMarketplace, {
    onFieldErrors: bindFieldErrors(form),
    invalidates: [marketplace.listMarketplaceNumbers, marketplace.marketplaceKpi],
    success: t('Number saved as a marketplace draft'),
    onSuccess: (response) => navigate(`/marketplace/${response.data.id}`),
  });
  const send = form.onSubmit(
    (v) =>
      void mutate({
        body: { number_id: Number(v.number_id), vanity_text: v.vanity_text.trim() || null },
      }),
  );
  return { form, send, isPending };
}

/** The company's numbers that can be leased to others, as options. */
function useListableNumbers(): { value: string; label: string }[] {
  const companyId = useCompanyId();
  const mine = useApiQuery(numbers.listNumbersOfCompany, { params: { id: companyId ?? 0 } });
  return (mine.response?.data ?? [])
    .filter((n) => n.status === 'active' || n.status === 'parked')
    .map((n) => ({
      value: String(n.id),
      label: [formatPhoneNumber(n.number), n.label].filter(Boolean).join(' · '),
    }));
}
