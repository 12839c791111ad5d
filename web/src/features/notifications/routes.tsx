import { IconBell } from '@tabler/icons-react';
import { t } from '#ui';
import { desktopNotificationStore, startDesktopNotifications } from './desktop-notifications.ts';
import { startMuteSync } from './mute-rules.ts';
import type { Feature } from '../feature.ts';

export const notifications: Feature = {
  screens: [
    {
      path: '/settings/notifications',
      load: () => import('./screens/SettingsNotifications.tsx'),
      title: () => t('Notifications'),
      tab: { row: 'settings', group: 'you', label: () => t('Notifications'), order: 40 },
    },
  ],
  menu: [
    {
      label: () => t('Notify me on this computer'),
      icon: IconBell,
      state: desktopNotificationStore,
      toggle: async () => (await import('./desktop-switch.ts')).switchDesktopNotifications(),
    },
  ],
  listeners: [startDesktopNotifications, startMuteSync],
};
