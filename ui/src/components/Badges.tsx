import {
  IconAlertTriangle,
  IconCircle,
  IconCircleCheck,
  IconExclamationCircle,
  IconInfoCircle,
} from '@tabler/icons-react';
import { Hidden } from './VisuallyHidden.tsx';
import css from './Badges.module.css';

export type Tone = 'neutral' | 'success' | 'warn' | 'danger' | 'info' | 'accent';
const toneIcons: Record<Tone, React.ReactNode> = {
  neutral: <IconCircle size={14} aria-hidden />,
  success: <IconCircleCheck size={14} aria-hidden />,
  warn: <IconAlertTriangle size={14} aria-hidden />,
  danger: <IconExclamationCircle size={14} aria-hidden />,
  info: <IconInfoCircle size={14} aria-hidden />,
  accent: <IconCircleCheck size={14} aria-hidden />,
};
/** A status as color, icon and word, never color alone. */
export function StatusBadge({
  tone = 'neutral',
  icon,
  children,
}: {
  tone?: Tone;
  icon?: React.ReactNode;
  children: React.ReactNode;
}) {
  return (
    <span className={css.badge} data-tone={tone}>
      {icon === undefined ? toneIcons[tone] : icon}
      <span>{children}</span>
    </span>
  );
}

/** A count, such as unread items; nothing at zero. */
export function CountBadge({ count, label }: { count: number; label: string }) {
  if (count <= 0) return null;
  return (
    <span className={css.count}>
      <span aria-hidden>{count > 99 ? '99+' : count}</span>
      <Hidden>{label}</Hidden>
    </span>
  );
}
