import { useState } from 'react';
import { Alert, Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { caddy } from '#contract';
import { ResendCode, t, useApiMutation } from '#ui';
import { Front } from '../Front.tsx';
import { device, signedIn } from '../session.ts';

const quiet = {
  skipsSessionCheck: true,
  retryOn429: false,
  silent: true,
  idempotencyKey: false,
} as const;

/** A new password by a code to the account's email address, which then signs in. */
export default function ResetPassword() {
  const [email, setEmail] = useState('');
  const [sent, setSent] = useState<{ masked: string; resendAt: number } | null>(null);
  const { mutate, isPending, error } = useApiMutation(caddy.sendCaddyResetCode, quiet);
  const send = async (): Promise<void> => {
    const answer = await mutate({ body: { email: email.trim(), device: device() } });
    if (!answer) return;
    setSent({ masked: answer.data.masked, resendAt: Date.now() + answer.data.resend_in * 1000 });
  };
  const back = <Anchor href="/caddy/sign-in">{t('Back to sign-in')}</Anchor>;
  if (sent)
    return (
      <Front
        title={t('Choose a new password')}
        about={t('If {to} has an account, a code is on its way there.', { to: sent.masked })}
        below={
          <ResendCode
            at={sent.resendAt}
            isPending={isPending}
            onResend={() => void send()}
            onChangeAddress={() => setSent(null)}
          />
        }
      >
        <NewPassword email={email.trim()} />
      </Front>
    );
  return (
    <Front title={t('Forgot your password?')} about={t('We send you a code.')} below={back}>
      <form
        noValidate
        onSubmit={(e) => {
          e.preventDefault();
          void send();
        }}
      >
        <Stack gap="md">
          <TextInput
            label={t('Email')}
            type="email"
            size="md"
            autoComplete="email"
            value={email}
            error={error?.text}
            onChange={(e) => setEmail(e.currentTarget.value)}
          />
          <Button type="submit" size="md" loading={isPending} disabled={!email.trim()}>
            {t('Send code')}
          </Button>
        </Stack>
      </form>
    </Front>
  );
}

function NewPassword({ email }: { email: string }) {
  const [code, setCode] = useState('');
  const [password, setPassword] = useState('');
  const { mutate, isPending, error } = useApiMutation(caddy.resetCaddyPassword, quiet);
  const fields = error?.fields ?? {};
  return (
    <form
      noValidate
      onSubmit={(e) => {
        e.preventDefault();
        void mutate({ body: { email, code, password, device: device() } }).then((answer) =>
          answer ? signedIn(answer.data, false) : undefined,
        );
      }}
    >
      <Stack gap="md">
        {error && !fields['code'] && !fields['password'] && (
          <Alert color="red" role="alert">
            {error.text}
          </Alert>
        )}
        <TextInput
          label={t('Code')}
          size="md"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={8}
          value={code}
          error={fields['code']}
          onChange={(e) => setCode(e.currentTarget.value)}
        />
        <PasswordInput
          label={t('New password')}
          description={t('At least 12 characters. A sentence works well.')}
          size="md"
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': t('Show or hide the password') }}
          value={password}
          error={fields['password']}
          onChange={(e) => setPassword(e.currentTarget.value)}
        />
        <Button type="submit" size="md" loading={isPending} disabled={code.length < 6 || !password}>
          {t('Set password and sign in')}
        </Button>
      </Stack>
    </form>
  );
}
