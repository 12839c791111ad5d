export { hasUnreadNotes } from './release-notes.ts';
