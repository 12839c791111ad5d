import { Alert, Select } from '@mantine/core';
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

export type MicrosoftConfig = z.input<typeof oauthConfigs.microsoftads>;

interface Values extends ConversionValues {
  /** `customer/account`, as the list names an ad account. */
  adAccount: string | null;
  goal: string | null;
}

function valuesOf(config: MicrosoftConfig): Values {
  const { customer_id: customer, account_id: account } = config;
  return {
    ...conversionValues(config.rules),
    adAccount: account ? [customer, account].filter(Boolean).join('/') : null,
    goal: config.conversion_goal_name ?? null,
  };
}

function bodyOf(values: Values, before: MicrosoftConfig): MicrosoftConfig {
  const [customer = null, account = null] = values.adAccount?.split('/') ?? [];
  return {
    ...before,
    customer_id: customer,
    account_id: account,
    conversion_goal_name: values.goal,
    rules: conversionRules(values, before.rules),
  };
}

const fieldNames = {
  ...conversionFieldNames,
  'config.account_id': 'adAccount',
  'config.customer_id': 'adAccount',
  'config.conversion_goal_name': 'goal',
};

/** Which calls are conversions of a Microsoft Ads account, and which goal counts them. */
export function MicrosoftDialog({ account, close }: { account: Account; close: () => void }) {
  const config = configOf<MicrosoftConfig>(account);
  const form = useForm<Values>({
    initialValues: valuesOf(config),
    validate: {
      adAccount: (chosen) => (chosen ? null : t('Choose an ad account.')),
      goal: (chosen) => (chosen ? null : t('Choose a goal.')),
    },
  });
  const { save, isSaving } = useSaveAccount(account, form, {
    ...{ fieldNames, close },
    bodyOf: (values) => bodyOf(values, config),
    success: t('Microsoft Ads settings saved'),
  });
  return (
    <EditDialog
      size="lg"
      title={t('What Microsoft Ads counts')}
      {...{ form, save, isSaving, close }}
    >
      <GoalFields account={account} form={form} />
      <ConversionFields
        values={form.values}
        field={form.getInputProps}
        correction={t('Microsoft removes a conversion when its call stops counting.')}
      />
    </EditDialog>
  );
}

/** The ad account whose ads are clicked, and which of its goals counts the calls. */
function GoalFields({ account, form }: { account: Account; form: UseFormReturnType<Values> }) {
  const { adAccount, goal } = form.values;
  const accounts = useLookup(account, 'ad-accounts');
  const goals = useLookup(account, 'conversions', adAccount);
  const error = accounts.error ?? goals.error;
  return (
    <>
      {error && <Alert color="yellow">{error.message}</Alert>}
      <Select
        label={t('Ad account')}
        description={t('The one whose ads lead to your website')}
        required
        searchable
        data={withChosen(
          accounts.options.map(({ value, label, detail }) => ({
            value,
            label: detail ? t('{name} ({id})', { name: label, id: detail }) : label,
          })),
          adAccount,
        )}
        {...form.getInputProps('adAccount')}
        onChange={(value) => form.setValues({ adAccount: value, goal: null })}
      />
      <Select
        label={t('Conversion goal')}
        description={t('A goal of the type Offline, created at least two hours ago')}
        required
        searchable
        disabled={adAccount === null}
        data={withChosen(goals.options, goal)}
        {...form.getInputProps('goal')}
      />
    </>
  );
}
