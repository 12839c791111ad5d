import { Button, Group, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { invitations, type Answer } from '#contract';
import { bindFieldErrors, t, useApiMutation } from '#ui';

/** Name and password of a new person who joins by an invitation. */
export function NewAccountForm({
  token,
  firstName,
  lastName,
  onJoined,
}: {
  token: string;
  firstName: string;
  lastName: string;
  onJoined: (answer: Answer<typeof invitations.acceptInvitation>) => void;
}) {
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { first_name: firstName, last_name: lastName, password: '' },
    validate: {
      first_name: (v) => (v.trim() ? null : t('Enter your first name.')),
      password: (v) => (v.length < 12 ? t('Use at least 12 characters.') : null),
    },
  });
  const { mutate, isPending } = useApiMutation(invitations.acceptInvitation, {
    onFieldErrors: bindFieldErrors(form),
    onSuccess: onJoined,
  });
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <form
      onSubmit={form.onSubmit(
        (body) => void mutate({ params: { token }, body: { ...body, timezone } }),
      )}
    >
      <Stack gap="sm">
        <Group grow align="flex-start">
          <TextInput
            label={t('First name')}
            autoComplete="given-name"
            autoFocus
            key={form.key('first_name')}
            {...form.getInputProps('first_name')}
          />
          <TextInput
            label={t('Last name')}
            autoComplete="family-name"
            key={form.key('last_name')}
            {...form.getInputProps('last_name')}
          />
        </Group>
        <PasswordInput
          label={t('Password')}
          description={t('At least 12 characters. A sentence works well.')}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': t('Show or hide the password') }}
          key={form.key('password')}
          {...form.getInputProps('password')}
        />
        <Button type="submit" fullWidth loading={isPending}>
          {t('Create account and join')}
        </Button>
      </Stack>
    </form>
  );
}
