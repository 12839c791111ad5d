import {
  Alert,
  Anchor,
  Button,
  Group,
  Loader,
  PasswordInput,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { companies, apiErrors } from '#contract';
import { t, useApiQuery } from '#ui';
import { AuthFrame } from '../../../shared/AuthFrame.tsx';
import { externalOutcome } from '../external-outcome.ts';
import { ExternalSignup } from '../ExternalSignup.tsx';
import { ProviderButtons } from '../ProviderButtons.tsx';
import { SignupCode } from '../SignupCode.tsx';
import { useSignup, type SignupModel } from '../use-signup.ts';

/** Two steps: the form sends a code, the code creates the account and its company (A §4). */
export default function Signup() {
  const signup = useSignup();
  const { response, loading } = useApiQuery(
    companies.checkSignup,
    {},
    { silent: true, skipsSessionCheck: true },
  );
  if (loading)
    return (
      <SignupFrame title={t('Create an account')}>
        <Loader size="sm" />
      </SignupFrame>
    );
  if (response && !response.data.open)
    return (
      <SignupFrame title={t('Sign-up is closed')}>
        <Text>{t('Sign-up is closed here. Ask an administrator for an invitation.')}</Text>
      </SignupFrame>
    );
  if (externalOutcome())
    return (
      <SignupFrame title={t('Create an account')}>
        <ExternalSignup />
      </SignupFrame>
    );
  if (response && !response.data.mail && !signup.hasOwnerKey)
    return (
      <SignupFrame title={t('Create an account')}>
        <Text>{t(apiErrors['mail.not_set_up'].text)}</Text>
      </SignupFrame>
    );
  if (signup.sent) return <SignupCode signup={signup} />;
  return (
    <SignupFrame
      title={t('Create an account')}
      about={
        response?.data.first
          ? t('You’re the first one here, so you’ll own this installation’s first company.')
          : undefined
      }
    >
      <AccountForm signup={signup} />
    </SignupFrame>
  );
}

function SignupFrame(props: { title: string; about?: React.ReactNode; children: React.ReactNode }) {
  return (
    <AuthFrame
      {...props}
      below={
        <Text size="sm" c="dimmed">
          {t('Already have an account?')}{' '}
          <Anchor href="/login" inherit>
            {t('Sign in')}
          </Anchor>
        </Text>
      }
    />
  );
}

function AccountForm({ signup }: { signup: SignupModel }) {
  const { form, submit, hasOwnerKey, isPending, error } = signup;
  return (
    <form onSubmit={form.onSubmit(() => submit())} noValidate>
      <Stack gap="sm">
        <Group grow align="flex-start" gap="sm">
          <TextInput
            label={t('First name')}
            autoComplete="given-name"
            autoFocus
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
          {...form.getInputProps('company_name')}
        />
        <TextInput
          label={t('Email')}
          type="email"
          autoComplete="username"
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label={t('Password')}
          description={t('At least 12 characters. A sentence works well.')}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': t('Show or hide the password') }}
          {...form.getInputProps('password')}
        />
        {error?.code === 'signup.link_used' && (
          <Alert color="red" role="alert">
            {error.text}
          </Alert>
        )}
        <Button type="submit" fullWidth loading={isPending}>
          {hasOwnerKey ? t('Create account') : t('Continue')}
        </Button>
        {!hasOwnerKey && <ProviderButtons />}
      </Stack>
    </form>
  );
}
