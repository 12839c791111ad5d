import {
  Select,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { numbers, templates, type porting } from '#contract';
import { formatPhoneNumber, t, useApiQuery, useCompanyId } from '#ui';
import { dayName } from './labels.ts';

export interface DetailValues {
  service: string;
  losing_carrier: string;
  account_number: string;
  pin: string;
  billing_telephone_number: string;
  customer_type: 'business' | 'residential';
  entity_name: string;
  authorized_first_name: string;
  authorized_last_name: string;
  authorized_email: string;
  authorized_phone: string;
  service_address: {
    line1: string;
    line2: string;
    city: string;
    state: string;
    zip: string;
    country: 'US' | 'CA';
  };
  requested_date: string;
  partial: boolean;
  template_id: string;
  temporary_forward_number_id: string;
}
export const detailValues = (p: porting.PortRequest): DetailValues => ({
  service: String(p.service),
  losing_carrier: p.losing_carrier,
  account_number: p.account_number,
  pin: p.pin ?? '',
  billing_telephone_number: p.billing_telephone_number
    ? formatPhoneNumber(p.billing_telephone_number)
    : '',
  customer_type: p.customer_type,
  entity_name: p.entity_name,
  authorized_first_name: p.authorized_first_name,
  authorized_last_name: p.authorized_last_name,
  authorized_email: p.authorized_email,
  authorized_phone: p.authorized_phone ? formatPhoneNumber(p.authorized_phone) : '',
  service_address: p.service_address,
  requested_date: p.requested_date ?? '',
  partial: p.partial,
  template_id: p.template_id ? String(p.template_id) : '',
  temporary_forward_number_id: p.temporary_forward_number_id
    ? String(p.temporary_forward_number_id)
    : '',
});
/** As the server wants it. */
export const detailBody = (v: DetailValues) => ({
  ...v,
  service: Number(v.service) as 1 | 2,
  pin: v.pin || null,
  billing_telephone_number: v.billing_telephone_number || null,
  authorized_phone: v.authorized_phone || null,
  requested_date: v.requested_date || null,
  template_id: v.template_id ? Number(v.template_id) : null,
  temporary_forward_number_id: v.temporary_forward_number_id
    ? Number(v.temporary_forward_number_id)
    : null,
});

/** The account at the other carrier, who may sign for it, the day, and what happens here afterwards. */
export function PortDetailsForm({
  form,
  earliest,
}: {
  form: UseFormReturnType<DetailValues>;
  earliest: string;
}) {
  const companyId = useCompanyId();
  const mine =
    useApiQuery(numbers.listNumbersOfCompany, { params: { id: companyId ?? 0 } }, { silent: true })
      .response?.data ?? [];
  const kept =
    useApiQuery(templates.listNumberTemplates, {}, { silent: true }).response?.data ?? [];
  const at = (field: string) => form.getInputProps(field);
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <TextInput label={t('Current carrier')} {...at('losing_carrier')} />
        <Select
          label={t('Service')}
          allowDeselect={false}
          data={[
            { value: '1', label: t('Voice and SMS') },
            { value: '2', label: t('Fax') },
          ]}
          {...at('service')}
        />
        <TextInput
          label={t('Account number')}
          description={t('It’s on your bill.')}
          {...at('account_number')}
        />
        <TextInput
          label={t('Transfer PIN')}
          description={t('Only if the account has one.')}
          autoComplete="off"
          {...at('pin')}
        />
        <TextInput
          label={t('Main number on the account')}
          type="tel"
          {...at('billing_telephone_number')}
        />
        <TextInput
          label={t('Port date')}
          type="date"
          min={earliest}
          description={t('The earliest possible date is {day}.', { day: dayName(earliest) })}
          {...at('requested_date')}
        />
      </SimpleGrid>
      <Switch
        label={t('Other numbers on that account stay there')}
        {...form.getInputProps('partial', { type: 'checkbox' })}
      />
      <Stack gap="sm">
        <SegmentedControl
          aria-label={t('Account holder')}
          style={{ alignSelf: 'flex-start' }}
          data={[
            { value: 'business', label: t('Business') },
            { value: 'residential', label: t('Residential') },
          ]}
          {...at('customer_type')}
        />
        <TextInput
          label={
            form.values.customer_type === 'business'
              ? t('Company name on the bill')
              : t('Name on the bill')
          }
          {...at('entity_name')}
        />
        <Text fw={500}>{t('Authorized person')}</Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput label={t('First name')} {...at('authorized_first_name')} />
          <TextInput label={t('Last name')} {...at('authorized_last_name')} />
          <TextInput
            label={t('Email')}
            type="email"
            description={t('Port updates are sent here.')}
            {...at('authorized_email')}
          />
          <TextInput
            label={t('Phone')}
            type="tel"
            description={t('In case the current carrier has questions.')}
            {...at('authorized_phone')}
          />
        </SimpleGrid>
        <Text fw={500}>{t('Service address, as on the bill')}</Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput label={t('Street')} {...at('service_address.line1')} />
          <TextInput label={t('Suite or floor')} {...at('service_address.line2')} />
          <TextInput label={t('City')} {...at('service_address.city')} />
          <TextInput
            label={t('State or province')}
            placeholder="NY"
            maxLength={2}
            {...at('service_address.state')}
          />
          <TextInput label={t('ZIP or postal code')} {...at('service_address.zip')} />
          <Select
            label={t('Country')}
            allowDeselect={false}
            data={[
              { value: 'US', label: t('United States') },
              { value: 'CA', label: t('Canada') },
            ]}
            {...at('service_address.country')}
          />
        </SimpleGrid>
      </Stack>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <Select
          label={t('Settings after porting')}
          description={t('A template, or the defaults.')}
          placeholder={t('Default settings')}
          clearable
          clearButtonProps={{ 'aria-label': t('Default settings') }}
          data={kept.map((one) => ({ value: String(one.id), label: one.name }))}
          {...at('template_id')}
          value={form.values.template_id || null}
          onChange={(v) => form.setFieldValue('template_id', v ?? '')}
        />
        <Select
          label={t('Temporary number')}
          description={t(
            'Forward your old number to one of yours in the meantime. Once ported, it’s answered the same way.',
          )}
          placeholder={t('None')}
          searchable
          clearable
          clearButtonProps={{ 'aria-label': t('None') }}
          data={mine
            .filter((n) => n.status === 'active')
            .map((n) => ({
              value: String(n.id),
              label: [formatPhoneNumber(n.number), n.label].filter(Boolean).join(' · '),
            }))}
          {...at('temporary_forward_number_id')}
          value={form.values.temporary_forward_number_id || null}
          onChange={(v) => form.setFieldValue('temporary_forward_number_id', v ?? '')}
        />
      </SimpleGrid>
    </Stack>
  );
}
