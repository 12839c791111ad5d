import { Alert, Button, Checkbox, Divider, Group, Select, type ComboboxItem } from '@mantine/core';
import { useForm } from '@mantine/form';
import { companies } from '#contract';
import { crmFields } from '#contract/integrations/oauth-integrations/rules';
import { t, useApiQuery, useCompanyId } from '#ui';
import { useLookup, useSaveAccount } from '../account-form.ts';
import type { Account } from '../AccountActions.tsx';
import { ComesBackFields } from '../ComesBackFields.tsx';
import { EditDialog } from '../EditDialog.tsx';
import { crmFieldLabel } from '../labels.ts';
import { PairFields, withChosen } from '../PairFields.tsx';
import { NarrowFields, WhenFields } from '../WhenFields.tsx';
import { bodyOf, valuesOf, type Form } from './form-values.ts';

/** What is logged in a HubSpot account, and how. */
export function HubspotDialog({ account, close }: { account: Account; close: () => void }) {
  const form: Form = useForm({ initialValues: valuesOf(account) });
  const { save, isSaving } = useSaveAccount(account, form, {
    ...{ fieldNames, close },
    bodyOf: (values) => bodyOf(values, account),
    success: t('HubSpot settings saved'),
  });
  return (
    <EditDialog size="lg" title={t('HubSpot settings')} {...{ form, save, isSaving, close }}>
      <WhenFields label={t('Log when')} required field={form.getInputProps} />
      <NarrowFields values={form.values} field={form.getInputProps} />
      <Group gap="lg">
        <Checkbox label={t('Log calls')} {...form.getInputProps('logCall', { type: 'checkbox' })} />
        <Checkbox label={t('Log texts')} {...form.getInputProps('logSms', { type: 'checkbox' })} />
      </Group>
      <Lists account={account} form={form} />
      <ComesBackFields crm={t('HubSpot')} field={form.getInputProps} />
    </EditDialog>
  );
}

/** The form’s fields by how the API names them. */
const fieldNames: Readonly<Record<string, string>> = {
  rules: 'events',
  'config.lifecycle_stage': 'lifecycleStage',
};

/** What is chosen from lists of the account. */
function Lists({ account, form }: { account: Account; form: Form }) {
  const [owners, stages, properties] = [
    useLookup(account, 'owners'),
    useLookup(account, 'pipelines'),
    useLookup(account, 'properties'),
  ];
  const { values, setFieldValue } = form;
  const all = [owners, stages, properties];
  const failed = all.find(({ error }) => error);
  return (
    <>
      <Divider label={t('Contacts')} labelPosition="left" />
      {failed?.error && <Alert color="yellow">{failed.error.message}</Alert>}
      <Checkbox
        label={t('Create people who aren’t in HubSpot')}
        description={t('Otherwise their calls and texts are left out.')}
        {...form.getInputProps('createContact', { type: 'checkbox' })}
      />
      {values.createContact && (
        <Select
          label={t('Lifecycle stage of new contacts')}
          placeholder={t('As HubSpot sets it')}
          clearable
          data={withChosen(stages.options, values.lifecycleStage)}
          {...form.getInputProps('lifecycleStage')}
        />
      )}
      <PairFields
        title={t('Fields')}
        about={t('Written where HubSpot has no value yet. Name, phone and email always are.')}
        addLabel={t('Add field')}
        ours={{
          label: t('Our field'),
          options: crmFields.map((value) => ({ value, label: crmFieldLabel(value) })),
        }}
        theirs={{ label: t('HubSpot property'), options: properties.options }}
        pairs={values.fields}
        change={(pairs) => setFieldValue('fields', pairs)}
      />
      <Owners form={form} options={owners.options} />
      <Button
        variant="subtle"
        size="compact-sm"
        style={{ alignSelf: 'flex-start' }}
        loading={all.some(({ loading }) => loading)}
        onClick={() => all.forEach(({ refetch }) => refetch())}
      >
        {t('Refresh lists from HubSpot')}
      </Button>
    </>
  );
}

function Owners({ form, options }: { form: Form; options: ComboboxItem[] }) {
  const companyId = useCompanyId() ?? 0;
  const { response } = useApiQuery(companies.listCompanyUsers, {
    params: { companyId },
    query: { perPage: 100 },
  });
  return (
    <PairFields
      title={t('Owners')}
      about={t('Who answers here owns the call there.')}
      addLabel={t('Add owner')}
      ours={{
        label: t('Person'),
        options: (response?.data ?? []).map((one) => ({
          value: String(one.id),
          label: `${one.first_name} ${one.last_name}`.trim() || one.email,
        })),
      }}
      theirs={{ label: t('HubSpot owner'), options }}
      pairs={form.values.owners}
      change={(pairs) => form.setFieldValue('owners', pairs)}
    />
  );
}
