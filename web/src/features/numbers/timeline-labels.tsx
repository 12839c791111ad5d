import {
  IconArrowsExchange,
  IconBan,
  IconCalendar,
  IconCircleDot,
  IconMessage,
  IconPhone,
  IconRoute,
  IconSettings,
  IconShoppingCart,
  IconTag,
  IconTemplate,
  IconTrash,
} from '@tabler/icons-react';
import type { numbers } from '#contract';
import { t } from '#ui';

type Type = numbers.TimelineType;
const names: Record<Type, string> = {
  purchased: 'Bought',
  ported_in: 'Ported in',
  label_changed: 'Label',
  routing_changed: 'Routing',
  schedule_changed: 'Schedule',
  template_applied: 'Template',
  pool_joined: 'Joined a pool',
  pool_left: 'Left a pool',
  lease_started: 'Shown to a visitor',
  lease_ended: 'No longer shown',
  swap_seen: 'Swapped on a page',
  call: 'Call',
  message: 'Texts',
  blocked_call: 'Blocked call',
  sms_status_changed: 'Texting registration',
  custom_field_changed: 'Field',
  tag_added: 'Tag added',
  tag_removed: 'Tag removed',
  rotated: 'Replaced',
  suspended: 'Suspended',
  released: 'Released',
  kept: 'Kept',
  settings_changed: 'Settings',
};
export const timelineName = (type: Type): string => t(names[type]);

const icons: Partial<Record<Type, React.ReactNode>> = {
  purchased: <IconShoppingCart size={16} />,
  label_changed: <IconTag size={16} />,
  tag_added: <IconTag size={16} />,
  tag_removed: <IconTag size={16} />,
  routing_changed: <IconRoute size={16} />,
  schedule_changed: <IconCalendar size={16} />,
  template_applied: <IconTemplate size={16} />,
  call: <IconPhone size={16} />,
  blocked_call: <IconBan size={16} />,
  message: <IconMessage size={16} />,
  rotated: <IconArrowsExchange size={16} />,
  released: <IconTrash size={16} />,
  settings_changed: <IconSettings size={16} />,
};
export const timelineIcon = (type: Type): React.ReactNode =>
  icons[type] ?? <IconCircleDot size={16} />;
