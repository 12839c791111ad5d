import { useState } from 'react';
import { Alert, Button, Group, Modal, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { oauthProvider, type Answer } from '#contract';
import { bindFieldErrors, t, useApiMutation, useCompanyId, useUnsavedGuard } from '#ui';
import { Copyable } from '../../../shared/Copyable.tsx';

type Created = Answer<typeof oauthProvider.createOAuthClient>['data'];

/** Registers a program, then shows its credentials once. */
export function RegisterApplication({ onClose }: { onClose: () => void }) {
  const [created, setCreated] = useState<Created | null>(null);
  return (
    <Modal
      closeButtonProps={{ 'aria-label': t('Close') }}
      opened
      onClose={onClose}
      title={t('Register application')}
      closeOnClickOutside={false}
    >
      {created ? (
        <Credentials created={created} onClose={onClose} />
      ) : (
        <RegistrationForm onCreated={setCreated} onClose={onClose} />
      )}
    </Modal>
  );
}

function RegistrationForm({
  onCreated,
  onClose,
}: {
  onCreated: (created: Created) => void;
  onClose: () => void;
}) {
  const params = { companyId: useCompanyId() ?? 0 };
  const form = useForm({ initialValues: { name: '', redirect_uris: '', confidential: true } });
  useUnsavedGuard(form.isDirty());
  const { mutate, isPending } = useApiMutation(oauthProvider.createOAuthClient, {
    invalidates: [oauthProvider.listOAuthClients],
    onFieldErrors: bindFieldErrors(form),
    onSuccess: ({ data }) => onCreated(data),
  });
  const submit = form.onSubmit(({ name, redirect_uris, confidential }) => {
    const addresses = redirect_uris.split(/\s+/).filter(Boolean);
    void mutate({ params, body: { name, redirect_uris: addresses, confidential } });
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <TextInput label={t('Name')} required {...form.getInputProps('name')} />
        <Textarea
          label={t('Redirect addresses')}
          description={t('One per line. People return to one of these after they decide.')}
          autosize
          minRows={2}
          required
          {...form.getInputProps('redirect_uris')}
        />
        <Switch
          label={t('It has a server (confidential)')}
          description={t('Turn this off for apps that run in a browser or on people’s devices.')}
          {...form.getInputProps('confidential', { type: 'checkbox' })}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" loading={isPending}>
            {t('Register')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Credentials({ created, onClose }: { created: Created; onClose: () => void }) {
  return (
    <Stack gap="sm">
      {created.client_secret && (
        <Alert color="yellow">{t('Copy the secret now. It isn’t shown again.')}</Alert>
      )}
      <Copyable label={t('Client ID')} value={created.client_id} />
      {created.client_secret && (
        <Copyable label={t('Client secret')} value={created.client_secret} />
      )}
      <Group justify="flex-end">
        <Button onClick={onClose}>{t('Done')}</Button>
      </Group>
    </Stack>
  );
}
