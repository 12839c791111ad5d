/** What other features may import from this one. */
export { evidenceText, matchSentence, pageText } from './attribution/labels.ts';
export { liveStates } from './live/live-states.ts';
export { livePartyName } from './live/ParkedCalls.tsx';
export { Keypad } from '#ui/phone/Keypad.tsx';
export { openDialler } from './phone/phone.ts';
export { startRinging } from '#ui/phone/ringer.ts';
export { callerIdText } from './record/caller-identity-labels.ts';
export { departmentName } from './record/department-name.ts';
export { moodName } from './record/mood-name.ts';
export { outcomeTagName } from './record/outcome-tag-name.ts';
export { CallerIdentity } from './record/CallerIdentity.tsx';
export { PhraseFilter } from './phrases/PhraseFilter.tsx';
