import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { caddy } from '#contract';
import { bindFieldErrors, t, useApiMutation } from '#ui';
import { AccountPage } from './AccountPage.tsx';

/** A password beside the codes; changing it signs other devices out. */
export default function Password() {
  return (
    <AccountPage
      title={t('Password')}
      about={t('Optional: you can always sign in with a code. Other devices are signed out.')}
    >
      {({ hasPassword }) => <PasswordForm hasPassword={hasPassword} />}
    </AccountPage>
  );
}

function PasswordForm({ hasPassword }: { hasPassword: boolean }) {
  const form = useForm({ initialValues: { current: '', new: '' } });
  const { mutate, isPending } = useApiMutation(caddy.changeCaddyPassword, {
    invalidates: [caddy.getCaddyProfile],
    idempotencyKey: false,
    onFieldErrors: bindFieldErrors(form),
    success: t('Password saved'),
    onSuccess: () => form.reset(),
  });
  const toggle = { 'aria-label': t('Show or hide the password') };
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(
        (values) =>
          void mutate({
            body: { new: values.new, ...(hasPassword && { current: values.current }) },
          }),
      )}
    >
      <Stack gap="sm">
        {hasPassword && (
          <PasswordInput
            label={t('Current password')}
            autoComplete="current-password"
            visibilityToggleButtonProps={toggle}
            {...form.getInputProps('current')}
          />
        )}
        <PasswordInput
          label={t('New password')}
          description={t('At least 12 characters. A sentence works well.')}
          autoComplete="new-password"
          visibilityToggleButtonProps={toggle}
          {...form.getInputProps('new')}
        />
        <Group>
          <Button type="submit" loading={isPending} disabled={!form.values.new}>
            {hasPassword ? t('Change password') : t('Set password')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
