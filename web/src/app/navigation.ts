import type { ComponentType } from 'react';
import {
  IconAddressBook,
  IconBuildingCommunity,
  IconChartBar,
  IconHash,
  IconHeartbeat,
  IconHome,
  IconInbox,
  IconListDetails,
  IconPlugConnected,
  IconSettings,
  IconSpeakerphone,
  IconTargetArrow,
} from '@tabler/icons-react';
import { t } from '#ui';
import { screens } from './routes.tsx';

export interface NavEntry {
  key: string;
  label: string;
  icon: ComponentType<{ size?: number | string; stroke?: number | string }>;
  /** Where it leads: the first of these whose screen exists and whose permission one has. No dead links. */
  to: readonly string[];
  /** Addresses that belong to it. */
  pathPrefix: string;
  shortcut?: string;
  badge?: 'unread';
}

const navEntries: NavEntry[] = [
  { key: 'home', label: 'Home', icon: IconHome, to: ['/'], pathPrefix: '/', shortcut: 'g h' },
  {
    key: 'inbox',
    label: 'Inbox',
    icon: IconInbox,
    to: ['/inbox/{-$conversationId}', '/inbox'],
    pathPrefix: '/inbox',
    shortcut: 'g i',
    badge: 'unread',
  },
  {
    key: 'activity',
    label: 'Activity',
    icon: IconListDetails,
    to: ['/activity/calls', '/activity/messages', '/activity/$kind'],
    pathPrefix: '/activity',
    shortcut: 'g a',
  },
  {
    key: 'contacts',
    label: 'Contacts',
    icon: IconAddressBook,
    to: ['/contacts'],
    pathPrefix: '/contacts',
    shortcut: 'g c',
  },
  {
    key: 'campaigns',
    label: 'Campaigns',
    icon: IconSpeakerphone,
    to: ['/campaigns'],
    pathPrefix: '/campaigns',
    shortcut: 'g m',
  },
  {
    key: 'numbers',
    label: 'Numbers',
    icon: IconHash,
    to: ['/numbers'],
    pathPrefix: '/numbers',
    shortcut: 'g n',
  },
  {
    key: 'tracking',
    label: 'Tracking',
    icon: IconTargetArrow,
    to: ['/tracking/pools'],
    pathPrefix: '/tracking',
    shortcut: 'g t',
  },
  {
    key: 'analytics',
    label: 'Analytics',
    icon: IconChartBar,
    to: ['/analytics/calls'],
    pathPrefix: '/analytics',
    shortcut: 'g y',
  },
  {
    key: 'monitoring',
    label: 'Monitoring',
    icon: IconHeartbeat,
    to: ['/monitoring'],
    pathPrefix: '/monitoring',
  },
  {
    key: 'integrations',
    label: 'Integrations',
    icon: IconPlugConnected,
    to: ['/integrations'],
    pathPrefix: '/integrations',
  },
  {
    key: 'settings',
    label: 'Settings',
    icon: IconSettings,
    to: ['/settings/company', '/settings/users', '/settings/blocked'],
    pathPrefix: '/settings',
    shortcut: 'g s',
  },
  {
    key: 'organization',
    label: 'Organization',
    icon: IconBuildingCommunity,
    to: ['/organization'],
    pathPrefix: '/organization',
  },
];

export interface VisibleNavEntry extends Omit<NavEntry, 'to'> {
  href: string;
}

/** The entries a person may see, each with the address it leads to. */
export function visibleNavEntries(may: (permission: string) => boolean): VisibleNavEntry[] {
  return navEntries.flatMap((entry) => {
    const open = entry.to
      .map((path) => screens.find((s) => s.path === path))
      .find((s) => s && (!s.permission || may(s.permission)));
    return open
      ? [{ ...entry, href: open.path.replace(/\/\{-\$\w+\}/, '').replace('$kind', 'calls') }]
      : [];
  });
}

/** Screens one floor down: those that exist and that this person may see. */
export function secondLevelScreens(
  may: (permission: string) => boolean,
): { path: string; title: string }[] {
  const titles: Record<string, string> = {
    '/settings/company': t('Company settings'),
    '/settings/general': t('General settings'),
    '/settings/carriers': t('Carriers'),
    '/settings/users': t('Users'),
    '/settings/notifications': t('Notifications'),
    '/settings/blocked': t('Blocked numbers'),
    '/settings/sms-verification': t('SMS verification'),
    '/whats-new': t('What’s new'),
    '/calls/live': t('Live calls'),
    '/numbers/buy': t('Buy a number'),
    '/numbers/templates': t('Number templates'),
    '/numbers/forwarding': t('Forwarding numbers'),
    '/numbers/greetings': t('Greetings'),
    '/numbers/schedule': t('Business hours'),
    '/numbers/ports': t('Port requests'),
    '/marketplace': t('Marketplace numbers'),
  };
  return screens
    .filter((s) => s.path in titles && (!s.permission || may(s.permission)))
    .map((s) => ({ path: s.path, title: titles[s.path]! }));
}

export const isUnder = (path: string, within: string): boolean =>
  within === '/' ? path === '/' : path === within || path.startsWith(`${within}/`);
