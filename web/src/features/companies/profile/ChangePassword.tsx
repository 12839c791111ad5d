import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { externalSignIn, users } from '#contract';
import { bindFieldErrors, Section, session, t, toast, useApiMutation, useApiQuery } from '#ui';

/** Changes one's own password, or sets the first; all other sessions end. */
export function ChangePassword({ userId }: { userId: number }) {
  const form = useForm({
    initialValues: { current_password: '', password: '', password_confirmation: '' },
    validate: {
      password: (v) => (v.length < 12 ? t('Use at least 12 characters.') : null),
      password_confirmation: (v, all) =>
        v === all.password ? null : t('The passwords don’t match.'),
    },
  });
  const { response } = useApiQuery(externalSignIn.listSignInMethods, {}, { silent: true });
  const isFirst = response?.data.has_password === false;
  const { mutate, isPending } = useApiMutation(users.updatePassword, {
    onFieldErrors: bindFieldErrors(form),
    invalidates: [externalSignIn.listSignInMethods],
    onSuccess: ({ data, new_token }) => {
      // Where the token is in use, the new one replaces it; otherwise the cookie stays.
      if (session.get().tokens) session.set({ tokens: { ...data.token, access_token: new_token } });
      form.reset();
      toast.success(t('Your password was successfully changed'));
    },
  });
  const send = ({ current_password, ...body }: typeof form.values): void =>
    void mutate({ params: { userId }, body: isFirst ? body : { ...body, current_password } });
  return (
    <form onSubmit={form.onSubmit(send)}>
      <Section title={t('Password')} about={t('This signs you out everywhere else.')}>
        <Stack gap="sm">
          {!isFirst && (
            <PasswordInput
              label={t('Current password')}
              autoComplete="current-password"
              {...form.getInputProps('current_password')}
            />
          )}
          <PasswordInput
            label={t('New password')}
            description={t('At least 12 characters.')}
            autoComplete="new-password"
            {...form.getInputProps('password')}
          />
          <PasswordInput
            label={t('New password again')}
            autoComplete="new-password"
            {...form.getInputProps('password_confirmation')}
          />
          <Group>
            <Button type="submit" loading={isPending} disabled={!form.isDirty()}>
              {isFirst ? t('Set a password') : t('Change password')}
            </Button>
          </Group>
        </Stack>
      </Section>
    </form>
  );
}
