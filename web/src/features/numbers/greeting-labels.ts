import type { greetings } from '#contract';
import { t } from '#ui';

const names: Record<greetings.GreetingType, string> = {
  welcome: 'Welcome',
  menu: 'Menu',
  voicemail: 'Voicemail',
  hold: 'Hold music',
  after_hours: 'After hours',
  recording_notice: 'Recording notice',
  whisper: 'Whisper',
};
const descriptions: Record<greetings.GreetingType, string> = {
  welcome: 'Heard first, before the menu or before anybody is rung.',
  menu: 'The choices callers have: “For sales, press 1.”',
  voicemail: 'Heard before callers leave a message.',
  hold: 'Heard while callers wait, over and over.',
  after_hours: 'Heard when you are closed; then the call ends.',
  recording_notice: 'Tells callers that the call is recorded.',
  whisper: 'Said to whoever answers. Routes say it in words; kept here for them to copy.',
};
const sources: Record<greetings.GreetingSource, string> = {
  tts: 'Spoken',
  upload: 'Uploaded',
  recorded: 'Recorded',
};
/** Where a default of this type stands in by itself when nothing is named. */
const actsAsDefault: ReadonlySet<greetings.GreetingType> = new Set([
  'welcome',
  'voicemail',
  'after_hours',
  'recording_notice',
]);

export const typeName = (type: greetings.GreetingType): string => t(names[type]);
export const typeDescription = (type: greetings.GreetingType): string => t(descriptions[type]);
export const sourceName = (source: greetings.GreetingSource): string => t(sources[source]);
export const canBeDefault = (type: greetings.GreetingType): boolean => actsAsDefault.has(type);
export const typeOptions = (): { value: greetings.GreetingType; label: string }[] =>
  (Object.keys(names) as greetings.GreetingType[]).map((value) => ({
    value,
    label: typeName(value),
  }));
