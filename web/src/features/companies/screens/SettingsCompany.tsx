import { useEffect, useState } from 'react';
import {
  Alert,
  Button,
  Group,
  Select,
  SimpleGrid,
  Skeleton,
  Stack,
  Switch,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { companies, type Answer } from '#contract';
import { entityOf } from '#contract/fields/rules';
import {
  bindFieldErrors,
  confirmTyped,
  ErrorState,
  toast,
  focusFirstError,
  formatPhoneNumber,
  navigate,
  Section,
  selectCompany,
  t,
  useApiQuery,
  useCompanyId,
  usePermission,
  useApiMutation,
  useUnsavedGuard,
} from '#ui';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import { CustomFields, useFields } from '../../fields/index.ts';
import { industries, zoneOptions } from '../../settings/index.ts';

type Company = Answer<typeof companies.getCompany>['data'];

export default function SettingsCompany() {
  const companyId = useCompanyId();
  const { response, error, refetch } = useApiQuery(
    companies.getCompany,
    { params: { id: companyId ?? 0 } },
    { enabled: companyId !== null, refetchOnMount: true },
  );
  return (
    <SettingsFrame title={t('Company')} layout="read">
      {error && !response && <ErrorState error={error} retry={refetch} />}
      {!response && !error && (
        <Stack>
          {[0, 1, 2, 3].map((i) => (
            <Skeleton key={i} height={36} />
          ))}
        </Stack>
      )}
      {response && (
        <>
          <Profile key={response.data.id} company={response.data} />
          <CompanyFields company={response.data} />
          <DeleteCompany company={response.data} />
        </>
      )}
    </SettingsFrame>
  );
}

/** The company's custom fields; each saves on blur. */
function CompanyFields({ company }: { company: Company }) {
  const mayEdit = usePermission('company.edit');
  const { mutate, error } = useApiMutation(companies.updateCompany, {
    success: t('Information updated successfully'),
    invalidates: [companies.getCompany],
    silent: (r) => Object.keys(r.fields).some((name) => name.startsWith('eav_attribute_values.')),
  });
  if (!useFields(entityOf.company).fields.length) return null;
  const errors = Object.fromEntries(
    Object.entries(error?.fields ?? {}).map(([name, why]) => [
      name.replace('eav_attribute_values.', ''),
      why,
    ]),
  );
  return (
    <Section title={t('Custom fields')}>
      <CustomFields
        entity={entityOf.company}
        values={company.eav_attribute_values}
        disabled={!mayEdit}
        errors={errors}
        onChange={(eav_attribute_values) =>
          void mutate({ params: { id: company.id }, body: { eav_attribute_values } })
        }
      />
    </Section>
  );
}

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

function Profile({ company }: { company: Company }) {
  const mayEdit = usePermission('company.edit');
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
  // When another user saves meanwhile, show their values unless this form has unsaved changes.
  const saved = JSON.stringify(valuesOf(company));
  useEffect(() => {
    if (form.isDirty()) return;
    form.setInitialValues(JSON.parse(saved) as ReturnType<typeof valuesOf>);
    form.reset();
  }, [saved]);
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
  const field = { readOnly: !mayEdit };
  return (
    <form
      onSubmit={form.onSubmit(
        (v) => void save(v),
        (errors) => focusFirstError(form, errors),
      )}
    >
      {!mayEdit && (
        <Alert color="gray" mb="md">
          {t('Your role can view these settings but not change them.')}
        </Alert>
      )}
      <Section title={t('Profile')}>
        <Stack gap="sm">
          <TextInput label={t('Name')} {...field} {...form.getInputProps('name')} />
          <SimpleGrid cols={2} spacing="sm">
            <TextInput label={t('Phone')} type="tel" {...field} {...form.getInputProps('phone')} />
            <TextInput
              label={t('Email')}
              type="email"
              {...field}
              {...form.getInputProps('email')}
            />
            <TextInput
              label={t('Website')}
              placeholder="https://"
              {...field}
              {...form.getInputProps('website')}
            />
            <Select
              label={t('Industry')}
              data={industries.map((i) => ({
                value: i,
                label: i.charAt(0).toUpperCase() + i.slice(1),
              }))}
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
      <Section title={t('Texting')}>
        <Switch
          label={t('Links in text messages')}
          description={t('When off, campaigns with a link can’t be sent.')}
          disabled={!mayEdit}
          {...form.getInputProps('links_enabled', { type: 'checkbox' })}
        />
      </Section>
      {mayEdit && (
        <Group my="md" gap="xs">
          <Button type="submit" loading={isPending} disabled={!form.isDirty()}>
            {t('Save')}
          </Button>
          <Button variant="default" disabled={!form.isDirty()} onClick={() => form.reset()}>
            {t('Discard changes')}
          </Button>
        </Group>
      )}
    </form>
  );
}

function DeleteCompany({ company }: { company: Company }) {
  const mayDelete = usePermission('company.delete');
  const [gone, setGone] = useState(false);
  const { mutate, isPending } = useApiMutation(companies.deleteCompany, {
    invalidates: [companies.listCompaniesSlim, companies.getUser],
  });
  if (!mayDelete || gone) return null;
  const remove = async (): Promise<void> => {
    if (
      !(await confirmTyped({
        title: t('Delete this company?'),
        requiredText: company.name,
        confirmLabel: t('Delete company'),
        body: t('Permanently deletes the company, its roles and its settings.'),
      }))
    )
      return;
    if (!(await mutate({ params: { id: company.id } }))) return;
    setGone(true);
    toast.success(t('{name} was deleted', { name: company.name }));
    selectCompany(null);
    navigate('/select-company');
  };
  return (
    <Section
      title={t('Delete company')}
      about={t('Only an account with no numbers or activity can be deleted.')}
      action={
        <Button color="red" variant="default" loading={isPending} onClick={() => void remove()}>
          {t('Delete')}
        </Button>
      }
    />
  );
}
