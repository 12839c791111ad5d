import { Divider, Switch, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { adf as contract } from '#contract';
import { sentences } from '#contract/sentences';
import { bindFieldErrors, t, useApiMutation, useCompanyId } from '#ui';
import { EditDialog } from '../EditDialog.tsx';
import { DealerFields, ReceiverFields } from './AdfFields.tsx';
import { bodyOf, fieldNames, formOf, type Adf } from './form-values.ts';
import { ContentFields, RuleFields } from './RuleFields.tsx';

/** Adds a CRM, or changes one. */
export function AdfDialog({ integration, close }: { integration?: Adf; close: () => void }) {
  const companyId = useCompanyId() ?? 0;
  const form = useForm({ initialValues: formOf(integration) });
  const shared = {
    invalidates: [contract.listAdfIntegrations],
    onFieldErrors: bindFieldErrors(form, fieldNames),
  };
  const created = useApiMutation(contract.createAdfIntegration, {
    ...shared,
    success: t(sentences.adfCreated),
  });
  const updated = useApiMutation(contract.updateAdfIntegration, {
    ...shared,
    success: t(sentences.adfUpdated),
  });
  const save = form.onSubmit(async (values) => {
    const body = bodyOf(values, integration);
    const saved = integration
      ? await updated.mutate({ params: { companyId, id: integration.id }, body })
      : await created.mutate({ params: { companyId }, body });
    if (!saved) return;
    form.resetDirty();
    close();
  });
  return (
    <EditDialog
      size="lg"
      title={integration ? t('Edit {name}', { name: integration.name }) : t('Send leads to a CRM')}
      {...{ form, save, close }}
      isSaving={created.isPending || updated.isPending}
    >
      <TextInput label={t('Name')} required data-autofocus {...form.getInputProps('name')} />
      <ReceiverFields form={form} hasAuth={Boolean(integration?.auth)} />
      <Divider label={t('Dealer')} labelPosition="left" />
      <DealerFields form={form} />
      <Divider label={t('When')} labelPosition="left" />
      <RuleFields form={form} />
      <Divider label={t('Contents')} labelPosition="left" />
      <ContentFields form={form} />
      <Switch
        label={t('Send leads now')}
        {...form.getInputProps('isActive', { type: 'checkbox' })}
      />
    </EditDialog>
  );
}
