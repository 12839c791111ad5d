import {
  Alert,
  Select,
  SimpleGrid,
  Stack,
  Switch,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
import { NumberInput, Section, StatusBadge, t, usePermission } from '#ui';
import { useNumberForm, type EditableNumber } from './number-form.ts';
import { GreetingPicker } from './GreetingPicker.tsx';
import { SchedulePicker } from './SchedulePicker.tsx';
import { SaveBar } from './SaveBar.tsx';
import { verificationName, verificationTone } from '../labels.ts';

const valuesOf = (n: EditableNumber) => ({
  label: n.label,
  tags: n.tags.map((tag) => tag.name),
  caller_id_name: n.caller_id_name ?? '',
  record: n.record,
  recording_announcement: n.recording_announcement as string,
  recording_announcement_text: n.recording_announcement_text ?? '',
  recording_announcement_greeting_id: n.recording_announcement_greeting_id,
  greeting_id: n.greeting_id,
  schedule_id: n.schedule_id,
  recording_retention_days: n.recording_retention_days ?? ('' as number | ''),
  call_transcription_enabled: n.call_transcription_enabled,
  sms_enabled: n.sms_enabled,
  mms_enabled: n.mms_enabled,
  fax_enabled: n.fax_enabled || n.category === 3,
});
type Values = ReturnType<typeof valuesOf>;

/** Settings of a number: label, greeting, schedule, recording, texting and fax. */
export function SettingsForm({ number }: { number: EditableNumber }) {
  const mayEdit = usePermission('numbers.configure');
  const { form, save, saving } = useNumberForm<Values>(number, valuesOf, (v) => ({
    ...v,
    caller_id_name: v.caller_id_name || null,
    recording_announcement: v.recording_announcement as 'none',
    recording_announcement_text: v.recording_announcement_text || null,
    recording_retention_days:
      v.recording_retention_days === '' ? null : Number(v.recording_retention_days),
    mms_enabled: v.sms_enabled && v.mms_enabled,
  }));
  const v = form.values;
  const text = { readOnly: !mayEdit };
  const turn = (field: keyof Values) => ({
    disabled: !mayEdit,
    ...form.getInputProps(field, { type: 'checkbox' }),
  });
  const fax = number.category === 3;
  return (
    <form onSubmit={save} noValidate>
      {!mayEdit && (
        <Alert color="gray" mb="md">
          {t('Your role can view these settings but not change them.')}
        </Alert>
      )}
      <Section title={t('Name')}>
        <Stack gap="sm">
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
            <TextInput
              label={t('Label')}
              description={t('What your team calls it.')}
              placeholder={t('Front desk')}
              maxLength={80}
              {...text}
              {...form.getInputProps('label')}
            />
            <TextInput
              label={t('Caller ID name')}
              description={t('Shown to people you call, up to 15 characters.')}
              maxLength={15}
              {...text}
              {...form.getInputProps('caller_id_name')}
            />
          </SimpleGrid>
          <TagsInput
            label={t('Tags')}
            placeholder={mayEdit && v.tags.length === 0 ? t('Type and press Enter') : ''}
            maxTags={50}
            {...text}
            {...form.getInputProps('tags')}
          />
        </Stack>
      </Section>
      {!fax && (
        <Section title={t('Callers')}>
          <Stack gap="sm" maw={420}>
            <GreetingPicker
              label={t('Welcome')}
              type="welcome"
              none={t('Default, if there is one')}
              description={t('Played first, before the menu or ringing.')}
              readOnly={!mayEdit}
              value={v.greeting_id}
              onChange={(id) => form.setFieldValue('greeting_id', id)}
              error={form.errors['greeting_id']}
            />
            <SchedulePicker
              value={v.schedule_id}
              onChange={(id) => form.setFieldValue('schedule_id', id)}
              readOnly={!mayEdit}
              error={form.errors['schedule_id']}
            />
          </Stack>
        </Section>
      )}
      {!fax && (
        <Section title={t('Recording')}>
          <Stack gap="sm">
            <Switch label={t('Record calls')} {...turn('record')} />
            {v.record && (
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
                {v.recording_announcement === 'custom' && (
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
                {v.recording_announcement === 'custom' &&
                  v.recording_announcement_greeting_id === null && (
                    <Textarea
                      label={t('Your text')}
                      autosize
                      minRows={2}
                      maxLength={1000}
                      {...text}
                      {...form.getInputProps('recording_announcement_text')}
                    />
                  )}
                <NumberInput
                  label={t('Keep recordings for')}
                  description={t('30 to 3,650 days. Leave empty to use the company setting.')}
                  suffix={t(' days')}
                  maw={360}
                  min={1}
                  max={3650}
                  clampBehavior="none"
                  {...text}
                  {...form.getInputProps('recording_retention_days')}
                />
              </>
            )}
            <Switch
              label={t('Transcribe calls')}
              description={t('Creates a transcript of recorded calls.')}
              {...turn('call_transcription_enabled')}
            />
          </Stack>
        </Section>
      )}
      <Section
        title={t('Texting')}
        action={
          !fax && (
            <StatusBadge tone={verificationTone(number.sms_verification)}>
              {verificationName(number.sms_verification)}
            </StatusBadge>
          )
        }
      >
        {fax ? (
          <p>{t('A fax number can’t text.')}</p>
        ) : (
          <Stack gap="sm">
            <Switch label={t('Texts')} {...turn('sms_enabled')} />
            <Switch
              label={t('Pictures')}
              {...turn('mms_enabled')}
              disabled={!mayEdit || !v.sms_enabled}
              checked={v.sms_enabled && v.mms_enabled}
            />
          </Stack>
        )}
      </Section>
      {!fax && (
        <Section title={t('Fax')}>
          <Switch
            label={t('Faxes')}
            description={t(
              'This number also sends and receives faxes. Voice callers aren’t affected.',
            )}
            {...turn('fax_enabled')}
          />
        </Section>
      )}
      {mayEdit && <SaveBar dirty={form.isDirty()} saving={saving} onDiscard={() => form.reset()} />}
    </form>
  );
}
