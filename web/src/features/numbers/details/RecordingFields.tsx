import { Alert, Select, Stack, Switch, Textarea } from '@mantine/core';
import { numberBounds } from '#contract/numbers/rules';
import { formatNumber, NumberInput, Section, t } from '#ui';
import { GreetingPicker } from './GreetingPicker.tsx';
import { switchProps, type SettingsFieldsProps } from './settings-values.ts';

/** Whether calls are recorded and transcribed, what callers hear first, and how long it is kept. */
export function RecordingFields({ form, mayEdit }: SettingsFieldsProps) {
  // AI reads what was recorded and transcribed.
  const forced = form.values.ai_eav_enabled && { checked: true, disabled: true };
  return (
    <Section title={t('Recording')}>
      <Stack gap="sm">
        <Switch
          label={t('Let AI read calls')}
          description={t(
            'Fills summary, sentiment and AI fields. Needs recording and transcription, so both are turned on.',
          )}
          {...switchProps(form, mayEdit, 'ai_eav_enabled')}
        />
        <Switch label={t('Record calls')} {...switchProps(form, mayEdit, 'record')} {...forced} />
        {form.values.record && <AnnouncementFields form={form} mayEdit={mayEdit} />}
        {form.values.record && <RetentionField form={form} mayEdit={mayEdit} />}
        <Switch
          label={t('Transcribe calls')}
          description={t('Creates a transcript of recorded calls.')}
          {...switchProps(form, mayEdit, 'call_transcription_enabled')}
          {...forced}
        />
      </Stack>
    </Section>
  );
}

function AnnouncementFields({ form, mayEdit }: SettingsFieldsProps) {
  const v = form.values;
  const text = { readOnly: !mayEdit };
  const isCustom = v.recording_announcement === 'custom';
  const isCustomText = isCustom && v.recording_announcement_greeting_id === null;
  return (
    <>
      <Select
        label={t('What callers hear first')}
        allowDeselect={false}
        maw={360}
        data={[
          { value: 'default', label: t('“This call is recorded”') },
          { value: 'custom', label: t('A greeting or custom text') },
          { value: 'none', label: t('None') },
        ]}
        {...text}
        {...form.getInputProps('recording_announcement')}
      />
      {v.recording_announcement === 'none' && (
        <Alert color="orange">
          {t(
            'In many places, everyone on a call must know it’s recorded. Tell callers another way.',
          )}
        </Alert>
      )}
      {isCustom && (
        <GreetingPicker
          label={t('Greeting')}
          type="recording_notice"
          none={t('Custom text')}
          readOnly={!mayEdit}
          value={v.recording_announcement_greeting_id}
          onChange={(id) => form.setFieldValue('recording_announcement_greeting_id', id)}
          error={form.errors['recording_announcement_greeting_id']}
        />
      )}
      {isCustomText && (
        <Textarea
          label={t('Your text')}
          autosize
          minRows={2}
          maxLength={1000}
          {...text}
          {...form.getInputProps('recording_announcement_text')}
        />
      )}
    </>
  );
}

const RetentionField = ({ form, mayEdit }: SettingsFieldsProps) => {
  const [least, most] = numberBounds.recording_retention_days;
  return (
    <NumberInput
      label={t('Keep recordings for')}
      description={t('{least} to {most} days. Leave empty to use the company setting.', {
        least: formatNumber(least),
        most: formatNumber(most),
      })}
      suffix={t(' days')}
      maw={360}
      min={least}
      max={most}
      clampBehavior="none"
      readOnly={!mayEdit}
      {...form.getInputProps('recording_retention_days')}
    />
  );
};
