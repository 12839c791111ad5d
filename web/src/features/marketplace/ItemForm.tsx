import { Button, Group, Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { marketplace } from '#contract';
import { bindFieldErrors, Section, t, useApiMutation, useUnsavedGuard } from '#ui';
import {
  fieldNames,
  toRequest,
  valuesOf,
  type Item,
  type ItemFormState,
  type ItemValues,
} from './item-values.ts';
import { dollarsToCents } from './labels.ts';
import { PublicItemFields } from './PublicItemFields.tsx';

/**
 * Price and texts of a marketplace number. Texts about toll-free numbers speak of lease and
 * service, never of a sale; the server enforces that.
 */
export function ItemForm({ item }: { item: Item }) {
  const amount = (v: string) => (dollarsToCents(v) === null ? t('Enter an amount.') : null);
  const form = useForm<ItemValues>({
    initialValues: valuesOf(item),
    validate: {
      monthly: amount,
      setup: amount,
      least: (v) => (v.trim() ? amount(v) : null),
      term: (v) => (/^\d{1,3}$/.test(v) ? null : t('Enter a number of months.')),
    },
  });
  useUnsavedGuard(form.isDirty());
  const { mutate, isPending } = useApiMutation(marketplace.updateMarketplaceNumber, {
    onFieldErrors: bindFieldErrors(form, fieldNames),
    invalidates: [
      marketplace.getMarketplaceNumber,
      marketplace.listMarketplaceNumbers,
      marketplace.marketplaceKpi,
    ],
    success: t('Marketplace number updated'),
    onSuccess: () => form.resetDirty(),
  });
  const save = form.onSubmit(
    (v) => void mutate({ params: { id: item.id }, body: toRequest(v, item.status) }),
  );
  return (
    <form onSubmit={save} noValidate>
      <PriceFields form={form} isReserved={item.status === 'reserved'} />
      <PublicItemFields form={form} isTollFree={item.category === 'toll_free'} />
      <InternalFields form={form} />
      <Group mt="md">
        <Button type="submit" loading={isPending} disabled={!form.isDirty()}>
          {t('Save')}
        </Button>
      </Group>
    </form>
  );
}

function PriceFields({ form, isReserved }: { form: ItemFormState; isReserved: boolean }) {
  const at = (field: keyof ItemValues) => ({
    disabled: isReserved,
    ...form.getInputProps(field),
  });
  return (
    <Section
      title={t('Price')}
      about={
        isReserved
          ? t('Someone is checking out. The price can’t change until they’re done.')
          : marketplace.termsOf(form.values.type)
      }
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <Select
          label={t('Offer type')}
          allowDeselect={false}
          data={[
            { value: 'lease', label: t('Lease') },
            { value: 'assignment', label: t('Assignment of service') },
            { value: 'make_offer', label: t('Make an offer') },
          ]}
          {...at('type')}
        />
        <TextInput label={t('US dollars per month')} inputMode="decimal" {...at('monthly')} />
        <TextInput label={t('Setup fee, US dollars')} inputMode="decimal" {...at('setup')} />
        <TextInput label={t('Minimum term, months')} inputMode="numeric" {...at('term')} />
        <TextInput
          label={t('Minimum offer, US dollars per month')}
          description={t('Not shown to buyers.')}
          inputMode="decimal"
          {...at('least')}
        />
      </SimpleGrid>
    </Section>
  );
}

function InternalFields({ form }: { form: ItemFormState }) {
  const at = (field: keyof ItemValues) => form.getInputProps(field);
  return (
    <Section title={t('Internal details')}>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <Select
            label={t('Channel')}
            allowDeselect={false}
            data={[
              { value: 'own', label: t('Own') },
              { value: 'partner', label: t('Partner') },
              { value: 'listing_site', label: t('Listing site') },
            ]}
            {...at('channel')}
          />
          {form.values.channel !== 'own' && (
            <TextInput label={t('Which partner or site')} {...at('partner_name')} />
          )}
        </SimpleGrid>
        <Textarea label={t('Notes')} autosize minRows={2} {...at('notes')} />
      </Stack>
    </Section>
  );
}
