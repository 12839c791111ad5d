/** What other features may use of this one. */
export { Keypad } from './phone/Keypad.tsx';
export { openDialler } from './phone/phone.ts';
export { startRinging } from './phone/ringer.ts';
export { CallerIdentity, callerIdText } from './record/CallerIdentity.tsx';
