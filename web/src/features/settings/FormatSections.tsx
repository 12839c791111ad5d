import { Select, SimpleGrid, Stack, TagsInput } from '@mantine/core';
import { Section, t } from '#ui';
import { SelectSetting, type SettingsForm } from './GeneralFields.tsx';

/** How dates and times are written on screens and in email. */
export function FormatsSection({ form }: { form: SettingsForm }) {
  return (
    <Section
      title={t('Dates and times')}
      about={t('On every screen and in email, for everyone in the company.')}
    >
      <Stack gap="sm">
        <SelectSetting
          form={form}
          of="date_format"
          label={t('Dates')}
          options={[
            ['MMM D, YYYY', t('Nov 26, 2026')],
            ['D MMM YYYY', t('26 Nov 2026')],
            ['MM/DD/YYYY', t('11/26/2026')],
            ['DD/MM/YYYY', t('26/11/2026')],
            ['YYYY-MM-DD', t('2026-11-26')],
          ]}
        />
        <SelectSetting
          form={form}
          of="time_format"
          label={t('Times')}
          options={[
            ['h:mm A', t('2:05 PM')],
            ['HH:mm', t('14:05')],
          ]}
        />
        <SelectSetting
          form={form}
          of="locale"
          label={t('Names of months')}
          options={[
            ['en-US', t('English (United States)')],
            ['en-CA', t('English (Canada)')],
            ['en-GB', t('English (United Kingdom)')],
            ['en-AU', t('English (Australia)')],
          ]}
        />
      </Stack>
    </Section>
  );
}

const channelsOf = { app: ['app'], email: ['email'], both: ['app', 'email'], none: [] } as const;
type Way = keyof typeof channelsOf;
const wayOf = (channels: readonly string[]): Way => {
  if (channels.includes('email')) return channels.includes('app') ? 'both' : 'email';
  return channels.includes('app') ? 'app' : 'none';
};

/** How people who haven’t chosen are told of calls and texts. */
export function NotificationsSection({ form }: { form: SettingsForm }) {
  const values = form.values.settings.notification_defaults;
  const kinds = [
    ['missed', t('Missed calls')],
    ['voicemail', t('Voicemails')],
    ['message', t('Texts')],
  ] as const;
  return (
    <Section
      title={t('Notifications')}
      about={t(
        'For people who haven’t chosen how they’re notified. Emails are sent after five minutes, about what is still unread.',
      )}
    >
      <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="sm">
        {kinds.map(([kind, label]) => (
          <Select
            key={kind}
            label={label}
            allowDeselect={false}
            data={[
              { value: 'app', label: t('In the app') },
              { value: 'email', label: t('By email') },
              { value: 'both', label: t('In the app and by email') },
              { value: 'none', label: t('Not at all') },
            ]}
            value={wayOf(values[kind])}
            onChange={(way) =>
              form.setFieldValue('settings.notification_defaults', {
                ...values,
                [kind]: [...channelsOf[(way ?? 'app') as Way]],
              })
            }
          />
        ))}
      </SimpleGrid>
    </Section>
  );
}

/** Who gets the company’s figures by email, and how often. */
export function SummarySection({ form }: { form: SettingsForm }) {
  const wish = form.values.settings.summary_email;
  const change = (part: Partial<typeof wish>): void =>
    form.setFieldValue('settings.summary_email', { ...wish, ...part });
  return (
    <Section
      title={t('Summary by email')}
      about={t('Calls and texts against the time before, at 8 AM in your company’s time zone.')}
    >
      <Stack gap="sm">
        <Select
          label={t('How often')}
          allowDeselect={false}
          maw={460}
          data={[
            { value: 'off', label: t('Never') },
            { value: 'daily', label: t('Every day') },
            { value: 'weekly', label: t('Every Monday') },
          ]}
          value={wish.frequency}
          onChange={(frequency) => change({ frequency: (frequency ?? 'off') as 'off' })}
        />
        {wish.frequency !== 'off' && (
          <TagsInput
            label={t('Send to')}
            data-path="settings.summary_email.recipients"
            description={t('Up to 20 addresses. They don’t need an account.')}
            placeholder={wish.recipients.length ? '' : t('name@example.com')}
            maw={460}
            maxTags={20}
            splitChars={[',', ';', ' ']}
            acceptValueOnBlur
            value={wish.recipients}
            onChange={(recipients) => change({ recipients })}
            error={form.errors['settings.summary_email.recipients']}
          />
        )}
      </Stack>
    </Section>
  );
}
