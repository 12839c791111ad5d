/** The public API of this feature. */
export { EmojiPicker } from './composer/EmojiPicker.tsx';
export { MediaTray } from './composer/MediaTray.tsx';
export { acceptedFiles } from './composer/media.ts';
export { useSegments } from './composer/segments.ts';
export { selectFiles } from './composer/select-files.ts';
export { ContactTimeline } from './contact/ContactTimeline.tsx';
export { TextButton } from './contact/TextButton.tsx';
export { formatWhen, toLocalInput, zonedInstant } from './scheduling/schedule-times.ts';
export { AutomaticTexts } from './team/AutomaticTexts.tsx';
export { conversationName } from './labels.ts';
export { useOurNumbers } from './use-our-numbers.ts';
