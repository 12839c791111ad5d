import { useState } from 'react';
import { Alert, Anchor, Button, Group, Loader, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { companies, externalSignIn, type Answer } from '#contract';
import {
  bindFieldErrors,
  browserZone,
  navigate,
  startSession,
  t,
  useApiMutation,
  useApiQuery,
  type Tokens,
} from '#ui';
import { cache } from '../../shared/query-client.ts';

type Proven = Answer<typeof externalSignIn.getProvenIdentity>['data'];

/** Creates an account for whom a provider has named: without a code, and without a password. */
export function ExternalSignup() {
  const { response, error } = useApiQuery(
    externalSignIn.getProvenIdentity,
    {},
    { silent: true, skipsSessionCheck: true },
  );
  if (error)
    return (
      <Stack gap="sm">
        <Alert color="red" role="alert">
          {error.text}
        </Alert>
        <Anchor href="/signup" size="sm">
          {t('Create an account')}
        </Anchor>
      </Stack>
    );
  return response ? <AccountForm proven={response.data} /> : <Loader size="sm" />;
}

function AccountForm({ proven }: { proven: Proven }) {
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({
    initialValues: {
      first_name: proven.first_name,
      last_name: proven.last_name,
      company_name: '',
    },
    validate: {
      company_name: (v) => (v.trim() ? null : t('Enter the name of your company.')),
      first_name: (v) => (v.trim() ? null : t('Enter your name.')),
    },
  });
  const { mutate, isPending } = useApiMutation(companies.signUpExternally, {
    onFieldErrors: bindFieldErrors(form),
    retryOn429: false,
    silent: (error) => (setFailure(error.text), true),
    onSuccess: ({ token }) => {
      cache.clear();
      startSession(token as Tokens);
      navigate('/', { replace: true });
    },
  });
  return (
    <form
      noValidate
      onSubmit={form.onSubmit((v) => void mutate({ body: { ...v, timezone: browserZone() } }))}
    >
      <Stack gap="sm">
        <Text size="sm">
          {t('{provider} says you’re {email}.', { provider: proven.label, email: proven.email })}
        </Text>
        {failure && (
          <Alert color="red" role="alert">
            {failure}
          </Alert>
        )}
        <Group grow align="flex-start" gap="sm">
          <TextInput
            label={t('First name')}
            autoComplete="given-name"
            {...form.getInputProps('first_name')}
          />
          <TextInput
            label={t('Last name')}
            autoComplete="family-name"
            {...form.getInputProps('last_name')}
          />
        </Group>
        <TextInput
          label={t('Company')}
          autoComplete="organization"
          autoFocus
          {...form.getInputProps('company_name')}
        />
        <Button type="submit" fullWidth loading={isPending}>
          {t('Create account')}
        </Button>
      </Stack>
    </form>
  );
}
