import { useState } from 'react';
import { Alert, Anchor, Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { identity, sentences } from '#contract';
import { bindFieldErrors, t, useApiMutation } from '#ui';
import { AuthFrame } from '../../../shared/AuthFrame.tsx';

/** Asks for an email with a link to reset the password. */
export default function ForgotPassword() {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const [noMail, setNoMail] = useState<string | null>(null);
  const form = useForm({ mode: 'uncontrolled', initialValues: { email: '' } });
  const { mutate, isPending } = useApiMutation(identity.forgotPassword, {
    // That this server sends no email is shown in the form, not as a toast.
    silent: (error) => error.code === 'mail.not_set_up' && (setNoMail(error.text), true),
    onFieldErrors: bindFieldErrors(form),
    failure: { title: t(sentences.forgotFailed) },
    skipsSessionCheck: true,
    retryOn429: false,
    onSuccess: (_answer, input) => setSentTo((input.body as { email: string }).email),
  });
  if (sentTo) return <LinkSent to={sentTo} onUseAnother={() => setSentTo(null)} />;
  return (
    <AuthFrame
      title={t('Forgot password')}
      about={t('We’ll send you a link to set a new one.')}
      below={<BackToLogin />}
    >
      <form
        onSubmit={form.onSubmit(({ email }) => void mutate({ body: { email: email.trim() } }))}
        noValidate
      >
        <Stack gap="sm">
          {noMail && (
            <Alert color="red" role="alert">
              {noMail}
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
          />
          <Button type="submit" fullWidth loading={isPending}>
            {t('Send link')}
          </Button>
        </Stack>
      </form>
    </AuthFrame>
  );
}

const BackToLogin = () => (
  <Anchor href="/login" size="sm">
    {t('Back to sign in')}
  </Anchor>
);

function LinkSent({ to, onUseAnother }: { to: string; onUseAnother: () => void }) {
  return (
    <AuthFrame title={t('Check your email')} below={<BackToLogin />}>
      <Text>
        {t(
          'If {email} has an account, we’ve sent a link to set a new password. It works once, within 60 minutes.',
          { email: to },
        )}
      </Text>
      <Button mt="md" variant="default" onClick={onUseAnother}>
        {t('Use another address')}
      </Button>
    </AuthFrame>
  );
}
