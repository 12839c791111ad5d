import { Anchor, Select, Stack, Switch } from '@mantine/core';
import { schedules } from '#contract';
import { Section, t, useApiQuery, useCompanyId } from '#ui';
import {
  NumberSetting,
  SelectSetting,
  SwitchSetting,
  type SettingsForm,
} from './GeneralFields.tsx';

/** Holidays, and the hours that new numbers start with. */
export function HoursSection({ form }: { form: SettingsForm }) {
  const companyId = useCompanyId() ?? 0;
  const { response } = useApiQuery(
    schedules.getSchedule,
    { params: { companyId } },
    { enabled: companyId !== 0, silent: true, staleTime: 30_000 },
  );
  const schedule = response?.data.id ?? null;
  const chosen = form.values.settings.business_hours_schedule_id;
  return (
    <Section
      title={t('Hours')}
      about={<Anchor href="/numbers/schedule">{t('Change your business hours')}</Anchor>}
    >
      <Stack gap="sm">
        <Switch
          label={t('New numbers follow your business hours')}
          description={
            schedule === null && chosen === null
              ? t('New numbers ring at any time. Save your business hours to let them follow.')
              : t('Outside of them, callers reach voicemail. Existing numbers don’t change.')
          }
          disabled={schedule === null && chosen === null}
          checked={chosen !== null}
          onChange={(e) =>
            form.setFieldValue(
              'settings.business_hours_schedule_id',
              e.currentTarget.checked ? schedule : null,
            )
          }
          error={form.errors['settings.business_hours_schedule_id']}
        />
        <Select
          label={t('Holidays')}
          description={t(
            'Numbers that follow your business hours are closed on these days. A special day in the schedule overrides them.',
          )}
          allowDeselect={false}
          maw={460}
          data={[
            { value: 'none', label: t('Only the special days of your schedule') },
            { value: 'us_federal', label: t('US federal holidays, too') },
          ]}
          {...form.getInputProps('settings.holiday_calendar')}
          value={form.values.settings.holiday_calendar === 'us_federal' ? 'us_federal' : 'none'}
        />
      </Stack>
    </Section>
  );
}

/** Which callers get through. */
export function ScreeningSection({ form }: { form: SettingsForm }) {
  return (
    <Section
      title={t('Caller screening')}
      about={t('Callers who are contacts always get through.')}
    >
      <Stack gap="sm">
        <SelectSetting
          form={form}
          of="spam_screening"
          label={t('Spam calls')}
          description={t('Mark a call as spam in its record to reject the caller from then on.')}
          options={[
            ['off', t('Let every caller through')],
            ['block_known', t('Reject callers marked as spam')],
            ['press_1', t('Unknown callers press 1 to get through')],
          ]}
        />
        <SwitchSetting
          form={form}
          of="block_anonymous"
          label={t('Reject callers who withhold their number')}
          description={t('They hear a busy signal or a rejection, as their carrier plays it.')}
        />
        <SwitchSetting
          form={form}
          of="enhanced_caller_id_auto"
          label={t('Look up every unknown caller')}
          description={t('For callers who aren’t contacts. Each lookup counts toward your plan.')}
        />
      </Stack>
    </Section>
  );
}

/** Defaults of new numbers for calls and voicemail. */
export function CallsSection({ form }: { form: SettingsForm }) {
  return (
    <Section
      title={t('Calls and voicemail')}
      about={t('New numbers start with these. Existing numbers keep their settings.')}
    >
      <Stack gap="sm">
        <NumberSetting
          form={form}
          of="default_ring_seconds"
          label={t('Ring for')}
          description={t('How long the destinations of a new route ring before the next step.')}
          suffix={t(' seconds')}
        />
        <SwitchSetting
          form={form}
          of="default_caller_id_pass_thru"
          label={t('Show the caller’s number on forwarded calls')}
          description={t('For new routes. Off: destinations see your number instead.')}
        />
        <SwitchSetting
          form={form}
          of="default_confirm_key"
          label={t('Ask destinations to press 1 before connecting')}
          description={t(
            'For new routes. It keeps a destination’s voicemail from taking the call.',
          )}
        />
        <RecordingFields form={form} />
      </Stack>
    </Section>
  );
}

function RecordingFields({ form }: { form: SettingsForm }) {
  return (
    <>
      <SwitchSetting
        form={form}
        of="record_calls_default"
        label={t('Record calls on new numbers')}
      />
      <SelectSetting
        form={form}
        of="recording_announcement_default"
        label={t('Recording announcement on new numbers')}
        description={t(
          'Many states require that everyone on the line knows. Without it, tell callers another way.',
        )}
        options={[
          ['default', t('Callers hear that the call is recorded')],
          ['none', t('No announcement')],
        ]}
      />
      <SwitchSetting
        form={form}
        of="two_party_consent_states_force_announcement"
        label={t('Always announce recordings where everyone must consent')}
        description={t(
          'Callers with a number of such a state hear the announcement even where a number has none.',
        )}
      />
      <SwitchSetting
        form={form}
        of="transcription_default"
        label={t('Transcribe recorded calls on new numbers')}
      />
      <SwitchSetting
        form={form}
        of="ai_eav_default"
        label={t('Fill custom fields from transcripts on new numbers')}
        description={t('Needs transcription of calls.')}
      />
      <SwitchSetting
        form={form}
        of="voicemail_transcription"
        label={t('Transcribe voicemails on new numbers')}
      />
      <SwitchSetting
        form={form}
        of="voicemail_email_attach"
        label={t('Attach recordings to voicemail emails')}
        description={t('For all numbers, new or existing.')}
      />
      <NumberSetting
        form={form}
        of="recording_retention_days"
        label={t('Keep recordings for')}
        description={t('For new recordings on numbers without their own setting.')}
        suffix={t(' days')}
      />
    </>
  );
}
