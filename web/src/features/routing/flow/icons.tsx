import {
  IconBan,
  IconClock,
  IconDoorExit,
  IconHash,
  IconList,
  IconMoon,
  IconPhoneCall,
  IconPhoneIncoming,
} from '@tabler/icons-react';
import type { StepKind } from './graph.ts';

const icons = {
  start: IconPhoneIncoming,
  screen: IconBan,
  menu: IconList,
  route: IconHash,
  hours: IconClock,
  ring: IconPhoneCall,
  after: IconMoon,
  end: IconDoorExit,
} as const;

export function StepIcon({ kind }: { kind: StepKind }) {
  const Icon = icons[kind];
  return <Icon size={16} aria-hidden />;
}
