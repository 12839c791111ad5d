import { useState } from 'react';
import { Button, Checkbox, SegmentedControl, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { auditStreams as contract } from '#contract';
import { bindFieldErrors, Modal, t, useApiMutation, useUnsavedGuard } from '#ui';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';
import { SigningSecret } from '../../../shared/SigningSecret.tsx';
import { BucketFields, WebhookFields, type StreamForm } from './StreamFields.tsx';

const initialValues: StreamForm = {
  kind: 'webhook',
  url: '',
  bucket: '',
  region: 'us-east-1',
  endpoint: '',
  prefix: '',
  access_key_id: '',
  secret_access_key: '',
  from_beginning: false,
};

/** The form's fields by how the API names them. */
const fieldNames = Object.fromEntries(
  Object.keys(initialValues).map((key) => [`target.${key}`, key]),
);

/** Adds a receiver of the audit log, then shows a webhook's signing secret this once. */
export function AddStream({ companyId, onClose }: { companyId: number; onClose: () => void }) {
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <Modal
      opened
      onClose={onClose}
      title={secret ? t('Copy the signing secret now') : t('New audit stream')}
      closeOnClickOutside={secret === null}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      {secret ? (
        <SigningSecret secret={secret} onClose={onClose}>
          {t(
            'You won’t see it again. Your receiver uses it to verify that entries come from here.',
          )}
        </SigningSecret>
      ) : (
        <Form
          companyId={companyId}
          onClose={onClose}
          created={(made) => (made ? setSecret(made) : onClose())}
        />
      )}
    </Modal>
  );
}

function Form({
  companyId,
  onClose,
  created,
}: {
  companyId: number;
  onClose: () => void;
  created: (secret: string | null) => void;
}) {
  const form = useForm({ initialValues });
  useUnsavedGuard(form.isDirty());
  const { mutate, isPending } = useApiMutation(contract.createAuditStream, {
    invalidates: [contract.listAuditStreams],
    success: t('Stream added'),
    onFieldErrors: bindFieldErrors(form, fieldNames),
  });
  const add = form.onSubmit(async (values) => {
    const { from_beginning, kind, url, endpoint, ...bucket } = values;
    const target =
      kind === 'webhook'
        ? { kind, url: url.trim() }
        : { kind, ...bucket, endpoint: endpoint.trim() || null };
    const made = await mutate({ params: { companyId }, body: { from_beginning, target } });
    if (!made) return;
    form.resetDirty();
    created(made.data.signing_secret);
  });
  return (
    <form onSubmit={add} noValidate>
      <Stack gap="sm">
        <SegmentedControl
          aria-label={t('Kind of receiver')}
          data={[
            { value: 'webhook', label: t('Webhook') },
            { value: 's3', label: t('S3 bucket') },
          ]}
          {...form.getInputProps('kind')}
        />
        {form.values.kind === 'webhook' ? (
          <WebhookFields form={form} />
        ) : (
          <BucketFields form={form} />
        )}
        <Checkbox
          label={t('Also send what the log holds already')}
          {...form.getInputProps('from_beginning', { type: 'checkbox' })}
        />
        <Text size="sm" c="dimmed">
          {t('Entries arrive at least once and keep their ID, so leave out those you have.')}
        </Text>
        <DialogFooter onCancel={onClose}>
          <Button type="submit" loading={isPending}>
            {t('Add stream')}
          </Button>
        </DialogFooter>
      </Stack>
    </form>
  );
}
