import { useState } from 'react';
import { Alert, Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { sso as contract, type Answer } from '#contract';
import {
  bindFieldErrors,
  confirm,
  Section,
  StatusBadge,
  t,
  useApiMutation,
  useUnsavedGuard,
} from '#ui';
import { Copyable } from '../../../shared/Copyable.tsx';

type Connection = Answer<typeof contract.getSso>['data']['connection'];

type Entered = Record<'issuer' | 'client_id' | 'client_secret' | 'groups_claim', string>;

/** The provider: what to enter there, what to enter here, and whether it can be used. */
export function ProviderSection({
  organizationId: id,
  connection,
  redirectUri,
}: {
  organizationId: number;
  connection: Connection;
  redirectUri: string;
}) {
  const form = useForm<Entered>({
    initialValues: {
      issuer: connection?.issuer ?? '',
      client_id: connection?.client_id ?? '',
      client_secret: '',
      groups_claim: connection?.groups_claim ?? 'groups',
    },
  });
  const save = useApiMutation(contract.saveSso, {
    success: t('Provider connected'),
    onFieldErrors: bindFieldErrors(form),
    onSuccess: () => form.resetDirty(),
    invalidates: [contract.getSso],
  });
  useUnsavedGuard(form.isDirty());
  const submit = ({ client_secret, ...values }: typeof form.values) =>
    save.mutate({ params: { id }, body: { ...values, ...(client_secret && { client_secret }) } });
  return (
    <form onSubmit={form.onSubmit((values) => void submit(values))} noValidate>
      <Section
        title={t('Provider')}
        about={t('Any OpenID Connect provider: Google Workspace, Entra ID, Okta and others.')}
        action={
          connection ? (
            <StatusBadge tone="success">{t('Connected')}</StatusBadge>
          ) : (
            <StatusBadge tone="neutral">{t('Not set up')}</StatusBadge>
          )
        }
      >
        <Stack>
          <Copyable label={t('Redirect URI to enter at the provider')} value={redirectUri} />
          <Fields form={form} isConnected={connection !== null} />
          <Group>
            <Button type="submit" loading={save.isPending}>
              {connection ? t('Save') : t('Connect')}
            </Button>
            <TestButton organizationId={id} issuer={form.values.issuer} />
            {connection && <Disconnect organizationId={id} />}
          </Group>
        </Stack>
      </Section>
    </form>
  );
}

function Fields({ form, isConnected }: { form: UseFormReturnType<Entered>; isConnected: boolean }) {
  return (
    <>
      <TextInput
        label={t('Issuer')}
        placeholder="https://login.example.com"
        required
        {...form.getInputProps('issuer')}
      />
      <TextInput label={t('Client ID')} required {...form.getInputProps('client_id')} />
      <PasswordInput
        label={t('Client secret')}
        required={!isConnected}
        description={
          isConnected
            ? t('One is stored. Enter another to replace it.')
            : t('Encrypted and never shown again.')
        }
        autoComplete="off"
        {...form.getInputProps('client_secret')}
      />
      <TextInput
        label={t('Groups claim')}
        description={t('Where the provider lists a person’s groups, often “groups” or “roles”.')}
        {...form.getInputProps('groups_claim')}
      />
    </>
  );
}

/** Reads the provider's discovery document, and says what is wrong with it. */
function TestButton({ organizationId: id, issuer }: { organizationId: number; issuer: string }) {
  const [tested, setTested] = useState<{ issuer: string; problem: string | null } | null>(null);
  const { mutate, isPending } = useApiMutation(contract.testSso, {
    onSuccess: ({ data }) => setTested({ issuer, problem: data.problem }),
  });
  return (
    <>
      <Button
        variant="default"
        loading={isPending}
        disabled={!issuer.trim()}
        onClick={() => void mutate({ params: { id }, body: { issuer } })}
      >
        {t('Test')}
      </Button>
      {tested?.issuer === issuer && (
        <Alert w="100%" color={tested.problem === null ? 'green' : 'yellow'} role="status">
          {tested.problem ?? t('The provider answers, and can be used.')}
        </Alert>
      )}
    </>
  );
}

function Disconnect({ organizationId: id }: { organizationId: number }) {
  const { mutate } = useApiMutation(contract.removeSso, {
    success: t('Provider disconnected'),
    invalidates: [contract.getSso],
  });
  const ask = async (): Promise<void> => {
    const isSure = await confirm({
      title: t('Disconnect the provider?'),
      body: t(
        'People sign in with their password again. Anyone without a password can set one by email.',
      ),
      confirmLabel: t('Disconnect'),
    });
    if (isSure) await mutate({ params: { id } });
  };
  return (
    <Button variant="default" onClick={() => void ask()}>
      {t('Disconnect')}
    </Button>
  );
}
