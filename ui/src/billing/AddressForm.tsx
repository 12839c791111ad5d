import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { billing as contract, type Answer } from '#contract';
import { bindFieldErrors, t, useApiMutation, useCompanyId } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';

/** Name and address that invoices are made out to. */
export function AddressForm({
  billing,
  onDone,
}: {
  billing: Answer<typeof contract.companyBilling>['data'];
  onDone: () => void;
}) {
  const companyId = useCompanyId() ?? 0;
  const form = useForm({
    initialValues: {
      billing_name: billing.billing_name,
      billing_address: billing.billing_address,
      billing_address_2: billing.billing_address_2,
      billing_city: billing.billing_city,
      billing_state: billing.billing_state,
      billing_zip: billing.billing_zip,
      billing_country: billing.billing_country,
    },
  });
  const { mutate, isPending } = useApiMutation(contract.updateCompanyBilling, {
    success: t('Billing address saved'),
    invalidates: [contract.companyBilling],
    onFieldErrors: bindFieldErrors(form),
    onSuccess: onDone,
  });
  const input = form.getInputProps;
  return (
    <form
      onSubmit={form.onSubmit((values) => void mutate({ params: { companyId }, body: values }))}
    >
      <Stack gap="sm">
        <TextInput label={t('Name')} data-autofocus maxLength={120} {...input('billing_name')} />
        <TextInput label={t('Street')} maxLength={200} {...input('billing_address')} />
        <TextInput
          label={t('Suite, floor or unit')}
          maxLength={200}
          {...input('billing_address_2')}
        />
        <Group grow align="start">
          <TextInput label={t('City')} maxLength={100} {...input('billing_city')} />
          <TextInput label={t('State')} maxLength={60} {...input('billing_state')} />
        </Group>
        <Group grow align="start">
          <TextInput label={t('ZIP code')} maxLength={20} {...input('billing_zip')} />
          <TextInput
            label={t('Country')}
            placeholder="US"
            maxLength={2}
            {...input('billing_country')}
          />
        </Group>
        <DialogFooter onCancel={onDone}>
          <Button type="submit" loading={isPending}>
            {t('Save')}
          </Button>
        </DialogFooter>
      </Stack>
    </form>
  );
}
