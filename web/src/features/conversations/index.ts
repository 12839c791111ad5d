/** The public API of this feature. */
export { EmojiPicker } from './composer/EmojiPicker.tsx';
export { MediaTray } from './composer/MediaTray.tsx';
export { acceptedFiles } from '#ui/messaging/media.ts';
export { useSegments } from './composer/segments.ts';
export { selectFiles } from '#ui/messaging/select-files.ts';
export { ContactTimeline } from './contact/ContactTimeline.tsx';
export { TextButton } from './contact/TextButton.tsx';
export { formatWhen, toLocalInput, zonedInstant } from './scheduling/schedule-times.ts';
export { AutomaticTexts } from './team/AutomaticTexts.tsx';
export { conversationName } from '#ui/messaging/labels.ts';
export { useOurNumbers } from './use-our-numbers.ts';
