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
import { numbers, templates } from '#contract';
import { formatPhoneNumber, t, useApiQuery, useCompanyId } from '#ui';
import { dayName } from './labels.ts';
import type { DetailValues } from './port-details.ts';

interface FieldsProps {
  form: UseFormReturnType<DetailValues>;
}

/**
 * Details step of the porting wizard: account at the current carrier, authorized person, port date,
 * and settings after porting. `earliest` is a calendar day (YYYY-MM-DD).
 */
export function PortDetailsForm({ form, earliest }: FieldsProps & { earliest: string }) {
  return (
    <Stack gap="lg">
      <AccountFields form={form} earliest={earliest} />
      <Switch
        label={t('Other numbers on that account stay there')}
        {...form.getInputProps('partial', { type: 'checkbox' })}
      />
      <Stack gap="sm">
        <HolderFields form={form} />
        <AddressFields form={form} />
      </Stack>
      <AfterPortingFields form={form} />
    </Stack>
  );
}

function AccountFields({ form, earliest }: FieldsProps & { earliest: string }) {
  const at = (field: string) => form.getInputProps(field);
  return (
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
  );
}

function HolderFields({ form }: FieldsProps) {
  const at = (field: string) => form.getInputProps(field);
  return (
    <>
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
    </>
  );
}

function AddressFields({ form }: FieldsProps) {
  const at = (field: string) => form.getInputProps(field);
  return (
    <>
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
    </>
  );
}

/** Settings that the ported numbers get, and a temporary number that takes the calls until then. */
function AfterPortingFields({ form }: FieldsProps) {
  const companyId = useCompanyId();
  const ownNumbers = useApiQuery(
    numbers.listNumbersOfCompany,
    { params: { id: companyId ?? 0 } },
    { silent: true },
  );
  const numberTemplates = useApiQuery(templates.listNumberTemplates, {}, { silent: true });
  const at = (field: string) => form.getInputProps(field);
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      <Select
        label={t('Settings after porting')}
        description={t('A template, or the defaults.')}
        placeholder={t('Default settings')}
        clearable
        clearButtonProps={{ 'aria-label': t('Default settings') }}
        data={(numberTemplates.response?.data ?? []).map((one) => ({
          value: String(one.id),
          label: one.name,
        }))}
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
        data={(ownNumbers.response?.data ?? [])
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
  );
}
