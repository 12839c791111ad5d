import { useState } from 'react';
import { Alert, Button, Checkbox, Group, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { accessTokens, type EffectiveRole, type identity } from '#contract';
import {
  bindFieldErrors,
  Modal,
  t,
  useApiMutation,
  useCompanyId,
  useUnsavedGuard,
  useUser,
} from '#ui';
import { Copyable } from '../../shared/Copyable.tsx';
import { DialogFooter } from '#ui/components/DialogFooter.tsx';
import { scopeLabel } from './scope-labels.ts';

const DAY_MS = 86_400_000;

/** Creates an API key, then shows its token this once. */
export function CreateApiKey({ onClose }: { onClose: () => void }) {
  const [token, setToken] = useState<string | null>(null);
  return (
    <Modal
      opened
      onClose={onClose}
      title={token ? t('Copy your API key now') : t('New API key')}
      closeOnClickOutside={token === null}
      closeButtonProps={{ 'aria-label': t('Close') }}
    >
      {token ? (
        <NewToken token={token} onClose={onClose} />
      ) : (
        <KeyForm onCreated={setToken} onClose={onClose} />
      )}
    </Modal>
  );
}

function KeyForm({
  onCreated,
  onClose,
}: {
  onCreated: (token: string) => void;
  onClose: () => void;
}) {
  const allowed = useAllowedScopes();
  const form = useForm({
    initialValues: { name: '', scopes: ['read'] as identity.Scope[], days: '365' },
    validate: { name: (name) => (name.trim() ? null : t('Enter a name.')) },
  });
  useUnsavedGuard(form.isDirty());
  const { mutate, isPending } = useApiMutation(accessTokens.createPersonalAccessToken, {
    invalidates: [accessTokens.listPersonalAccessTokens],
    onFieldErrors: bindFieldErrors(form),
  });
  const create = form.onSubmit(async ({ name, scopes, days }) => {
    const expires_at =
      days === 'never' ? null : new Date(Date.now() + Number(days) * DAY_MS).toISOString();
    const made = await mutate({ body: { name: name.trim(), scopes, expires_at } });
    if (!made) return;
    form.resetDirty();
    onCreated(made.data.plain_text_token);
  });
  return (
    <form onSubmit={create} noValidate>
      <Stack gap="sm">
        <TextInput
          label={t('Name')}
          description={t('What will use it, for example “Reporting sheet”.')}
          maxLength={80}
          data-autofocus
          {...form.getInputProps('name')}
        />
        <Checkbox.Group label={t('This key can')} {...form.getInputProps('scopes')}>
          <Stack gap={6} mt={6}>
            {allowed.map((scope) => (
              <Checkbox key={scope} value={scope} label={scopeLabel(scope)} />
            ))}
          </Stack>
        </Checkbox.Group>
        <Select
          label={t('Expires')}
          allowDeselect={false}
          data={[
            { value: '30', label: t('In 30 days') },
            { value: '90', label: t('In 90 days') },
            { value: '365', label: t('In a year') },
            { value: 'never', label: t('Never') },
          ]}
          {...form.getInputProps('days')}
        />
        <DialogFooter onCancel={onClose}>
          <Button type="submit" loading={isPending}>
            {t('Create')}
          </Button>
        </DialogFooter>
      </Stack>
    </form>
  );
}

/** What a key of this person may do in the selected company. */
function useAllowedScopes(): readonly identity.Scope[] {
  const companyId = useCompanyId();
  const role = useUser()?.companies.find(({ id }) => id === companyId)?.role;
  return role ? accessTokens.scopesForRole(role as EffectiveRole) : [];
}

function NewToken({ token, onClose }: { token: string; onClose: () => void }) {
  const example = `curl -H "Authorization: Bearer ${token}" ${window.location.origin}/api/companies/slim`;
  return (
    <Stack gap="sm">
      <Alert color="yellow">{t('It isn’t shown again. Keep it like a password.')}</Alert>
      <Copyable label={t('API key')} value={token} />
      <Copyable label={t('Try it')} value={example} />
      <Group justify="flex-end">
        <Button onClick={onClose}>{t('Done')}</Button>
      </Group>
    </Stack>
  );
}
