import { event } from '../kit.ts';
import type * as payloads from './payloads.ts';

/** On the person's own channel: what they muted changed. */
export const notificationBlocksChanged = event<typeof payloads.notificationBlocksChanged>({
  name: 'notification-blocks-changed',
  channel: 'users',
  about: ['userId'],
  touches: [
    'listNotificationBlocks',
    'listNumbers',
    'listNumbersDatatable',
    'getNotificationCounts',
    'getNotificationCountsByNumber',
    'getNumber',
  ],
});

/** On the person's own channel: how they want to hear changed. */
export const notificationSettingsChanged = event<typeof payloads.notificationSettingsChanged>({
  name: 'notification-settings-changed',
  channel: 'users',
  about: ['userId'],
  touches: ['getNotificationSettings'],
});
