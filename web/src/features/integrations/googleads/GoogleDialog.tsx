import { Checkbox, Select, TextInput, type ComboboxItem } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { DeliveryEvent } from '#contract/integrations/rules';
import { t } from '#ui';
import { eventLabel } from '../../../shared/delivery-labels.ts';
import { configOf, useLookup, useSaveAccount } from '../account-form.ts';
import type { Account } from '../AccountActions.tsx';
import { ConversionFields } from '../conversions/ConversionFields.tsx';
import { conversionFieldNames } from '../conversions/form-values.ts';
import { EditDialog } from '../EditDialog.tsx';
import { withChosen } from '../PairFields.tsx';
import { bodyOf, valuesOf, type Form, type GoogleConfig, type Values } from './form-values.ts';

const fieldNames = {
  ...conversionFieldNames,
  'config.customer_id': 'customer',
  'config.login_customer_id': 'manager',
};

/** Which calls are conversions of a Google Ads account, and which of its actions count them. */
export function GoogleDialog({ account, close }: { account: Account; close: () => void }) {
  const config = configOf<GoogleConfig>(account);
  const form: Form = useForm<Values>({
    initialValues: valuesOf(config),
    validate: { customer: (chosen) => (chosen ? null : t('Choose a customer.')) },
  });
  const { save, isSaving } = useSaveAccount(account, form, {
    ...{ fieldNames, close },
    bodyOf: (values) => bodyOf(values, config),
    success: t('Google Ads settings saved'),
  });
  return (
    <EditDialog size="lg" title={t('What Google Ads counts')} {...{ form, save, isSaving, close }}>
      <CustomerFields account={account} form={form} />
      <ConversionFields
        values={form.values}
        field={form.getInputProps}
        correction={t(
          'If a call stops counting later, its conversion stays with a value of zero. Wait until your team has decided.',
        )}
      >
        <ActionFields account={account} form={form} />
      </ConversionFields>
      <ConsentFields form={form} />
    </EditDialog>
  );
}

/** Chosen from a list, or entered where this server can’t list them. */
const IdField = ({
  label,
  description,
  options,
  value,
  error,
  change,
}: {
  label: string;
  description?: string;
  options: readonly ComboboxItem[];
  value: string | null;
  error?: string | undefined;
  change: (value: string | null) => void;
}) =>
  options.length > 0 ? (
    <Select
      {...{ label, description, error }}
      required
      searchable
      data={withChosen(options, value)}
      value={value}
      onChange={change}
    />
  ) : (
    <TextInput
      {...{ label, description, error }}
      required
      value={value ?? ''}
      onChange={(event) => change(event.currentTarget.value.trim() || null)}
    />
  );

/** A manager account once its number is whole; empty before. */
const managerOf = ({ manager }: Pick<Values, 'manager'>): string =>
  manager.replaceAll(/\D/g, '').length === 10 ? manager.trim() : '';

function CustomerFields({ account, form }: { account: Account; form: Form }) {
  const { values, errors, setFieldValue } = form;
  const customers = useLookup(account, 'accessible-customers', managerOf(values) || undefined);
  return (
    <>
      <TextInput
        label={t('Manager account')}
        description={t('Only where you reach the customer by a manager account')}
        placeholder="123-456-7890"
        {...form.getInputProps('manager')}
      />
      <IdField
        label={t('Customer')}
        description={t('The account whose ads are clicked, such as 123-456-7890')}
        options={customers.options.map(({ value, label }) => ({
          value,
          label: label === value ? value : t('{name} ({id})', { name: label, id: value }),
        }))}
        value={values.customer}
        error={errors['customer'] ? String(errors['customer']) : undefined}
        change={(customer) => setFieldValue('customer', customer)}
      />
    </>
  );
}

/** Which action counts each of the chosen events. */
function ActionFields({ account, form }: { account: Account; form: Form }) {
  const { manager, customer, events, actions } = form.values;
  const reached = [managerOf({ manager }), customer].filter(Boolean).join('/');
  const found = useLookup(account, 'conversions', customer === null ? null : reached);
  return events.map((event) => (
    <IdField
      key={event}
      label={t('Conversion action: {event}', { event: eventLabel(event as DeliveryEvent) })}
      options={found.options}
      value={actions[event] ?? null}
      change={(id) => form.setFieldValue('actions', { ...actions, [event]: id ?? '' })}
    />
  ));
}

function ConsentFields({ form }: { form: Form }) {
  const check = (name: 'sendsPhone' | 'adUserData' | 'adPersonalization') =>
    form.getInputProps(name, { type: 'checkbox' });
  return (
    <>
      <Checkbox
        label={t('Callers agreed that their data is sent to Google for ads')}
        {...check('adUserData')}
      />
      <Checkbox label={t('Callers agreed to personalized ads')} {...check('adPersonalization')} />
      <Checkbox
        label={t('Send phone numbers, hashed')}
        description={t('Only with that consent. Calls without a click are counted too.')}
        disabled={!form.values.adUserData}
        {...check('sendsPhone')}
      />
    </>
  );
}
