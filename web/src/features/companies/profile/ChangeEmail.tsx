import { Button, Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { companies, users } from '#contract';
import { bindFieldErrors, Section, t, toast, useApiMutation } from '#ui';

/** Changes the address one signs in with: the password, then the code mailed to the new address. */
export function ChangeEmail({
  userId,
  email,
  pending,
}: {
  userId: number;
  email: string;
  pending: string | null;
}) {
  return (
    <Section title={t('Email address')} about={t('You sign in with {email}.', { email })}>
      <Stack gap="lg">
        {pending && <ConfirmCode userId={userId} email={pending} />}
        <RequestCode userId={userId} />
      </Stack>
    </Section>
  );
}

function RequestCode({ userId }: { userId: number }) {
  const form = useForm({ initialValues: { email: '', current_password: '' } });
  const { mutate, isPending } = useApiMutation(users.updateProfile, {
    onFieldErrors: bindFieldErrors(form),
    invalidates: [companies.getUser],
    onSuccess: () => form.reset(),
  });
  return (
    <form onSubmit={form.onSubmit((body) => void mutate({ params: { userId }, body }))} noValidate>
      <Stack gap="sm">
        <TextInput
          label={t('New email address')}
          type="email"
          autoComplete="email"
          {...form.getInputProps('email')}
        />
        <PasswordInput
          label={t('Current password')}
          autoComplete="current-password"
          {...form.getInputProps('current_password')}
        />
        <Group>
          <Button
            type="submit"
            variant="default"
            loading={isPending}
            disabled={!form.values.email || !form.values.current_password}
          >
            {t('Send code')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function ConfirmCode({ userId, email }: { userId: number; email: string }) {
  const form = useForm({ initialValues: { code: '' } });
  const { mutate, isPending } = useApiMutation(users.updateProfile, {
    onFieldErrors: bindFieldErrors(form),
    invalidates: [companies.getUser],
    onSuccess: () => toast.success(t('Your email address was changed')),
  });
  return (
    <form
      onSubmit={form.onSubmit(
        ({ code }) => void mutate({ params: { userId }, body: { email, code } }),
      )}
      noValidate
    >
      <Stack gap="sm">
        <Text fz="sm">
          {t('We sent a code to {email}. Enter it within 10 minutes.', { email })}
        </Text>
        <Group align="end" gap="xs">
          <TextInput
            label={t('Code')}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={10}
            {...form.getInputProps('code')}
          />
          <Button type="submit" loading={isPending} disabled={!form.values.code}>
            {t('Confirm address')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
