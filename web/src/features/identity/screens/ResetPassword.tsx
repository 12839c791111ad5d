import { useState } from 'react';
import { Alert, Anchor, Button, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { identity, sentences } from '#contract';
import { bindFieldErrors, toast, navigate, t, useApiMutation } from '#ui';
import { AuthFrame } from '../../../shared/AuthFrame.tsx';
import { useParam } from '../../../shared/params.ts';

/** Form and request of the new password. `expired`: the link no longer works. */
function useResetPassword() {
  const token = useParam('token');
  const [expired, setExpired] = useState(false);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '', again: '' },
    validate: {
      password: (v) => (v.length < 12 ? t('Use at least 12 characters.') : null),
      again: (v, all) => (v !== all.password ? t('The passwords don’t match.') : null),
    },
  });
  const { mutate, isPending } = useApiMutation(identity.resetPassword, {
    skipsSessionCheck: true,
    retryOn429: false,
    onFieldErrors: (error) => {
      // Password errors show at the field; any other error means that the link has expired.
      const taken = bindFieldErrors(form)(error);
      setExpired(
        taken.length === 0 && error.status >= 400 && error.status < 500 && error.status !== 429,
      );
      return taken;
    },
    failure: { title: t(sentences.resetExpired) },
    onSuccess: () => {
      toast.success(t('Your password was successfully changed'), {
        detail: t('You can now log in.'),
      });
      navigate('/login', { replace: true });
    },
  });
  const send = form.onSubmit(
    ({ password, again }) =>
      void mutate({ body: { token, password, password_confirmation: again } }),
  );
  return { form, expired, send, isPending };
}

/** Sets a new password with the token of the emailed link. */
export default function ResetPassword() {
  const { form, expired, send, isPending } = useResetPassword();
  return (
    <AuthFrame
      title={t('Set a new password')}
      about={t('This signs you out everywhere else.')}
      below={
        <Anchor href="/login" size="sm">
          {t('Back to sign in')}
        </Anchor>
      }
    >
      <form onSubmit={send}>
        <Stack gap="sm">
          {expired && (
            <Alert color="red" role="alert">
              {t(sentences.resetExpired)}{' '}
              <Anchor href="/forgot-password" inherit>
                {t('Send a new link')}
              </Anchor>
            </Alert>
          )}
          <PasswordInput
            label={t('New password')}
            description={t('At least 12 characters. A sentence works well.')}
            autoComplete="new-password"
            autoFocus
            visibilityToggleButtonProps={{ 'aria-label': t('Show or hide the password') }}
            key={form.key('password')}
            {...form.getInputProps('password')}
          />
          <PasswordInput
            label={t('Confirm new password')}
            autoComplete="new-password"
            visibilityToggleButtonProps={{ 'aria-label': t('Show or hide the password') }}
            key={form.key('again')}
            {...form.getInputProps('again')}
          />
          <Button type="submit" fullWidth loading={isPending}>
            {t('Set password')}
          </Button>
        </Stack>
      </form>
    </AuthFrame>
  );
}
