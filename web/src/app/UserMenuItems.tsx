import { Menu, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import {
  IconAdjustments,
  IconBell,
  IconCheck,
  IconDeviceDesktop,
  IconKeyboard,
  IconLogout,
  IconMap,
  IconMoon,
  IconSparkles,
  IconSun,
} from '@tabler/icons-react';
import { toast, navigate, t, useStore, useUser } from '#ui';
import type { LazyMenuProps } from './lazy-menu.tsx';
import { signOut } from './sign-out.ts';
import { startTour } from './tour.ts';
import {
  desktopNotificationStore,
  warnNotificationsUnavailable,
  toggleDesktopNotifications,
} from './desktop-notifications.ts';

const schemes: [MantineColorScheme, string, React.ReactNode][] = [
  ['light', 'Light', <IconSun key="l" size={16} aria-hidden />],
  ['dark', 'Dark', <IconMoon key="d" size={16} aria-hidden />],
  ['auto', 'System', <IconDeviceDesktop key="a" size={16} aria-hidden />],
];

/** What a person may do about themselves: appearance, what's new, sign out. */
export function UserMenuItems({ opened, target }: LazyMenuProps) {
  const user = useUser();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const notifies = useStore(desktopNotificationStore, (s) => s.on);
  if (!user) return null;
  const toggle = async (): Promise<void> => {
    const now = await toggleDesktopNotifications();
    if (now === 'missing' || now === 'denied') warnNotificationsUnavailable(now);
    else
      toast.success(
        now === 'on'
          ? t('You’ll be notified of new texts and voicemails on this computer.')
          : t('Notifications on this computer are off.'),
      );
  };
  const news = user.read_whats_new_at === null;
  return (
    <Menu defaultOpened={opened} width={240} position="top-start">
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{user.email}</Menu.Label>
        <Menu.Item
          leftSection={<IconSparkles size={16} aria-hidden />}
          onClick={() => navigate('/whats-new')}
        >
          {news ? t('What’s new (unread)') : t('What’s new')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconMap size={16} aria-hidden />}
          onClick={() => {
            navigate('/');
            void startTour(user.id);
          }}
        >
          {t('Take the tour')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconKeyboard size={16} aria-hidden />}
          onClick={() =>
            document.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true }))
          }
        >
          {t('Keyboard shortcuts')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconAdjustments size={16} aria-hidden />}
          onClick={() => navigate('/settings/notifications')}
        >
          {t('Notifications')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconBell size={16} aria-hidden />}
          rightSection={notifies ? <IconCheck size={14} aria-label={t('On')} /> : null}
          onClick={() => void toggle()}
        >
          {t('Notify me on this computer')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t('Appearance')}</Menu.Label>
        {schemes.map(([scheme, label, icon]) => (
          <Menu.Item
            key={scheme}
            leftSection={icon}
            rightSection={
              colorScheme === scheme ? <IconCheck size={14} aria-label={t('Selected')} /> : null
            }
            closeMenuOnClick={false}
            onClick={() => setColorScheme(scheme)}
          >
            {t(label)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconLogout size={16} aria-hidden />}
          onClick={() => void signOut()}
        >
          {t('Sign out')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
