import type { numbers as contract } from '#contract';
import { formatDuration } from '#contract/duration';

interface TimelineChange {
  type: contract.TimelineType;
  summary: string;
  before: unknown;
  after: unknown;
}
/** Columns as the timeline names them. */
const columnLabels: Record<string, string> = {
  record: 'Recording',
  recording_announcement: 'Recording notice',
  recording_announcement_text: 'Recording notice text',
  recording_retention_days: 'Recording retention (days)',
  call_transcription_enabled: 'Transcription',
  ai_eav_enabled: 'AI fields',
  sms_enabled: 'Texts',
  mms_enabled: 'Pictures',
  caller_id_name: 'Caller ID name',
  voicemail_enabled: 'Voicemail',
  voicemail_greeting: 'Voicemail greeting',
  voicemail_greeting_id: 'Voicemail greeting',
  voicemail_transcribe: 'Voicemail transcription',
  voicemail_emails: 'Voicemail email',
  voicemail_sms_notify: 'Voicemail text notice',
  greeting_id: 'Greeting',
  fax_enabled: 'Fax',
};
const displayValue = (value: unknown): string =>
  value === true
    ? 'on'
    : value === false
      ? 'off'
      : value === null || value === ''
        ? 'none'
        : Array.isArray(value)
          ? value.join(', ') || 'none'
          : String(value);
const shortValue = (value: unknown): string => {
  const text = displayValue(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
};

/**
 * The timeline entries of a change: one for the label, the schedule, each tag and each custom
 * field, and one for all other settings (A6.5).
 */
export function differences(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): TimelineChange[] {
  const found: TimelineChange[] = [];
  const rest: string[] = [];
  for (const [key, now] of Object.entries(after)) {
    const was = before[key];
    if (key === 'updated_at' || key === 'user_ids' || JSON.stringify(was) === JSON.stringify(now))
      continue;
    if (key === 'label')
      found.push({
        type: 'label_changed',
        summary: was
          ? now
            ? `Label changed from “${was}” to “${now}”`
            : `Label “${was}” removed`
          : `Labeled “${now}”`,
        before: { label: was },
        after: { label: now },
      });
    else if (key === 'schedule_id')
      found.push({
        type: 'schedule_changed',
        summary: now === null ? 'Uses the company’s hours again' : 'Schedule changed',
        before: { schedule_id: was },
        after: { schedule_id: now },
      });
    else if (key === 'tags') {
      const [had, has] = [was as string[], now as string[]];
      for (const tag of has.filter((one) => !had.includes(one)))
        found.push({ type: 'tag_added', summary: `Tagged “${tag}”`, before: null, after: { tag } });
      for (const tag of had.filter((one) => !has.includes(one)))
        found.push({
          type: 'tag_removed',
          summary: `Tag “${tag}” removed`,
          before: { tag },
          after: null,
        });
    } else if (key.startsWith('eav:'))
      found.push({
        type: 'custom_field_changed',
        summary: `${key.slice(4)}: ${shortValue(now)}`,
        before: { value: was || null },
        after: { value: now || null },
      });
    else rest.push(key);
  }
  if (rest.length)
    found.push({
      type: 'settings_changed',
      summary: rest
        .map((key) => `${columnLabels[key] ?? key}: ${shortValue(after[key])}`)
        .join('; '),
      before: Object.fromEntries(rest.map((key) => [key, before[key] ?? null])),
      after: Object.fromEntries(rest.map((key) => [key, after[key] ?? null])),
    });
  return found;
}

/**
 * A call as its timeline entry reads. `talkSeconds` is in seconds; outcome 1 is answered, 3
 * voicemail, 4 blocked.
 */
export function describeCall(
  call: { outcome: number; outbound: boolean; talkSeconds: number },
  partyName: string,
): string {
  const talked = formatDuration(call.talkSeconds);
  if (call.outcome === 4) return `${partyName} is blocked and was rejected`;
  if (call.outbound)
    return call.outcome === 1
      ? `Called ${partyName}, ${talked}`
      : `Called ${partyName}, not answered`;
  return call.outcome === 1
    ? `${partyName} called, ${talked}`
    : call.outcome === 3
      ? `${partyName} called and reached voicemail`
      : `${partyName} called, not answered`;
}
