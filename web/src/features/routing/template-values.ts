import { templates, type Body } from '#contract';
import { toRequest } from './draft-request.ts';
import { toDraft, type Draft } from './draft.ts';

type Template = templates.NumberTemplate;
export interface TemplateValues extends Draft {
  name: string;
  description: string;
  record: boolean;
  call_transcription_enabled: boolean;
  ai_eav_enabled: boolean;
  sms_enabled: boolean;
  is_default: boolean;
  recording_announcement: Template['recording_announcement'];
  recording_announcement_text: string;
  voicemail_enabled: boolean;
  voicemail_greeting: string;
  voicemail_transcribe: boolean;
  voicemail_email: string[];
  tags: string[];
}

/** A template in the form; the defaults for a new one. */
export const toTemplateValues = (one: Template | null): TemplateValues => ({
  name: one?.name ?? '',
  description: one?.description ?? '',
  record: one?.record ?? false,
  call_transcription_enabled: one?.call_transcription_enabled ?? false,
  ai_eav_enabled: one?.ai_eav_enabled ?? false,
  sms_enabled: one?.sms_enabled ?? true,
  is_default: one?.is_default ?? false,
  recording_announcement: one?.recording_announcement ?? 'default',
  recording_announcement_text: one?.recording_announcement_text ?? '',
  voicemail_enabled: one?.voicemail.enabled ?? true,
  voicemail_greeting: one?.voicemail.greeting ?? '',
  voicemail_transcribe: one?.voicemail.transcribe ?? true,
  voicemail_email: one?.voicemail.email ?? [],
  tags: one?.tags.map((tag) => tag.name) ?? [],
  ...toDraft({
    routes: Object.values(one?.routes ?? {}).sort((a, b) => a.extension - b.extension),
    menu: { greeting: null, greeting_id: null, fallback: null },
  }),
});

/** What the API takes. With AI fields on, recording and transcription are left out: the server turns both on (B §5). */
export const toTemplateRequest = (
  values: TemplateValues,
  draft: Draft,
): Body<typeof templates.createNumberTemplate> =>
  templates.templateInput({
    name: values.name.trim(),
    description: values.description.trim(),
    record: values.record,
    call_transcription_enabled: values.call_transcription_enabled,
    ai_eav_enabled: values.ai_eav_enabled,
    sms_enabled: values.sms_enabled,
    is_default: values.is_default,
    tags: values.tags,
    recording_announcement: values.recording_announcement,
    recording_announcement_text: values.recording_announcement_text || null,
    routes: toRequest(draft).routes,
    voicemail: {
      enabled: values.voicemail_enabled,
      greeting: values.voicemail_greeting || null,
      transcribe: values.voicemail_transcribe,
      email: values.voicemail_email,
    },
  }) as Body<typeof templates.createNumberTemplate>;
