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

export interface RailEntry {
  key: string;
  label: string;
  icon: ComponentType<{ size?: number | string; stroke?: number | string }>;
  /** Where it leads: the first of these whose screen exists and whose permission one has. No dead links. */
  to: readonly string[];
  /** Addresses that belong to it. */
  within: string;
  keys?: string;
  counts?: 'unread';
}

const entries: RailEntry[] = [
  { key: 'home', label: 'Home', icon: IconHome, to: ['/'], within: '/', keys: 'g h' },
  {
    key: 'inbox',
    label: 'Inbox',
    icon: IconInbox,
    to: ['/inbox/{-$conversationId}', '/inbox'],
    within: '/inbox',
    keys: 'g i',
    counts: 'unread',
  },
  {
    key: 'activity',
    label: 'Activity',
    icon: IconListDetails,
    to: ['/activity/calls', '/activity/messages', '/activity/$kind'],
    within: '/activity',
    keys: 'g a',
  },
  {
    key: 'contacts',
    label: 'Contacts',
    icon: IconAddressBook,
    to: ['/contacts'],
    within: '/contacts',
    keys: 'g c',
  },
  {
    key: 'campaigns',
    label: 'Campaigns',
    icon: IconSpeakerphone,
    to: ['/campaigns'],
    within: '/campaigns',
    keys: 'g m',
  },
  {
    key: 'numbers',
    label: 'Numbers',
    icon: IconHash,
    to: ['/numbers'],
    within: '/numbers',
    keys: 'g n',
  },
  {
    key: 'tracking',
    label: 'Tracking',
    icon: IconTargetArrow,
    to: ['/tracking/pools'],
    within: '/tracking',
    keys: 'g t',
  },
  {
    key: 'analytics',
    label: 'Analytics',
    icon: IconChartBar,
    to: ['/analytics/calls'],
    within: '/analytics',
    keys: 'g y',
  },
  {
    key: 'monitoring',
    label: 'Monitoring',
    icon: IconHeartbeat,
    to: ['/monitoring'],
    within: '/monitoring',
  },
  {
    key: 'integrations',
    label: 'Integrations',
    icon: IconPlugConnected,
    to: ['/integrations'],
    within: '/integrations',
  },
  {
    key: 'settings',
    label: 'Settings',
    icon: IconSettings,
    to: ['/settings/company', '/settings/users', '/settings/blocked'],
    within: '/settings',
    keys: 'g s',
  },
  {
    key: 'organization',
    label: 'Organization',
    icon: IconBuildingCommunity,
    to: ['/organization'],
    within: '/organization',
  },
];

export interface ShownEntry extends Omit<RailEntry, 'to'> {
  href: string;
}

/** The entries a person may see, each with the address it leads to. */
export function railFor(may: (permission: string) => boolean): ShownEntry[] {
  return entries.flatMap((entry) => {
    const open = entry.to
      .map((path) => screens.find((s) => s.path === path))
      .find((s) => s && (!s.may || may(s.may)));
    return open
      ? [{ ...entry, href: open.path.replace(/\/\{-\$\w+\}/, '').replace('$kind', 'calls') }]
      : [];
  });
}

/** Screens one floor down: those that exist and that this person may see. */
export function screensBelow(
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
    .filter((s) => s.path in titles && (!s.may || may(s.may)))
    .map((s) => ({ path: s.path, title: titles[s.path]! }));
}

export const isWithin = (path: string, within: string): boolean =>
  within === '/' ? path === '/' : path === within || path.startsWith(`${within}/`);
