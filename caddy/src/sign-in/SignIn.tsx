import { useState } from 'react';
import {
  Alert,
  Anchor,
  Button,
  PasswordInput,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { companies } from '#contract';
import { demoCustomer } from '#contract/caddy/rules';
import { CodeEntry, currentLocation, ResendCode, t, useApiQuery } from '#ui';
import { Front } from '../Front.tsx';
import { ProviderButtons } from './ProviderButtons.tsx';
import {
  useCodeSignIn,
  type Channel,
  type CodeSignIn,
  type SignInMode,
} from './use-code-sign-in.ts';
import { FormError } from '../FormError.tsx';

/** Signing up (`up`) or in: an address, then the code that was sent there. */
export function SignIn({ mode }: { mode: SignInMode }) {
  const model = useCodeSignIn(mode);
  if (model.sent) return <CodeStep model={model} mode={mode} />;
  const isInvited = mode === 'up' && currentLocation().search.includes('invite=');
  return (
    <Front
      title={mode === 'up' ? t('A second number, just for you') : t('Welcome back')}
      about={
        mode === 'up'
          ? isInvited
            ? t('You were invited. Choose a number, then call and text from it, free to start.')
            : t('Call and text without giving out your own number. Free to start.')
          : t('We send you a code. No password needed.')
      }
      below={<OtherMode mode={mode} />}
    >
      <AddressStep model={model} mode={mode} />
      <ProviderButtons mode={mode} />
      {mode === 'in' && <DemoEntry model={model} />}
    </Front>
  );
}

/** One click into the demo's account, where there is one. */
function DemoEntry({ model: { form, isPending, signInByPassword } }: { model: CodeSignIn }) {
  const { response } = useApiQuery(companies.demoPeople, {}, { silent: true, staleTime: Infinity });
  if (!response?.data.length) return null;
  const enter = (): void => {
    // The password of all demo accounts.
    form.setValues({ channel: 'email', email: demoCustomer, password: 'trunkline-demo' });
    signInByPassword();
  };
  return (
    <Button variant="default" size="md" mt="md" fullWidth disabled={isPending} onClick={enter}>
      {t('Explore the demo as Casey Customer')}
    </Button>
  );
}

/** The other way keeps the query, which says where to go next or who invited. */
function OtherMode({ mode }: { mode: SignInMode }) {
  const { search } = currentLocation();
  return mode === 'up' ? (
    <>
      {t('Already have an account?')}{' '}
      <Anchor href={`/caddy/sign-in${search}`} inherit>
        {t('Sign in')}
      </Anchor>
    </>
  ) : (
    <>
      {t('New here?')}{' '}
      <Anchor href={`/caddy/welcome${search}`} inherit>
        {t('Create an account')}
      </Anchor>
    </>
  );
}

function AddressStep({ model, mode }: { model: CodeSignIn; mode: SignInMode }) {
  const { form, error, isPending } = model;
  const [byPassword, setByPassword] = useState(false);
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault();
        if (byPassword) model.signInByPassword();
        else model.sendCode();
      }}
    >
      <Stack gap="md">
        <FormError error={error} />
        <TargetFields model={model} />
        {byPassword && (
          <PasswordInput
            label={t('Password')}
            size="md"
            autoComplete="current-password"
            visibilityToggleButtonProps={{ 'aria-label': t('Show or hide the password') }}
            {...form.getInputProps('password')}
          />
        )}
        <Button type="submit" size="md" loading={isPending}>
          {byPassword ? t('Sign in') : t('Send code')}
        </Button>
        {mode === 'in' && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            onClick={() => setByPassword(!byPassword)}
          >
            {byPassword ? t('Sign in with a code') : t('Sign in with a password')}
          </Button>
        )}
        {byPassword && (
          <Anchor href="/caddy/reset-password" size="sm" ta="center">
            {t('Forgot your password?')}
          </Anchor>
        )}
        {mode === 'up' && (
          <Text size="xs" c="dimmed">
            {t('Caddy numbers can’t call 911 or other emergency services.')}
          </Text>
        )}
      </Stack>
    </form>
  );
}

/** Where the code goes: an email address or a phone. */
function TargetFields({ model: { form, fieldErrors } }: { model: CodeSignIn }) {
  const { channel } = form.values;
  return (
    <>
      <SegmentedControl
        aria-label={t('How to send the code')}
        fullWidth
        data={[
          { value: 'email', label: t('Email') },
          { value: 'phone', label: t('Phone') },
        ]}
        value={channel}
        onChange={(value) => form.setFieldValue('channel', value as Channel)}
      />
      {channel === 'email' ? (
        <TextInput
          key="email"
          label={t('Email')}
          type="email"
          size="md"
          autoComplete="email"
          inputMode="email"
          {...form.getInputProps('email')}
          error={form.errors['email'] ?? fieldErrors['email']}
        />
      ) : (
        <TextInput
          key="phone"
          label={t('Phone')}
          type="tel"
          size="md"
          autoComplete="tel"
          inputMode="tel"
          placeholder="(212) 555-0142"
          {...form.getInputProps('phone')}
          error={form.errors['phone'] ?? fieldErrors['phone']}
        />
      )}
    </>
  );
}

function CodeStep({ model, mode }: { model: CodeSignIn; mode: SignInMode }) {
  const { sent, error, isPending } = model;
  const hasAccount = error?.code === 'caddy.exists';
  return (
    <Front
      title={t('Enter the code')}
      about={t('We sent a six-digit code to {to}.', { to: sent?.masked ?? '' })}
      below={
        <Stack gap="sm">
          <ResendCode
            at={sent?.resendAt ?? 0}
            isPending={isPending}
            onResend={model.sendCode}
            onChangeAddress={model.changeAddress}
          />
          {mode === 'in' && (
            <Text size="sm">
              {t(
                'No code after a minute? Check the address. Codes go only to people who have an account.',
              )}{' '}
              <Anchor href="/caddy/welcome" inherit>
                {t('Create an account')}
              </Anchor>
            </Text>
          )}
        </Stack>
      }
    >
      {hasAccount ? (
        <Stack gap="sm">
          <Alert color="yellow" role="alert">
            {error.text}
          </Alert>
          <Button component="a" href="/caddy/sign-in" size="md">
            {t('Sign in')}
          </Button>
        </Stack>
      ) : (
        <CodeEntry
          submitLabel={mode === 'up' ? t('Create account') : t('Sign in')}
          errorText={isPending ? null : (error?.fields['code'] ?? error?.text)}
          isPending={isPending}
          onSubmit={model.submitCode}
        />
      )}
    </Front>
  );
}
