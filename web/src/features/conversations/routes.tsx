import { IconInbox, IconListDetails } from '@tabler/icons-react';
import { t } from '#ui';
import { startTeamToasts } from './team/team-toasts.ts';
import type { Feature } from '../feature.ts';

export const conversations: Feature = {
  screens: [
    {
      path: '/settings/canned-replies',
      load: () => import('./screens/SettingsCannedReplies.tsx'),
      permission: 'inbox.send',
      tab: { row: 'settings', group: 'data', label: () => t('Canned replies'), order: 90 },
    },
    {
      path: '/activity/$kind',
      load: () => import('./screens/Activity.tsx'),
      permission: 'analytics.view',
    },
    {
      path: '/inbox/{-$conversationId}',
      load: () => import('./screens/Inbox.tsx'),
      permission: 'inbox.view',
    },
  ],
  navigation: [
    {
      key: 'inbox',
      label: () => t('Inbox'),
      icon: IconInbox,
      order: 20,
      to: ['/inbox/{-$conversationId}'],
      pathPrefix: '/inbox',
      shortcut: 'g i',
      badge: 'unread',
    },
    {
      key: 'activity',
      label: () => t('Activity'),
      icon: IconListDetails,
      order: 30,
      to: ['/activity/$kind'],
      pathPrefix: '/activity',
      shortcut: 'g a',
    },
  ],
  searches: [
    {
      group: () => t('Conversations'),
      order: 10,
      permission: 'inbox.view',
      find: async (query, signal) =>
        (await import('./find-conversations.ts')).findConversations(query, signal),
    },
  ],
  listeners: [startTeamToasts],
};
