/** What other features may use of this one. */
export { MuteBell } from './MuteBell.tsx';
export { MuteNumber } from './MuteNumber.tsx';
