import { IconBell } from '@tabler/icons-react';
import { importWithRetry, t } from '#ui';
import { desktopNotificationStore } from './desktop-store.ts';
import { startMuteSync } from './mute-rules.ts';
import type { Feature } from '../feature.ts';

/** Loads what only a hidden window needs. */
function startDesktopNotifications(): () => void {
  let stop: (() => void) | null = null;
  let isStopped = false;
  const load = async () => (await import('./desktop-notifications.ts')).startDesktopNotifications;
  void importWithRetry(load).then((start) => {
    if (!isStopped) stop = start();
  });
  return () => {
    isStopped = true;
    stop?.();
  };
}

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
