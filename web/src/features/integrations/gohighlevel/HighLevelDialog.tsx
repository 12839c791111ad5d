import { Alert, Checkbox, Select, TagsInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { crmFields } from '#contract/integrations/oauth-integrations/rules';
import { t } from '#ui';
import { useLookup, useSaveAccount } from '../account-form.ts';
import type { Account } from '../AccountActions.tsx';
import { EditDialog } from '../EditDialog.tsx';
import { crmFieldLabel } from '../labels.ts';
import { PairFields, withChosen } from '../PairFields.tsx';
import { NarrowFields, WhenFields } from '../WhenFields.tsx';
import { bodyOf, valuesOf, type Form } from './form-values.ts';

const fieldNames = { rules: 'events', 'config.tags': 'tags', 'config.stage_id': 'stage' };

/** What a GoHighLevel location gets, and when. */
export function HighLevelDialog({ account, close }: { account: Account; close: () => void }) {
  const form: Form = useForm({ initialValues: valuesOf(account) });
  const { save, isSaving } = useSaveAccount(account, form, {
    ...{ fieldNames, close },
    bodyOf: (values) => bodyOf(values, account),
    success: t('GoHighLevel settings saved'),
  });
  return (
    <EditDialog size="lg" title={t('What GoHighLevel gets')} {...{ form, save, isSaving, close }}>
      <WhenFields label={t('Send when')} required field={form.getInputProps} />
      <NarrowFields values={form.values} field={form.getInputProps} />
      <Checkbox
        label={t('Create people who aren’t in GoHighLevel')}
        description={t('Otherwise their calls and texts are left out.')}
        {...form.getInputProps('createContact', { type: 'checkbox' })}
      />
      <Checkbox
        label={t('Log calls as notes')}
        {...form.getInputProps('logCall', { type: 'checkbox' })}
      />
      <Lists account={account} form={form} />
    </EditDialog>
  );
}

/** What is chosen from lists of the location. */
function Lists({ account, form }: { account: Account; form: Form }) {
  const [stages, tags, properties] = [
    useLookup(account, 'pipelines'),
    useLookup(account, 'tags'),
    useLookup(account, 'properties'),
  ];
  const { stage, fields } = form.values;
  const error = stages.error ?? tags.error ?? properties.error;
  return (
    <>
      {error && <Alert color="yellow">{error.message}</Alert>}
      <TagsInput
        label={t('Tags')}
        description={t('Added to each contact')}
        data={tags.options.map(({ value }) => value)}
        {...form.getInputProps('tags')}
      />
      <Select
        label={t('Opportunity')}
        description={t('Created for people without an open one in the pipeline')}
        placeholder={t('None')}
        clearable
        searchable
        data={withChosen(
          stages.options.map(({ value, label, detail }) => ({
            value,
            label: detail ? t('{pipeline}: {stage}', { pipeline: detail, stage: label }) : label,
          })),
          stage,
        )}
        {...form.getInputProps('stage')}
      />
      <PairFields
        title={t('Fields')}
        about={t('Written where GoHighLevel has no value yet. Name, phone and email always are.')}
        addLabel={t('Add field')}
        ours={{
          label: t('Our field'),
          options: crmFields.map((value) => ({ value, label: crmFieldLabel(value) })),
        }}
        theirs={{ label: t('GoHighLevel field'), options: properties.options }}
        pairs={fields}
        change={(pairs) => form.setFieldValue('fields', pairs)}
      />
    </>
  );
}
