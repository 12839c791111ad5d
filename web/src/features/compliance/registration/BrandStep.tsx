import { Alert, Select, SimpleGrid, Stack, TextInput } from '@mantine/core';
import {
  brandTypes,
  industries,
  registrationIdTypes,
  stockExchanges,
} from '#contract/compliance/registration/lists';
import { Section, t } from '#ui';
import { industryLabel } from '../../settings/index.ts';
import type { RegistrationForm } from './form.ts';

interface FieldsProps {
  form: RegistrationForm;
  locked: boolean;
}
const fieldProps =
  ({ form, locked }: FieldsProps) =>
  (name: string) => ({ readOnly: locked, ...form.getInputProps(`brand.${name}`) });

const options = (list: Record<string, string>) =>
  Object.entries(list).map(([value, label]) => ({ value, label: t(label) }));

/**
 * Brand step: the business as the registry should know it. `locked` makes the fields read-only
 * because the brand is registered already.
 */
export function BrandStep({ form, locked }: FieldsProps) {
  return (
    <>
      {locked && (
        <Alert color="gray" mb="md">
          {t('This brand is already registered, so it can’t be changed.')}
        </Alert>
      )}
      <BusinessFields form={form} locked={locked} />
      <ReachFields form={form} locked={locked} />
      <AddressFields form={form} locked={locked} />
      <ContactFields form={form} locked={locked} />
    </>
  );
}

function BusinessFields(props: FieldsProps) {
  const field = fieldProps(props);
  return (
    <Section
      title={t('Business')}
      about={t(
        'Enter these exactly as on your registration and tax records. Most rejections come from a name or number that differs.',
      )}
    >
      <Stack gap="sm">
        <IdentityFields {...props} />
        {props.form.values.brand.type === 'publicly_traded' && (
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
            <Select
              label={t('Stock exchange')}
              data={stockExchanges.map((x) => ({
                value: x,
                label: x === 'other' ? t('Other') : x,
              }))}
              searchable
              allowDeselect={false}
              {...field('stock_exchange')}
            />
            <TextInput label={t('Stock symbol')} {...field('stock_symbol')} />
          </SimpleGrid>
        )}
      </Stack>
    </Section>
  );
}

function IdentityFields(props: FieldsProps) {
  const field = fieldProps(props);
  const { locked } = props;
  const { registration_id_type } = props.form.values.brand;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      <Select
        label={t('Business type')}
        data={options(brandTypes)}
        allowDeselect={false}
        {...field('type')}
      />
      <Select
        label={t('Industry')}
        data={industries.map((i) => ({ value: i, label: industryLabel(i) }))}
        searchable
        allowDeselect={false}
        {...field('industry')}
      />
      <TextInput label={t('Legal name')} {...field('legal_name')} />
      <TextInput
        label={t('Doing business as')}
        description={t('The name customers know, if different.')}
        {...field('dba')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
      />
      <TextInput label={t('EIN')} placeholder="12-3456789" {...field('ein')} />
      <TextInput label={t('Website')} placeholder="https://" {...field('website')} />
      <Select
        label={t('Other registration number')}
        placeholder={t('None')}
        data={[...registrationIdTypes]}
        clearable={!locked}
        clearButtonProps={{ 'aria-label': t('Clear') }}
        {...field('registration_id_type')}
      />
      {registration_id_type && (
        <TextInput
          label={t('{kind} number', { kind: registration_id_type })}
          {...field('registration_id')}
        />
      )}
    </SimpleGrid>
  );
}

function ReachFields(props: FieldsProps) {
  const field = fieldProps(props);
  return (
    <Section title={t('Contact details')}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <TextInput
          label={t('Email')}
          type="email"
          description={t('Use an address at your own domain.')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...field('email')}
        />
        <TextInput label={t('Phone')} type="tel" {...field('phone')} />
        <TextInput label={t('Customer email')} type="email" {...field('support_email')} />
        <TextInput label={t('Customer phone')} type="tel" {...field('support_phone')} />
      </SimpleGrid>
    </Section>
  );
}

function AddressFields(props: FieldsProps) {
  const field = fieldProps(props);
  return (
    <Section title={t('Address')}>
      <Stack gap="sm">
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput label={t('Street')} {...field('address.line1')} />
          <TextInput label={t('Suite or floor')} {...field('address.line2')} />
        </SimpleGrid>
        <SimpleGrid cols={{ base: 1, sm: 4 }} spacing="sm">
          <TextInput label={t('City')} {...field('address.city')} />
          <TextInput label={t('State')} placeholder="NY" {...field('address.state')} />
          <TextInput label={t('ZIP')} {...field('address.zip')} />
          <Select
            label={t('Country')}
            allowDeselect={false}
            data={[
              { value: 'US', label: t('United States') },
              { value: 'CA', label: t('Canada') },
            ]}
            {...field('address.country')}
          />
        </SimpleGrid>
      </Stack>
    </Section>
  );
}

function ContactFields(props: FieldsProps) {
  const field = fieldProps(props);
  return (
    <Section title={t('Contact')} about={t('Who the registry can contact.')}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
        <TextInput label={t('First name')} {...field('contact.first_name')} />
        <TextInput label={t('Last name')} {...field('contact.last_name')} />
        <TextInput label={t('Job title')} {...field('contact.title')} />
        <TextInput label={t('Contact email')} type="email" {...field('contact.email')} />
        <TextInput
          label={t('Contact phone')}
          type="tel"
          description={t('Leave empty to use the business phone.')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...field('contact.phone')}
        />
      </SimpleGrid>
    </Section>
  );
}
