import { Alert, Button, Group, PinInput, Stack } from '@mantine/core';
import { t, useNow } from '#ui';
import { AuthFrame } from '../../shared/AuthFrame.tsx';
import type { SignupModel } from './use-signup.ts';

/** The second step of signing up: the emailed code. */
export function SignupCode({ signup }: { signup: SignupModel }) {
  if (!signup.sent) return null;
  return (
    <AuthFrame
      title={t('Enter the code')}
      about={t('We sent a six-digit code to {to}.', { to: signup.sent.masked })}
      below={<ResendCode signup={signup} at={signup.sent.resendAt} />}
    >
      <CodeForm signup={signup} />
    </AuthFrame>
  );
}

function CodeForm({ signup }: { signup: SignupModel }) {
  const { code, setCode, submit, isPending, error } = signup;
  const errorText = error?.fields['code'] ?? (isPending ? null : error?.text);
  return (
    <form
      onSubmit={(e) => {
        e.preventDefault();
        submit(code);
      }}
    >
      <Stack gap="sm">
        {errorText && (
          <Alert color="red" role="alert">
            {errorText}
          </Alert>
        )}
        <PinInput
          length={6}
          type="number"
          oneTimeCode
          autoFocus
          value={code}
          onChange={setCode}
          onComplete={submit}
          aria-label={t('Code')}
          getInputProps={(i) => ({ 'aria-label': t('Digit {n}', { n: i + 1 }) })}
        />
        <Button type="submit" loading={isPending} disabled={code.length < 6}>
          {t('Create account')}
        </Button>
      </Stack>
    </form>
  );
}

function ResendCode({ signup, at }: { signup: SignupModel; at: number }) {
  const left = Math.ceil((at - useNow(1000)) / 1000);
  return (
    <Group gap="xs">
      <Button
        variant="subtle"
        size="compact-sm"
        disabled={left > 0 || signup.isPending}
        onClick={() => signup.submit()}
      >
        {left > 0 ? t('Send again in {left} s', { left }) : t('Send again')}
      </Button>
      <Button variant="subtle" color="gray" size="compact-sm" onClick={signup.changeAddress}>
        {t('Change address')}
      </Button>
    </Group>
  );
}
