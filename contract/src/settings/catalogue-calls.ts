import { chosen, counted, shaped, turned } from './setting-rule.ts';

/** Settings of calls, recordings and hours (A20; `redact_ssn` and `redact_dob`: A9.3). */
export const callSettings = {
  business_hours_schedule_id: shaped<number | null>(
    'hours',
    'schedule',
    null,
    'Hours of new numbers',
    'New numbers follow these hours and take voicemail outside of them. Existing numbers keep theirs.',
    { scopes: ['company'] },
  ),
  holiday_calendar: chosen(
    'hours',
    'none',
    {
      none: 'No holidays',
      us_federal: 'US federal holidays',
      custom: 'Only the special days of the schedule',
    },
    'Holidays',
    'Numbers that follow the company’s hours are closed on these days. A special day in the schedule overrides them.',
  ),
  default_ring_seconds: counted(
    'calls',
    20,
    [5, 60],
    'seconds',
    'Ring for',
    'How long the destinations of a new route ring before the next step.',
  ),
  default_caller_id_pass_thru: turned(
    'calls',
    true,
    'Show the caller’s number on forwarded calls',
    'For new routes. Off: destinations see your number instead.',
  ),
  default_confirm_key: turned(
    'calls',
    false,
    'Ask destinations to press 1 before connecting',
    'For new routes. It keeps a destination’s own voicemail from taking the call.',
  ),
  record_calls_default: turned('recording', false, 'Record calls on new numbers'),
  recording_announcement_default: chosen(
    'recording',
    'default',
    { default: 'Callers hear that the call is recorded', none: 'No announcement' },
    'Recording announcement on new numbers',
    'Many states require that everyone on the line knows. Without it, tell callers another way.',
  ),
  two_party_consent_states_force_announcement: turned(
    'recording',
    true,
    'Always announce recordings where everyone must consent',
    'Callers with a number of such a state hear the announcement even where a number has none.',
  ),
  transcription_default: turned('recording', false, 'Transcribe recorded calls on new numbers'),
  ai_eav_default: turned(
    'recording',
    false,
    'Fill custom fields from transcripts on new numbers',
    'Needs transcription of calls.',
  ),
  voicemail_transcription: turned('recording', true, 'Transcribe voicemails on new numbers'),
  voicemail_email_attach: turned(
    'recording',
    true,
    'Attach recordings to voicemail emails',
    'For all numbers, new or existing.',
  ),
  redact_card_numbers: turned(
    'privacy',
    true,
    'Remove card numbers',
    'From new transcripts; silenced in their recordings.',
  ),
  redact_ssn: turned(
    'privacy',
    false,
    'Remove social security numbers',
    'From new transcripts; silenced in their recordings.',
  ),
  redact_dob: turned(
    'privacy',
    false,
    'Remove dates of birth',
    'From new transcripts; silenced in their recordings.',
  ),
  spam_screening: chosen(
    'screening',
    'block_known',
    {
      off: 'Let every caller through',
      block_known: 'Reject callers marked as spam',
      press_1: 'Unknown callers press 1 to get through',
    },
    'Spam calls',
    'Callers who are contacts always get through.',
  ),
  block_anonymous: turned(
    'screening',
    false,
    'Reject callers who withhold their number',
    'They hear a busy signal or a rejection, as their carrier plays it.',
  ),
  enhanced_caller_id_auto: turned(
    'screening',
    false,
    'Look up every unknown caller',
    'For callers who aren’t contacts. Each lookup counts toward your plan.',
  ),
};
