import { useState } from 'react';
import {
  Alert,
  Anchor,
  Button,
  Group,
  Loader,
  PasswordInput,
  PinInput,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useForm } from '@mantine/form';
import { companies, apiErrors } from '#contract';
import {
  bindFieldErrors,
  browserZone,
  navigate,
  startSession,
  t,
  useApiQuery,
  useNow,
  useApiMutation,
  type Tokens,
} from '#ui';
import { AuthFrame } from '../../../shared/AuthFrame.tsx';
import { cache } from '../../../shared/query-client.ts';

/** On a server without email the first owner signs up with a key: /signup#key=… */
const ownerKey = (): string | undefined =>
  new URLSearchParams(window.location.hash.slice(1)).get('key') ?? undefined;

interface SentCode {
  masked: string;
  resendAt: number;
}

/** Two steps: the form sends a code, the code creates the account and its company (A §4). */
export default function Signup() {
  const [sent, setSent] = useState<SentCode | null>(null);
  const [code, setCode] = useState('');
  const [key] = useState(ownerKey);
  const form = useForm({
    initialValues: { first_name: '', last_name: '', company_name: '', email: '', password: '' },
    validate: {
      company_name: (v) => (v.trim() ? null : t('Enter the name of your company.')),
      first_name: (v) => (v.trim() ? null : t('Enter your name.')),
      email: (v) => (/^\S+@\S+\.\S+$/.test(v.trim()) ? null : t('Enter an email address.')),
      password: (v) => (v.length < 12 ? t('Use at least 12 characters.') : null),
    },
    validateInputOnBlur: true,
  });
  const door = useApiQuery(companies.checkSignup, {}, { silent: true, skipsSessionCheck: true });
  const { mutate, isPending, error } = useApiMutation(companies.signup, {
    // Errors about the code are shown at its field.
    onFieldErrors: (r) => [...bindFieldErrors(form)(r), ...(sent ? ['code'] : [])],
    skipsSessionCheck: true,
    retryOn429: false,
    silent: (r) => r.code === 'signup.link_used',
    onSuccess: (response) => {
      if ('token' in response) {
        cache.clear();
        startSession(response.token as Tokens);
        navigate('/', { replace: true });
      } else if ('sent' in response.data)
        setSent({
          masked: response.data.masked,
          resendAt: Date.now() + response.data.resend_in * 1000,
        });
    },
  });
  const send = (withCode?: string): void => {
    const { email, ...others } = form.getValues();
    void mutate({
      body: {
        ...others,
        email: email.trim(),
        timezone: browserZone(),
        ...(withCode && { code: withCode }),
        ...(key && { owner_key: key }),
      },
    });
  };
  const below = (
    <Text size="sm" c="dimmed">
      {t('Already have an account?')}{' '}
      <Anchor href="/login" inherit>
        {t('Sign in')}
      </Anchor>
    </Text>
  );

  if (door.loading)
    return (
      <AuthFrame title={t('Create an account')} below={below}>
        <Loader size="sm" />
      </AuthFrame>
    );
  if (door.response && !door.response.data.open) {
    return (
      <AuthFrame title={t('Sign-up is closed')} below={below}>
        <Text>{t('Sign-up is closed here. Ask an administrator for an invitation.')}</Text>
      </AuthFrame>
    );
  }
  if (door.response && !door.response.data.mail && !key) {
    return (
      <AuthFrame title={t('Create an account')} below={below}>
        <Text>{t(apiErrors['mail.not_set_up'].text)}</Text>
      </AuthFrame>
    );
  }
  if (sent) {
    return (
      <AuthFrame
        title={t('Enter the code')}
        about={t('We sent a six-digit code to {to}.', { to: sent.masked })}
        below={
          <ResendCode
            at={sent.resendAt}
            busy={isPending}
            send={() => send()}
            change={() => setSent(null)}
          />
        }
      >
        <form
          onSubmit={(e) => {
            e.preventDefault();
            send(code);
          }}
        >
          <Stack gap="sm">
            {(error?.fields['code'] ?? (error && !isPending ? error.text : null)) && (
              <Alert color="red" role="alert">
                {error?.fields['code'] ?? error?.text}
              </Alert>
            )}
            <PinInput
              length={6}
              type="number"
              oneTimeCode
              autoFocus
              value={code}
              onChange={setCode}
              onComplete={(full) => send(full)}
              aria-label={t('Code')}
              getInputProps={(i) => ({ 'aria-label': t('Digit {n}', { n: i + 1 }) })}
            />
            <Button type="submit" loading={isPending} disabled={code.length < 6}>
              {t('Create account')}
            </Button>
          </Stack>
        </form>
      </AuthFrame>
    );
  }
  return (
    <AuthFrame
      title={t('Create an account')}
      about={
        door.response?.data.first
          ? t('You’re the first one here, so you’ll own this installation’s first company.')
          : undefined
      }
      below={below}
    >
      <form onSubmit={form.onSubmit(() => send())} noValidate>
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
            {key ? t('Create account') : t('Continue')}
          </Button>
        </Stack>
      </form>
    </AuthFrame>
  );
}

function ResendCode({
  at,
  busy,
  send,
  change,
}: {
  at: number;
  busy: boolean;
  send: () => void;
  change: () => void;
}) {
  const left = Math.ceil((at - useNow(1000)) / 1000);
  return (
    <Group gap="xs">
      <Button variant="subtle" size="compact-sm" disabled={left > 0 || busy} onClick={send}>
        {left > 0 ? t('Send again in {left} s', { left }) : t('Send again')}
      </Button>
      <Button variant="subtle" color="gray" size="compact-sm" onClick={change}>
        {t('Change address')}
      </Button>
    </Group>
  );
}
