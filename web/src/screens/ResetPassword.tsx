import { useState } from 'react';
import { Alert, Anchor, Button, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { identity, sentences } from '#contract';
import { bindRefusal, flash, go, t, useTell } from '#ui';
import { AuthFrame } from '../app/AuthFrame.tsx';
import { useParam } from '../app/params.ts';

export default function ResetPassword() {
  const token = useParam('token');
  const [expired, setExpired] = useState(false);
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { password: '', again: '' },
    validate: {
      password: (v) => (v.length < 12 ? t('Use at least 12 characters.') : null),
      again: (v, all) => (v !== all.password ? t('The two passwords differ.') : null),
    },
  });
  const { tell, telling } = useTell(identity.resetPassword, {
    skipsSessionCheck: true,
    waits: false,
    form: (refusal) => {
      // What concerns the password is said at its field; everything else means that the link is of no use any more.
      const taken = bindRefusal(form)(refusal);
      setExpired(
        taken.length === 0 &&
          refusal.status >= 400 &&
          refusal.status < 500 &&
          refusal.status !== 429,
      );
      return taken;
    },
    failure: { title: t(sentences.resetExpired) },
    done: () => {
      flash.success(t('Your password was successfully changed'), {
        detail: t('You can now log in.'),
      });
      go('/login', { replace: true });
    },
  });
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
      <form
        onSubmit={form.onSubmit(
          ({ password, again }) =>
            void tell({ body: { token, password, password_confirmation: again } }),
        )}
      >
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
            label={t('New password again')}
            autoComplete="new-password"
            visibilityToggleButtonProps={{ 'aria-label': t('Show or hide the password') }}
            key={form.key('again')}
            {...form.getInputProps('again')}
          />
          <Button type="submit" fullWidth loading={telling}>
            {t('Set password')}
          </Button>
        </Stack>
      </form>
    </AuthFrame>
  );
}
