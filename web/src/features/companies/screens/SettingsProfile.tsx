import { Select, SimpleGrid, Skeleton, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { companies, users, type Answer } from '#contract';
import {
  bindFieldErrors,
  ErrorState,
  Section,
  t,
  useApiMutation,
  useApiQuery,
  useCompanyId,
  useUnsavedGuard,
  useFollowSaved,
} from '#ui';
import { SaveBar } from '../../../shared/SaveBar.tsx';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import { zoneOptions } from '../../settings/index.ts';
import { ChangeEmail } from '../profile/ChangeEmail.tsx';
import { ChangePassword } from '../profile/ChangePassword.tsx';
import { DeleteAccount } from '../profile/DeleteAccount.tsx';

type User = Answer<typeof companies.getUser>['data'];

/** One's own profile: name, time zone, email address and password. */
export default function SettingsProfile() {
  const companyId = useCompanyId();
  const { response, error, refetch } = useApiQuery(
    companies.getUser,
    companyId ? { query: { companyId } } : {},
    { silent: true },
  );
  const user = response?.data;
  return (
    <SettingsFrame title={t('Profile')} layout="read">
      {error && !user && <ErrorState error={error} retry={refetch} />}
      {!user && !error && (
        <Stack>
          {[0, 1, 2].map((i) => (
            <Skeleton key={i} height={36} />
          ))}
        </Stack>
      )}
      {user && (
        <Stack gap="md">
          <Names user={user} />
          <ChangeEmail userId={user.id} email={user.email} pending={user.pending_email ?? null} />
          <ChangePassword userId={user.id} />
          <DeleteAccount userId={user.id} />
        </Stack>
      )}
    </SettingsFrame>
  );
}

const valuesOf = (user: User) => ({
  first_name: user.first_name,
  last_name: user.last_name,
  timezone: user.timezone ?? '',
});

function Names({ user }: { user: User }) {
  const form = useForm({ initialValues: valuesOf(user) });
  const { mutate, isPending } = useApiMutation(users.updateProfile, {
    onFieldErrors: bindFieldErrors(form),
    success: t('Information updated successfully'),
    invalidates: [companies.getUser],
  });
  useUnsavedGuard(form.isDirty());
  useFollowSaved(form, valuesOf(user));
  const save = form.onSubmit(async ({ timezone, ...names }) => {
    const body = { ...names, timezone: timezone || null };
    if (await mutate({ params: { userId: user.id }, body })) form.resetDirty();
  });
  return (
    <form onSubmit={save} noValidate>
      <Section title={t('About you')}>
        <Stack gap="sm">
          <SimpleGrid cols={2} spacing="sm">
            <TextInput
              label={t('First name')}
              autoComplete="given-name"
              maxLength={100}
              {...form.getInputProps('first_name')}
            />
            <TextInput
              label={t('Last name')}
              autoComplete="family-name"
              maxLength={100}
              {...form.getInputProps('last_name')}
            />
          </SimpleGrid>
          <Select
            label={t('Time zone')}
            placeholder={t('The company’s time zone')}
            data={zoneOptions()}
            searchable
            clearable
            clearButtonProps={{ 'aria-label': t('The company’s time zone') }}
            maxDropdownHeight={320}
            limit={80}
            {...form.getInputProps('timezone')}
            onChange={(zone) => form.setFieldValue('timezone', zone ?? '')}
          />
          <SaveBar dirty={form.isDirty()} saving={isPending} onDiscard={() => form.reset()} />
        </Stack>
      </Section>
    </form>
  );
}
