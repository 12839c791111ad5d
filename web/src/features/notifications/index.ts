/** The public API of this feature. */
export { MuteBell } from './MuteBell.tsx';
export { MuteNumber } from './MuteNumber.tsx';
