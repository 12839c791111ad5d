import { useState } from 'react';
import {
  Alert,
  Button,
  Code,
  Group,
  PasswordInput,
  Skeleton,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { mfa } from '#contract';
import { ConfirmIdentityHost, ErrorState, t, useApiQuery } from '#ui';
import { AuthFrame } from '../../../shared/AuthFrame.tsx';
import { Factors } from '../security/Factors.tsx';
import { RecoveryCodes } from '../security/RecoveryCodes.tsx';
import { useSetup, type SetupModel } from '../use-setup.ts';

/** The first start of an installation: an operator's account, a second factor, then the checklist. */
export default function Setup() {
  const setup = useSetup();
  if (setup.step === 'account') return <Account setup={setup} />;
  return setup.step === 'factor' ? <SecondFactor /> : <LinkNeeded />;
}

const LinkNeeded = () => (
  <AuthFrame title={t('Set up this server')}>
    <Stack gap="sm">
      <Text>
        {t('Open the setup link from the server’s log. To get a new one, run this there:')}
      </Text>
      <Code block>npm run operator -- setup-link</Code>
    </Stack>
  </AuthFrame>
);

function Account({ setup: { form, submit, isPending, error } }: { setup: SetupModel }) {
  return (
    <AuthFrame
      title={t('Set up this server')}
      about={t(
        'Step 1 of 3: an account for you as the operator. You add the first company and its owner later.',
      )}
    >
      <form onSubmit={form.onSubmit(submit)} noValidate>
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
          {error?.code === 'setup.link_used' && (
            <Alert color="red" role="alert">
              {error.text}
            </Alert>
          )}
          <Button type="submit" fullWidth loading={isPending}>
            {t('Create account')}
          </Button>
        </Stack>
      </form>
    </AuthFrame>
  );
}

/** Platform administration opens to sign-ins with a second factor only. */
function SecondFactor() {
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const { response, error, refetch } = useApiQuery(mfa.listMfa, {}, { refetchOnMount: true });
  const isOn = response?.data.some(({ enabled }) => enabled) ?? false;
  return (
    <AuthFrame
      wide
      title={isOn ? t('Sign in to continue') : t('Protect your account')}
      about={
        isOn
          ? t('Step 3 of 3: sign in with your password and a new code. The checklist opens then.')
          : t(
              'Step 2 of 3: platform administration needs two-step verification. An authenticator app works without email.',
            )
      }
    >
      <Stack gap="md">
        {error && !response && <ErrorState error={error} retry={refetch} />}
        {!response && !error && <Skeleton height={140} />}
        {response && !isOn && <Factors factors={response.data} showCodes={setCodes} />}
        {isOn && (
          <Button component="a" href="/login?admin=1&next=/admin/setup" fullWidth>
            {t('Sign in')}
          </Button>
        )}
        {codes && <RecoveryCodes codes={codes} close={() => setCodes(null)} />}
      </Stack>
      <ConfirmIdentityHost />
    </AuthFrame>
  );
}
