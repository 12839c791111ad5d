import { Alert, Checkbox, Group, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { crmFields } from '#contract/integrations/oauth-integrations/rules';
import { t } from '#ui';
import { configOf, useLookup, useSaveAccount } from '../account-form.ts';
import type { Account } from '../AccountActions.tsx';
import { ComesBackFields } from '../ComesBackFields.tsx';
import { EditDialog } from '../EditDialog.tsx';
import { crmFieldLabel } from '../labels.ts';
import { PairFields, withChosen } from '../PairFields.tsx';
import { NarrowFields, WhenFields } from '../WhenFields.tsx';
import { bodyOf, valuesOf, type Form, type SalesforceConfig, type Values } from './form-values.ts';

const fieldNames = { rules: 'events', 'config.instance': 'instance' };

/** What is made in a Salesforce org, and when. */
export function SalesforceDialog({ account, close }: { account: Account; close: () => void }) {
  const config = configOf<SalesforceConfig>(account);
  const form: Form = useForm<Values>({ initialValues: valuesOf(config, account.account.name) });
  const { save, isSaving } = useSaveAccount(account, form, {
    ...{ fieldNames, close },
    bodyOf: (values) => bodyOf(values, config),
    success: t('Salesforce settings saved'),
  });
  return (
    <EditDialog size="lg" title={t('Salesforce settings')} {...{ form, save, isSaving, close }}>
      <TextInput
        label={t('Org')}
        description={t('The host of your org, such as harbor.my.salesforce.com')}
        required
        {...form.getInputProps('instance')}
      />
      <WhenFields label={t('Send when')} required field={form.getInputProps} />
      <NarrowFields values={form.values} field={form.getInputProps} />
      <ObjectFields form={form} />
      <Lists account={account} form={form} />
      <ComesBackFields crm={t('Salesforce')} field={form.getInputProps} />
    </EditDialog>
  );
}

const isOfPerson = (object: Values['object']): boolean => object === 'Lead' || object === 'Contact';

const ObjectFields = ({ form }: { form: Form }) => (
  <>
    <Select
      label={t('New people become')}
      allowDeselect={false}
      data={[
        { value: 'Lead', label: t('Leads') },
        { value: 'Contact', label: t('Contacts') },
        { value: 'Task', label: t('No one: each call is a task') },
        { value: 'Case', label: t('No one: each call is a case') },
      ]}
      {...form.getInputProps('object')}
    />
    {isOfPerson(form.values.object) && (
      <Checkbox
        label={t('Create people who aren’t in Salesforce')}
        description={t('Otherwise their calls and texts are left out.')}
        {...form.getInputProps('creates', { type: 'checkbox' })}
      />
    )}
    <Group gap="lg">
      <Checkbox label={t('Log calls')} {...form.getInputProps('logCalls', { type: 'checkbox' })} />
      <Checkbox label={t('Log texts')} {...form.getInputProps('logTexts', { type: 'checkbox' })} />
    </Group>
  </>
);

/** What is chosen from lists of the org. */
function Lists({ account, form }: { account: Account; form: Form }) {
  const { instance, object, owner, fields } = form.values;
  const host = instance.trim().endsWith('.salesforce.com') ? instance.trim() : null;
  const owners = useLookup(account, 'owners', host && `${host}/${object}`);
  const properties = useLookup(account, 'properties', host && `${host}/${object}`);
  const error = owners.error ?? properties.error;
  return (
    <>
      {error && <Alert color="yellow">{error.message}</Alert>}
      <Select
        label={t('Owner')}
        placeholder={t('As Salesforce assigns it')}
        clearable
        searchable
        data={withChosen(
          owners.options.map(({ value, label }) => ({
            value,
            label: value.startsWith('00G') ? t('{name} (queue)', { name: label }) : label,
          })),
          owner,
        )}
        {...form.getInputProps('owner')}
      />
      {isOfPerson(object) && (
        <PairFields
          title={t('Fields')}
          about={t('Written when a person is created. Name, phone and email always are.')}
          addLabel={t('Add field')}
          ours={{
            label: t('Our field'),
            options: crmFields.map((value) => ({ value, label: crmFieldLabel(value) })),
          }}
          theirs={{ label: t('Salesforce field'), options: properties.options }}
          pairs={fields}
          change={(pairs) => form.setFieldValue('fields', pairs)}
        />
      )}
    </>
  );
}
