import { ActionIcon, CopyButton, Tooltip } from '@mantine/core';
import {
  IconAlertTriangle,
  IconBuilding,
  IconCheck,
  IconCircle,
  IconCircleCheck,
  IconCopy,
  IconExclamationCircle,
  IconInfoCircle,
  IconUser,
} from '@tabler/icons-react';
import { chartColors } from '../theme.ts';
import {
  formatAgo,
  formatDate,
  formatDay,
  formatDateTime,
  formatListTime,
  formatMoment,
  formatPhoneNumber,
  formatTime,
  initialsOf,
  userZone,
  zoneName,
  type Instant,
} from '../format.ts';
import { useNow } from '../use-now.ts';
import { t } from '../i18n.ts';
import css from './Bits.module.css';

const hash = (s: string): number => [...s].reduce((h, c) => (h * 31 + c.codePointAt(0)!) >>> 0, 7);

/** Avatar of a person or company: initials, or an icon. Decorative, as the name is beside it. */
export function PersonAvatar({
  name,
  kind = 'person',
  size = 32,
}: {
  name?: string | null;
  kind?: 'person' | 'business';
  size?: number;
}) {
  const initials = name ? initialsOf(name) : '';
  return (
    <span
      className={css.avatar}
      aria-hidden
      style={
        {
          width: size,
          height: size,
          fontSize: Math.round(size * 0.38),
          '--who': initials ? chartColors[hash(name!) % chartColors.length] : 'var(--tl-quiet)',
        } as React.CSSProperties
      }
    >
      {initials ||
        (kind === 'business' ? (
          <IconBuilding size={size * 0.55} stroke={1.5} />
        ) : (
          <IconUser size={size * 0.55} stroke={1.5} />
        ))}
    </span>
  );
}

/** A formatted phone number with its E.164 on hover; `copy` adds a button that copies it. */
export function PhoneNumber({
  value,
  style = 'auto',
  copy = false,
}: {
  value: string;
  style?: 'auto' | 'national' | 'international';
  copy?: boolean;
}) {
  return (
    <span className={css.phone}>
      <span className="tabular" title={value}>
        {formatPhoneNumber(value, style)}
      </span>
      {copy && (
        <CopyButton value={value} timeout={1500}>
          {({ copied, copy: run }) => (
            <Tooltip label={copied ? t('Copied') : t('Copy number')}>
              <ActionIcon
                size={24}
                aria-label={t('Copy {number}', { number: formatPhoneNumber(value) })}
                onClick={(e) => {
                  e.preventDefault();
                  e.stopPropagation();
                  run();
                }}
              >
                {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
              </ActionIcon>
            </Tooltip>
          )}
        </CopyButton>
      )}
    </span>
  );
}

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
      <span className={css.hidden}>{label}</span>
    </span>
  );
}

const styles = {
  list: formatListTime,
  moment: formatMoment,
  ago: formatAgo,
  time: (at) => formatTime(at),
  day: (at) => formatDay(at),
  date: (at) => formatDate(at),
  instant: (at) => formatDateTime(at),
} as const satisfies Record<string, (at: Instant, now: number) => string>;
/** An instant in the reader's zone; the tooltip has it in full, with the zone. */
export function Time({ at, as = 'list' }: { at: Instant; as?: keyof typeof styles }) {
  const now = useNow();
  const text = styles[as](at, now);
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={`${formatDateTime(at)} (${zoneName(userZone())})`}
    >
      {text}
    </time>
  );
}

/** For screen readers only. */
export const Hidden = ({ children }: { children: React.ReactNode }) => (
  <span className={css.hidden}>{children}</span>
);

/** Names with their values, aligned. */
export function Facts({
  rows,
}: {
  rows: readonly (readonly [string, React.ReactNode] | null | false)[];
}) {
  return (
    <dl className={css.facts}>
      {rows
        .filter((r) => r !== null && r !== false)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
