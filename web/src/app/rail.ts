import type { ComponentType } from 'react';
import { IconAddressBook, IconBuildingCommunity, IconChartBar, IconHash, IconHeartbeat, IconHome, IconInbox, IconListDetails, IconPlugConnected, IconSettings, IconSpeakerphone, IconTargetArrow } from '@tabler/icons-react';
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
  { key: 'inbox', label: 'Inbox', icon: IconInbox, to: ['/inbox/{-$conversationId}', '/inbox'], within: '/inbox', keys: 'g i', counts: 'unread' },
  { key: 'activity', label: 'Activity', icon: IconListDetails, to: ['/activity/calls', '/activity/messages', '/activity/$kind'], within: '/activity', keys: 'g a' },
  { key: 'contacts', label: 'Contacts', icon: IconAddressBook, to: ['/contacts'], within: '/contacts', keys: 'g c' },
  { key: 'campaigns', label: 'Campaigns', icon: IconSpeakerphone, to: ['/campaigns'], within: '/campaigns', keys: 'g m' },
  { key: 'numbers', label: 'Numbers', icon: IconHash, to: ['/numbers'], within: '/numbers', keys: 'g n' },
  { key: 'tracking', label: 'Tracking', icon: IconTargetArrow, to: ['/tracking/pools'], within: '/tracking', keys: 'g t' },
  { key: 'analytics', label: 'Analytics', icon: IconChartBar, to: ['/analytics/calls'], within: '/analytics', keys: 'g y' },
  { key: 'monitoring', label: 'Monitoring', icon: IconHeartbeat, to: ['/monitoring'], within: '/monitoring' },
  { key: 'integrations', label: 'Integrations', icon: IconPlugConnected, to: ['/integrations'], within: '/integrations' },
  { key: 'settings', label: 'Settings', icon: IconSettings, to: ['/settings/company', '/settings/users', '/settings/blocked'], within: '/settings', keys: 'g s' },
  { key: 'organization', label: 'Organization', icon: IconBuildingCommunity, to: ['/organization'], within: '/organization' },
];

export interface ShownEntry extends Omit<RailEntry, 'to'> { href: string }

/** The entries a person may see, each with the address it leads to. */
export function railFor(may: (permission: string) => boolean): ShownEntry[] {
  return entries.flatMap((entry) => {
    const open = entry.to.map((path) => screens.find((s) => s.path === path)).find((s) => s && (!s.may || may(s.may)));
    return open ? [{ ...entry, href: open.path.replace(/\/\{-\$\w+\}/, '').replace('$kind', 'calls') }] : [];
  });
}

export const isWithin = (path: string, within: string): boolean => (within === '/' ? path === '/' : path === within || path.startsWith(`${within}/`));
