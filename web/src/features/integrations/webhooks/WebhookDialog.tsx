import { useState } from 'react';
import { Checkbox, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { webhooks as contract } from '#contract';
import { bindFieldErrors, t, useApiMutation, useCompanyId } from '#ui';
import { EditDialog } from '../EditDialog.tsx';
import { NarrowFields, WhenFields } from '../WhenFields.tsx';
import { bodyOf, fieldNames, valuesOf, type Form, type Webhook } from './form-values.ts';
import { SecretDialog } from './SecretDialog.tsx';

interface Props {
  /** Undefined: one is added. */
  webhook?: Webhook;
  close: () => void;
}

function useSave(
  form: Form,
  {
    webhook,
    close,
    created,
  }: {
    webhook: Webhook | undefined;
    close: () => void;
    created: (secret: string) => void;
  },
): { save: ReturnType<Form['onSubmit']>; isSaving: boolean } {
  const companyId = useCompanyId() ?? 0;
  const shared = {
    invalidates: [contract.listWebhooks],
    onFieldErrors: bindFieldErrors(form, fieldNames),
  };
  const adding = useApiMutation(contract.createWebhook, {
    ...shared,
    success: t('Endpoint added'),
  });
  const changing = useApiMutation(contract.updateWebhook, {
    ...shared,
    success: t('Endpoint saved'),
  });
  const save = form.onSubmit(async (values) => {
    const body = bodyOf(values, webhook);
    if (webhook) {
      const saved = await changing.mutate({ params: { companyId, id: webhook.id }, body });
      if (!saved) return;
      form.resetDirty();
      close();
      return;
    }
    const made = await adding.mutate({ params: { companyId }, body });
    if (!made) return;
    form.resetDirty();
    created(made.data.signing_secret);
  });
  return { save, isSaving: adding.isPending || changing.isPending };
}

/** Adds an endpoint and shows its secret this once, or changes one. */
export function WebhookDialog({ webhook, close }: Props) {
  const [secret, setSecret] = useState<string | null>(null);
  const form: Form = useForm({ initialValues: valuesOf(webhook) });
  const { save, isSaving } = useSave(form, { webhook, close, created: setSecret });
  if (secret) return <SecretDialog secret={secret} close={close} />;
  return (
    <EditDialog
      title={webhook ? t('Edit {name}', { name: webhook.name }) : t('Add an endpoint')}
      saveLabel={webhook ? t('Save') : t('Add endpoint')}
      {...{ form, save, isSaving, close }}
    >
      <TextInput label={t('Name')} required data-autofocus {...form.getInputProps('name')} />
      <TextInput
        label={t('Address')}
        description={t('It must be reachable from the internet.')}
        type="url"
        placeholder="https://"
        required
        {...form.getInputProps('url')}
      />
      <Events form={form} />
    </EditDialog>
  );
}

const Events = ({ form }: { form: Form }) => (
  <>
    <WhenFields label={t('Events')} required field={form.getInputProps} />
    <NarrowFields values={form.values} field={form.getInputProps} />
    <Checkbox
      label={t('Only first contacts')}
      {...form.getInputProps('isFirstContactOnly', { type: 'checkbox' })}
    />
    <Checkbox
      label={t('Only qualified calls')}
      {...form.getInputProps('isQualifiedOnly', { type: 'checkbox' })}
    />
  </>
);
