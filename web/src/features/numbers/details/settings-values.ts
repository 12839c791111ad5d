import type { UseFormReturnType } from '@mantine/form';
import type { EditableNumber } from './number-form.ts';

/** Form values of a number's settings. Unset texts and an unset retention are empty strings. */
export const valuesOf = (n: EditableNumber) => ({
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
  ai_eav_enabled: n.ai_eav_enabled,
  sms_enabled: n.sms_enabled,
  mms_enabled: n.mms_enabled,
  fax_enabled: n.fax_enabled || n.category === 3,
});
export type SettingsValues = ReturnType<typeof valuesOf>;

export interface SettingsFieldsProps {
  form: UseFormReturnType<SettingsValues>;
  mayEdit: boolean;
}

/** The properties of a switch in the settings form; disabled without permission. */
export const switchProps = (
  form: SettingsFieldsProps['form'],
  mayEdit: boolean,
  field: keyof SettingsValues,
) => ({
  disabled: !mayEdit,
  ...form.getInputProps(field, { type: 'checkbox' }),
});
