import { Menu, useMantineColorScheme, type MantineColorScheme } from '@mantine/core';
import {
  IconAdjustments,
  IconCheck,
  IconDeviceDesktop,
  IconKeyboard,
  IconLifebuoy,
  IconLogout,
  IconMap,
  IconMoon,
  IconSparkles,
  IconSun,
  IconUser,
} from '@tabler/icons-react';
import { navigate, t, useStore, useUser } from '#ui';
import type { LazyMenuProps } from './lazy-menu.tsx';
import { hasUnreadNotes } from '../shared/release-notes.ts';
import { signOut } from '../shared/sign-out.ts';
import { startTour } from '../shared/tour.ts';
import { features } from '../features/index.ts';
import type { MenuSwitch } from '../features/feature.ts';

const switches = features.flatMap((feature) => feature.menu ?? []);

const schemes: [MantineColorScheme, string, React.ReactNode][] = [
  ['light', 'Light', <IconSun key="l" size={16} aria-hidden />],
  ['dark', 'Dark', <IconMoon key="d" size={16} aria-hidden />],
  ['auto', 'System', <IconDeviceDesktop key="a" size={16} aria-hidden />],
];

/** The person's menu: appearance, what's new, sign out. */
export function UserMenuItems({ opened, target }: LazyMenuProps) {
  const user = useUser();
  if (!user) return null;
  const news = hasUnreadNotes(user.read_whats_new_at);
  return (
    <Menu defaultOpened={opened} width={240} position="top-start">
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{user.email}</Menu.Label>
        <Menu.Item
          leftSection={<IconUser size={16} aria-hidden />}
          onClick={() => navigate('/settings/profile')}
        >
          {t('Profile')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconSparkles size={16} aria-hidden />}
          onClick={() => navigate('/whats-new')}
        >
          {news ? t('What’s new (unread)') : t('What’s new')}
        </Menu.Item>
        <Menu.Item
          leftSection={<IconLifebuoy size={16} aria-hidden />}
          onClick={() => navigate('/support')}
        >
          {t('Support')}
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
        {switches.map((entry) => (
          <SwitchItem key={entry.label()} {...entry} />
        ))}
        <Menu.Divider />
        <Menu.Label>{t('Appearance')}</Menu.Label>
        <AppearanceItems />
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

function AppearanceItems() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
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
    </>
  );
}

function SwitchItem({ label, icon: SwitchIcon, state, toggle }: MenuSwitch) {
  const on = useStore(state, (s) => s.on);
  return (
    <Menu.Item
      leftSection={<SwitchIcon size={16} aria-hidden />}
      rightSection={on ? <IconCheck size={14} aria-label={t('On')} /> : null}
      onClick={() => void toggle()}
    >
      {label()}
    </Menu.Item>
  );
}
