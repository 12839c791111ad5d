import { Checkbox, PasswordInput, Select, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { ga4 as contract } from '#contract';
import { bindFieldErrors, t, useApiMutation, useCompanyId } from '#ui';
import { EditDialog } from '../EditDialog.tsx';
import { WhenFields } from '../WhenFields.tsx';
import { bodyOf, valuesOf, type Form, type Ga4, type Values } from './form-values.ts';

function useSave(form: Form, of: Ga4 | undefined, close: () => void) {
  const companyId = useCompanyId() ?? 0;
  const shared = {
    invalidates: [contract.listGa4Integrations],
    onFieldErrors: bindFieldErrors(form),
  };
  const created = useApiMutation(contract.createGa4Integration, {
    ...shared,
    success: t('GA4 integration created'),
  });
  const updated = useApiMutation(contract.updateGa4Integration, {
    ...shared,
    success: t('GA4 integration updated'),
  });
  const save = form.onSubmit(async (values) => {
    const body = bodyOf(values, of);
    const saved = of
      ? await updated.mutate({ params: { companyId, id: of.id }, body })
      : await created.mutate({ params: { companyId }, body });
    if (!saved) return;
    form.resetDirty();
    close();
  });
  return { save, isSaving: created.isPending || updated.isPending };
}

/** Adds a property of Google Analytics, or changes one. */
export function Ga4Dialog({ integration, close }: { integration?: Ga4; close: () => void }) {
  const form = useForm<Values>({ initialValues: valuesOf(integration) });
  const { save, isSaving } = useSave(form, integration, close);
  return (
    <EditDialog
      title={
        integration
          ? t('Edit {name}', { name: integration.name })
          : t('Send events to Google Analytics')
      }
      {...{ form, save, isSaving, close }}
    >
      <TextInput label={t('Name')} required data-autofocus {...form.getInputProps('name')} />
      <TextInput
        label={t('Measurement ID')}
        placeholder="G-ABC123DEF4"
        required
        {...form.getInputProps('measurementId')}
      />
      <PasswordInput
        label={t('API secret')}
        description={
          integration
            ? t('Leave it empty to keep {secret}', { secret: integration.apiSecret })
            : t('In Google Analytics under Data streams, Measurement Protocol')
        }
        required={!integration}
        autoComplete="new-password"
        {...form.getInputProps('apiSecret')}
      />
      <EventFields form={form} />
      <Switch
        label={t('Send events now')}
        {...form.getInputProps('enabled', { type: 'checkbox' })}
      />
    </EditDialog>
  );
}

/** What is sent, and of whom. */
const EventFields = ({ form }: { form: Form }) => (
  <>
    <WhenFields label={t('Send when')} field={form.getInputProps} />
    <Select
      label={t('People without Google’s cookie')}
      allowDeselect={false}
      data={[
        { value: 'generate', label: t('Send with an ID that we make') },
        { value: 'require', label: t('Leave out') },
      ]}
      {...form.getInputProps('clientIdPolicy')}
    />
    <Checkbox
      label={t('Send the call’s value')}
      {...form.getInputProps('sendValue', { type: 'checkbox' })}
    />
    <Checkbox
      label={t('Callers consented to ads')}
      {...form.getInputProps('hasConsent', { type: 'checkbox' })}
    />
  </>
);
