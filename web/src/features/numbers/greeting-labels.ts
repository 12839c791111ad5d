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
  welcome: 'Played first, before the menu or ringing.',
  menu: 'The choices callers have: “For sales, press 1.”',
  voicemail: 'Played before callers leave a message.',
  hold: 'Repeats while callers wait.',
  after_hours: 'Played when you’re closed. Then the call ends.',
  recording_notice: 'Tells callers that the call is recorded.',
  whisper: 'Played to the person who answers. Routes use text for this. Keep wording here to copy.',
};
const sources: Record<greetings.GreetingSource, string> = {
  tts: 'Text to speech',
  upload: 'Uploaded',
  recorded: 'Recorded',
};
/** Types of which one greeting can be the default, played where no greeting is chosen. */
const actsAsDefault: ReadonlySet<greetings.GreetingType> = new Set([
  'welcome',
  'voicemail',
  'after_hours',
  'recording_notice',
]);

/** The name of a type of greeting. */
export const typeName = (type: greetings.GreetingType): string => t(names[type]);
/** When a type of greeting plays. */
export const typeDescription = (type: greetings.GreetingType): string => t(descriptions[type]);
/** How a greeting was made. */
export const sourceName = (source: greetings.GreetingSource): string => t(sources[source]);
/** Whether a greeting of this type can be the company's default. */
export const canBeDefault = (type: greetings.GreetingType): boolean => actsAsDefault.has(type);
/** All types of greetings for a select. */
export const typeOptions = (): { value: greetings.GreetingType; label: string }[] =>
  (Object.keys(names) as greetings.GreetingType[]).map((value) => ({
    value,
    label: typeName(value),
  }));
