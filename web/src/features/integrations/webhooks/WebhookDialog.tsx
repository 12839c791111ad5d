import { useState } from 'react';
import { Button, Checkbox, MultiSelect, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { webhooks as contract } from '#contract';
import { deliveryEvents } from '#contract/integrations/rules';
import {
  bindFieldErrors,
  Modal,
  NumberInput,
  t,
  useApiMutation,
  useCompanyId,
  useUnsavedGuard,
} from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';
import { SigningSecret } from '../../../shared/SigningSecret.tsx';
import { eventLabel } from '../labels.ts';
import { bodyOf, fieldNames, valuesOf, type Form, type Webhook } from './form-values.ts';

interface Props {
  /** Undefined: one is added. */
  webhook?: Webhook;
  close: () => void;
}

/** Adds an endpoint and shows its secret this once, or changes one. */
export function WebhookDialog({ webhook, close }: Props) {
  const [secret, setSecret] = useState<string | null>(null);
  const title = webhook ? t('Edit {name}', { name: webhook.name }) : t('Add an endpoint');
  return (
    <Modal
      opened
      onClose={close}
      title={secret ? t('Copy the signing secret now') : title}
      closeOnClickOutside={secret === null}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      {secret ? (
        <SigningSecret secret={secret} onClose={close}>
          {t('It isn’t shown again. Your receiver checks with it that events come from here.')}
        </SigningSecret>
      ) : (
        <WebhookForm webhook={webhook} close={close} created={setSecret} />
      )}
    </Modal>
  );
}

function useSave(
  form: Form,
  { webhook, close, created }: Omit<Props, 'webhook'> & FormProps,
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

interface FormProps {
  webhook: Webhook | undefined;
  close: () => void;
  created: (secret: string) => void;
}

function WebhookForm(props: FormProps) {
  const form: Form = useForm({ initialValues: valuesOf(props.webhook) });
  useUnsavedGuard(form.isDirty());
  const { save, isSaving } = useSave(form, props);
  return (
    <form onSubmit={save} noValidate>
      <Stack gap="sm">
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
        <DialogFooter onCancel={props.close}>
          <Button type="submit" loading={isSaving}>
            {props.webhook ? t('Save') : t('Add endpoint')}
          </Button>
        </DialogFooter>
      </Stack>
    </form>
  );
}

const Events = ({ form }: { form: Form }) => (
  <>
    <MultiSelect
      label={t('Events')}
      required
      data={deliveryEvents.map((value) => ({ value, label: eventLabel(value) }))}
      {...form.getInputProps('events')}
    />
    <NumberInput
      label={t('Shortest call')}
      suffix={t(' seconds')}
      min={0}
      max={86_400}
      allowDecimal={false}
      {...form.getInputProps('minDuration')}
    />
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
