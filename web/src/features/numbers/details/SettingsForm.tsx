import { Alert, SimpleGrid, Stack, Switch, TagsInput, TextInput } from '@mantine/core';
import { Section, StatusBadge, t, usePermission } from '#ui';
import { verificationName, verificationTone } from '../labels.ts';
import { GreetingPicker } from './GreetingPicker.tsx';
import { useNumberForm, type EditableNumber } from './number-form.ts';
import { RecordingFields } from './RecordingFields.tsx';
import { SaveBar } from '../../../shared/SaveBar.tsx';
import { SchedulePicker } from './SchedulePicker.tsx';
import {
  switchProps,
  valuesOf,
  type SettingsFieldsProps,
  type SettingsValues,
} from './settings-values.ts';

/** Settings of a number: label, greeting, schedule, recording, texting and fax. */
export function SettingsForm({ number }: { number: EditableNumber }) {
  const mayEdit = usePermission('numbers.configure');
  const { form, save, saving } = useNumberForm<SettingsValues>(number, valuesOf, (v) => ({
    ...v,
    caller_id_name: v.caller_id_name || null,
    recording_announcement: v.recording_announcement as 'none',
    recording_announcement_text: v.recording_announcement_text || null,
    recording_retention_days:
      v.recording_retention_days === '' ? null : Number(v.recording_retention_days),
    mms_enabled: v.sms_enabled && v.mms_enabled,
  }));
  const fax = number.category === 3;
  return (
    <form onSubmit={save} noValidate>
      {!mayEdit && (
        <Alert color="gray" mb="md">
          {t(
            'Your role can view these settings but not change them. Ask an owner or administrator.',
          )}
        </Alert>
      )}
      <NameFields form={form} mayEdit={mayEdit} />
      {!fax && <CallerFields form={form} mayEdit={mayEdit} />}
      {!fax && <RecordingFields form={form} mayEdit={mayEdit} />}
      <TextingFields form={form} mayEdit={mayEdit} number={number} />
      {!fax && (
        <Section title={t('Fax')}>
          <Switch
            label={t('Faxes')}
            description={t(
              'This number also sends and receives faxes. Voice callers aren’t affected.',
            )}
            {...switchProps(form, mayEdit, 'fax_enabled')}
          />
        </Section>
      )}
      {mayEdit && <SaveBar dirty={form.isDirty()} saving={saving} onDiscard={() => form.reset()} />}
    </form>
  );
}

function NameFields({ form, mayEdit }: SettingsFieldsProps) {
  const text = { readOnly: !mayEdit };
  return (
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
          placeholder={mayEdit && form.values.tags.length === 0 ? t('Type and press Enter') : ''}
          maxTags={50}
          {...text}
          {...form.getInputProps('tags')}
        />
      </Stack>
    </Section>
  );
}

function CallerFields({ form, mayEdit }: SettingsFieldsProps) {
  return (
    <Section title={t('Callers')}>
      <Stack gap="sm" maw={420}>
        <GreetingPicker
          label={t('Welcome')}
          type="welcome"
          none={t('Default, if there is one')}
          description={t('Played first, before the menu or ringing.')}
          readOnly={!mayEdit}
          value={form.values.greeting_id}
          onChange={(id) => form.setFieldValue('greeting_id', id)}
          error={form.errors['greeting_id']}
        />
        <SchedulePicker
          value={form.values.schedule_id}
          onChange={(id) => form.setFieldValue('schedule_id', id)}
          readOnly={!mayEdit}
          error={form.errors['schedule_id']}
        />
      </Stack>
    </Section>
  );
}

function TextingFields({
  form,
  mayEdit,
  number,
}: SettingsFieldsProps & { number: EditableNumber }) {
  const v = form.values;
  const fax = number.category === 3;
  return (
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
          <Switch label={t('Texts')} {...switchProps(form, mayEdit, 'sms_enabled')} />
          <Switch
            label={t('Pictures')}
            {...switchProps(form, mayEdit, 'mms_enabled')}
            disabled={!mayEdit || !v.sms_enabled}
            checked={v.sms_enabled && v.mms_enabled}
          />
        </Stack>
      )}
    </Section>
  );
}
