import { useState } from 'react';
import { Alert, Anchor, Button, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { identity } from '#contract';
import {
  bindFieldErrors,
  navigate,
  session,
  t,
  useApiMutation,
  type ApiError,
  type Tokens,
} from '#ui';
import { AuthFrame } from '../../../shared/AuthFrame.tsx';
import { ExternalOutcome } from '../ExternalOutcome.tsx';
import { DemoLogins } from '../DemoLogins.tsx';
import { PasskeySignIn } from '../PasskeySignIn.tsx';
import { ProviderButtons } from '../ProviderButtons.tsx';
import { SsoButton, useSsoWay } from '../SsoButton.tsx';
import { enterApp, keepPendingSignIn } from '../pending-sign-in.ts';

/** Form and request of the sign-in. `refusal`: why it was refused, unless a field shows it. */
function useLogin() {
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { email: '', password: '' },
    validate: {
      email: (v) => (v.trim() ? null : t('Enter your email address.')),
      password: (v) => (v ? null : t('Enter your password.')),
    },
  });
  const [refusal, setRefusal] = useState<string | null>(null);
  // A wrong password or a locked account is shown in the form, not as a toast.
  const show = (error: ApiError): readonly string[] => {
    const taken = bindFieldErrors(form)(error);
    setRefusal(taken.length === 0 ? error.text : null);
    return error.status === 429 || taken.length ? error.details.flatMap((p) => p.field ?? []) : [];
  };
  const { mutate, isPending } = useApiMutation(identity.login, {
    onFieldErrors: show,
    retryOn429: false,
    silent: (r) => (r.status === 429 || r.code === 'sso.required') && (show(r), true),
    onSuccess: (answer, { body }) => {
      const admin = (body as { admin?: boolean }).admin ?? false;
      if ('token' in answer) return enterApp(answer.token as Tokens, admin);
      const { mfa_token, methods } = answer;
      keepPendingSignIn({ mfa_token, methods, admin });
      navigate(`/login/mfa${window.location.search}`);
    },
  });
  // Platform staff sign in to admin mode: with their demo button, or through /login?admin=1.
  const enter = (
    email: string,
    password: string,
    admin = new URLSearchParams(window.location.search).get('admin') === '1',
  ): void => {
    setRefusal(null);
    form.clearErrors();
    // An earlier session must not be used for this sign-in.
    session.set({ tokens: null, user: null });
    void mutate({ body: { email, password, remember: true, ...(admin && { admin }) } });
  };
  return { form, refusal, enter, isPending };
}

/** Signs in with email and password, or to a demo account. */
export default function Login() {
  const { form, refusal, enter, isPending } = useLogin();
  const sso = useSsoWay();
  return (
    <AuthFrame title={t('Sign in')} below={<DemoLogins onEnter={enter} busy={isPending} />}>
      <form
        onSubmit={form.onSubmit(({ email, password }) => enter(email.trim(), password))}
        noValidate
      >
        <Stack gap="sm">
          <ExternalOutcome />
          {refusal && (
            <Alert color="red" role="alert">
              {refusal}
            </Alert>
          )}
          <TextInput
            label={t('Email')}
            type="email"
            autoComplete="username"
            autoFocus
            required
            key={form.key('email')}
            {...form.getInputProps('email')}
            onBlur={(e) => sso.find(e.currentTarget.value)}
          />
          <SsoButton way={sso.way} />
          <PasswordInput
            label={t('Password')}
            autoComplete="current-password"
            required
            visibilityToggleButtonProps={{ 'aria-label': t('Show or hide the password') }}
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          <Button type="submit" fullWidth loading={isPending} mt={4}>
            {t('Sign in')}
          </Button>
          <PasskeySignIn />
          <ProviderButtons />
          <div style={{ display: 'flex', justifyContent: 'space-between' }}>
            <Anchor href="/forgot-password" size="sm">
              {t('Forgot password?')}
            </Anchor>
            <Anchor href="/signup" size="sm">
              {t('Create an account')}
            </Anchor>
          </div>
        </Stack>
      </form>
    </AuthFrame>
  );
}
