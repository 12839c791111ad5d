import { Alert, Select, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { companies, type Answer } from '#contract';
import {
  bindFieldErrors,
  focusFirstError,
  formatPhoneNumber,
  Section,
  t,
  usePermission,
  useApiMutation,
  useUnsavedGuard,
  useFollowSaved,
} from '#ui';
import { SaveBar } from '../../../../shared/SaveBar.tsx';
import { industries, industryLabel, zoneOptions } from '../../../settings/index.ts';

type Company = Answer<typeof companies.getCompany>['data'];

const valuesOf = (c: Company) => ({
  name: c.name,
  phone: c.phone ? formatPhoneNumber(c.phone) : '',
  email: c.email ?? '',
  website: c.website ?? '',
  industry: c.industry ?? '',
  timezone: c.timezone,
  links_enabled: c.links_enabled,
  address: { address1: '', address2: '', city: '', state: '', zip: '', ...c.address },
});

/** The form of the profile; `save` adds a missing scheme to the website. */
function useProfileForm(company: Company) {
  const form = useForm({
    initialValues: valuesOf(company),
    validate: { name: (v) => (v.trim() ? null : t('Enter a name.')) },
  });
  const { mutate, isPending } = useApiMutation(companies.updateCompany, {
    onFieldErrors: bindFieldErrors(form),
    success: t('Information updated successfully'),
    invalidates: [companies.getCompany, companies.getUser, companies.listCompaniesSlim],
  });
  useUnsavedGuard(form.isDirty());
  useFollowSaved(form, valuesOf(company));
  const save = async (values: ReturnType<typeof valuesOf>): Promise<void> => {
    const website =
      values.website.trim() && !/^https?:\/\//i.test(values.website.trim())
        ? `https://${values.website.trim()}`
        : values.website.trim();
    const { name, phone, email, industry, timezone, links_enabled, address } = values;
    const response = await mutate({
      params: { id: company.id },
      body: {
        name: name.trim(),
        phone: phone.trim() || null,
        email: email.trim(),
        website: website || null,
        industry: industry || null,
        timezone,
        links_enabled,
        address,
      },
    });
    if (response) form.resetDirty();
  };
  return { form, save, isPending };
}

/** The company’s profile, address and texting settings. */
export function CompanyProfile({ company }: { company: Company }) {
  const mayEdit = usePermission('company.edit');
  const { form, save, isPending } = useProfileForm(company);
  return (
    <form
      onSubmit={form.onSubmit(
        (v) => void save(v),
        (errors) => focusFirstError(form, errors),
      )}
      noValidate
    >
      {!mayEdit && (
        <Alert color="gray" mb="md">
          {t(
            'Your role can view these settings but not change them. Ask an owner or administrator.',
          )}
        </Alert>
      )}
      <ProfileFields form={form} mayEdit={mayEdit} />
      <AddressFields form={form} mayEdit={mayEdit} />
      <Section title={t('Texting')}>
        <Switch
          label={t('Links in text messages')}
          description={t('When off, campaigns with a link can’t be sent.')}
          disabled={!mayEdit}
          {...form.getInputProps('links_enabled', { type: 'checkbox' })}
        />
      </Section>
      {mayEdit && (
        <SaveBar dirty={form.isDirty()} saving={isPending} onDiscard={() => form.reset()} />
      )}
    </form>
  );
}

interface FieldsProps {
  form: UseFormReturnType<ReturnType<typeof valuesOf>>;
  mayEdit: boolean;
}

function ProfileFields({ form, mayEdit }: FieldsProps) {
  const field = { readOnly: !mayEdit };
  return (
    <Section title={t('Profile')}>
      <Stack gap="sm">
        <TextInput label={t('Name')} {...field} {...form.getInputProps('name')} />
        <SimpleGrid cols={2} spacing="sm">
          <TextInput label={t('Phone')} type="tel" {...field} {...form.getInputProps('phone')} />
          <TextInput label={t('Email')} type="email" {...field} {...form.getInputProps('email')} />
          <TextInput
            label={t('Website')}
            placeholder="https://"
            {...field}
            {...form.getInputProps('website')}
          />
          <Select
            label={t('Industry')}
            data={industries.map((i) => ({ value: i, label: industryLabel(i) }))}
            searchable
            clearable={mayEdit}
            clearButtonProps={{ 'aria-label': t('Clear') }}
            {...field}
            {...form.getInputProps('industry')}
          />
        </SimpleGrid>
        <Select
          label={t('Time zone')}
          description={t('Used for business hours and “today”.')}
          data={zoneOptions()}
          searchable
          allowDeselect={false}
          maxDropdownHeight={320}
          limit={80}
          {...field}
          {...form.getInputProps('timezone')}
        />
      </Stack>
    </Section>
  );
}

function AddressFields({ form, mayEdit }: FieldsProps) {
  const field = { readOnly: !mayEdit };
  return (
    <Section title={t('Address')}>
      <Stack gap="sm">
        <TextInput label={t('Street')} {...field} {...form.getInputProps('address.address1')} />
        <TextInput
          label={t('Suite or floor')}
          {...field}
          {...form.getInputProps('address.address2')}
        />
        <SimpleGrid cols={3} spacing="sm">
          <TextInput label={t('City')} {...field} {...form.getInputProps('address.city')} />
          <TextInput label={t('State')} {...field} {...form.getInputProps('address.state')} />
          <TextInput label={t('ZIP')} {...field} {...form.getInputProps('address.zip')} />
        </SimpleGrid>
      </Stack>
    </Section>
  );
}
