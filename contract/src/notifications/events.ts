import { event } from '../kit.ts';
import type * as payloads from './payloads.ts';

/** The person's muted numbers or events changed. On the person's channel. */
export const notificationBlocksChanged = event<typeof payloads.notificationBlocksChanged>({
  name: 'notification-blocks-changed',
  channel: 'users',
  about: ['userId'],
  invalidates: [
    'listNotificationBlocks',
    'listNumbers',
    'listNumbersDatatable',
    'getNotificationCounts',
    'getNotificationCountsByNumber',
    'getNumber',
  ],
});

/** The person's delivery settings changed. On the person's channel. */
export const notificationSettingsChanged = event<typeof payloads.notificationSettingsChanged>({
  name: 'notification-settings-changed',
  channel: 'users',
  about: ['userId'],
  invalidates: ['getNotificationSettings'],
});
