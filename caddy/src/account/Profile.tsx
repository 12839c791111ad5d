import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { caddy } from '#contract';
import { caddyLocales, type CaddyLocale } from '#contract/caddy/rules';
import { bindFieldErrors, Section, t, useApiMutation, useUnsavedGuard } from '#ui';
import { zoneOptions } from '#ui/zones.ts';
import { dateExample, setDateLocale } from '../date-locale.ts';
import { AccountPage } from './AccountPage.tsx';
import { ChangeAddress } from './ChangeAddress.tsx';
import type { Profile as ProfileData } from './use-profile.ts';
import css from './Account.module.css';

const avatars = ['🦊', '🐼', '🐸', '🦉', '🐙', '🦄', '🌵', '🍋', '🚲', '⛵', '🎸', '🌙'];

const hasBoth = ({ email, phone }: ProfileData): boolean => email !== null && phone !== null;

const languageNames: Record<CaddyLocale, () => string> = {
  'en-US': () => t('English (United States)'),
  'en-CA': () => t('English (Canada)'),
  'en-GB': () => t('English (United Kingdom)'),
};

/** Who the person is, and how they sign in. */
export default function Profile() {
  return (
    <AccountPage title={t('Profile')}>
      {(profile) => (
        <Stack gap="lg">
          <ProfileForm profile={profile} />
          <Section title={t('How you sign in')}>
            <Stack gap="md">
              <ChangeAddress field="email" current={profile.email} canRemove={hasBoth(profile)} />
              <ChangeAddress field="phone" current={profile.phone} canRemove={hasBoth(profile)} />
            </Stack>
          </Section>
        </Stack>
      )}
    </AccountPage>
  );
}

function ProfileForm({ profile }: { profile: ProfileData }) {
  const { firstName, lastName, timezone, locale, avatar } = profile;
  const form = useForm({ initialValues: { firstName, lastName, timezone, locale, avatar } });
  useUnsavedGuard(form.isDirty());
  const { mutate, isPending } = useApiMutation(caddy.updateCaddyProfile, {
    invalidates: [caddy.getCaddyProfile],
    onFieldErrors: bindFieldErrors(form),
    success: t('Profile saved'),
    onSuccess: () => {
      form.resetDirty();
      setDateLocale(form.getValues().locale);
    },
  });
  return (
    <form onSubmit={form.onSubmit((values) => void mutate({ body: values }))} noValidate>
      <Stack gap="sm">
        <Group grow align="flex-start" gap="sm">
          <TextInput
            label={t('First name')}
            autoComplete="given-name"
            {...form.getInputProps('firstName')}
          />
          <TextInput
            label={t('Last name')}
            autoComplete="family-name"
            {...form.getInputProps('lastName')}
          />
        </Group>
        <AvatarChoice
          value={form.values.avatar}
          onChange={(value) => form.setFieldValue('avatar', value)}
        />
        <Select
          label={t('Time zone')}
          searchable
          allowDeselect={false}
          data={zoneOptions()}
          {...form.getInputProps('timezone')}
        />
        <Select
          label={t('Language')}
          description={t('Dates look like {example}', {
            example: dateExample(form.values.locale),
          })}
          allowDeselect={false}
          data={caddyLocales.map((value) => ({ value, label: languageNames[value]() }))}
          {...form.getInputProps('locale')}
        />
        <Group>
          <Button type="submit" loading={isPending} disabled={!form.isDirty()}>
            {t('Save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function AvatarChoice({
  value,
  onChange,
}: {
  value: string | null;
  onChange: (avatar: string | null) => void;
}) {
  return (
    <div>
      <Text size="sm" fw={500} mb={4} id="avatar-label">
        {t('Picture')}
      </Text>
      <div className={css.choices} role="radiogroup" aria-labelledby="avatar-label">
        {avatars.map((emoji) => (
          <button
            key={emoji}
            type="button"
            role="radio"
            aria-checked={value === emoji}
            aria-label={emoji}
            className={css.choice}
            onClick={() => onChange(value === emoji ? null : emoji)}
          >
            {emoji}
          </button>
        ))}
      </div>
    </div>
  );
}
