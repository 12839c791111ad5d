import { Alert, Checkbox, Select, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import type { z } from 'zod';
import type { oauthConfigs } from '#contract/integrations/oauth-integrations/configs';
import { t } from '#ui';
import { configOf, useLookup, useSaveAccount } from '../account-form.ts';
import type { Account } from '../AccountActions.tsx';
import { ConversionFields } from '../conversions/ConversionFields.tsx';
import {
  conversionFieldNames,
  conversionRules,
  conversionValues,
  type ConversionValues,
} from '../conversions/form-values.ts';
import { EditDialog } from '../EditDialog.tsx';
import { withChosen } from '../PairFields.tsx';

export type MetaConfig = z.input<typeof oauthConfigs.metaads>;

interface Values extends ConversionValues {
  dataset: string | null;
  eventName: string;
  sendsClicks: boolean;
  sendsPhone: boolean;
  sendsEmail: boolean;
  testCode: string;
}

function valuesOf(config: MetaConfig): Values {
  return {
    ...conversionValues(config.rules),
    dataset: config.pixel_or_dataset_id ?? null,
    eventName: config.event_name ?? 'Lead',
    sendsClicks: config.send_fbc_fbp ?? true,
    sendsPhone: config.hash_phone ?? false,
    sendsEmail: config.hash_email ?? false,
    testCode: config.test_event_code ?? '',
  };
}

const bodyOf = (values: Values, before: MetaConfig): MetaConfig => ({
  ...before,
  pixel_or_dataset_id: values.dataset,
  event_name: values.eventName,
  send_fbc_fbp: values.sendsClicks,
  hash_phone: values.sendsPhone,
  hash_email: values.sendsEmail,
  test_event_code: values.testCode.trim() || null,
  rules: conversionRules(values, before.rules),
});

const fieldNames = {
  ...conversionFieldNames,
  'config.pixel_or_dataset_id': 'dataset',
  'config.event_name': 'eventName',
  'config.test_event_code': 'testCode',
};

/** Which calls are conversions of a Meta account, and how people are found there. */
export function MetaDialog({ account, close }: { account: Account; close: () => void }) {
  const config = configOf<MetaConfig>(account);
  const form = useForm<Values>({
    initialValues: valuesOf(config),
    validate: { dataset: (chosen) => (chosen ? null : t('Choose a dataset.')) },
  });
  const { save, isSaving } = useSaveAccount(account, form, {
    ...{ fieldNames, close },
    bodyOf: (values) => bodyOf(values, config),
    success: t('Meta settings saved'),
  });
  return (
    <EditDialog size="lg" title={t('What Meta counts')} {...{ form, save, isSaving, close }}>
      <DatasetField account={account} form={form} />
      <ConversionFields
        values={form.values}
        field={form.getInputProps}
        correction={t('Meta can’t remove a conversion. Wait until your team has decided.')}
      >
        <TextInput
          label={t('Event name')}
          description={t('Lead, Contact, Schedule or a custom name')}
          required
          {...form.getInputProps('eventName')}
        />
      </ConversionFields>
      <PeopleFields form={form} />
      <TextInput
        label={t('Test code')}
        description={t('With a code, events appear under Test events and aren’t counted.')}
        {...form.getInputProps('testCode')}
      />
    </EditDialog>
  );
}

/** What Meta finds people by. */
function PeopleFields({ form }: { form: UseFormReturnType<Values> }) {
  const check = (name: 'sendsClicks' | 'sendsPhone' | 'sendsEmail') =>
    form.getInputProps(name, { type: 'checkbox' });
  return (
    <>
      <Checkbox
        label={t('Send click IDs and Meta’s cookies')}
        description={t('Your tracking pool must capture the cookies _fbc and _fbp.')}
        {...check('sendsClicks')}
      />
      <Checkbox
        label={t('Send phone numbers, hashed')}
        description={t('Calls without a click are counted too, where Meta knows the number.')}
        {...check('sendsPhone')}
      />
      <Checkbox label={t('Send email addresses, hashed')} {...check('sendsEmail')} />
    </>
  );
}

/** Which dataset counts the calls. */
function DatasetField({ account, form }: { account: Account; form: UseFormReturnType<Values> }) {
  const datasets = useLookup(account, 'pixels');
  return (
    <>
      {datasets.error && <Alert color="yellow">{datasets.error.message}</Alert>}
      <Select
        label={t('Dataset')}
        description={t('Also called pixel. In Meta’s Events Manager under Data sources.')}
        required
        searchable
        data={withChosen(
          datasets.options.map(({ value, label, detail }) => ({
            value,
            label: detail ? t('{name} of {account}', { name: label, account: detail }) : label,
          })),
          form.values.dataset,
        )}
        {...form.getInputProps('dataset')}
      />
    </>
  );
}
