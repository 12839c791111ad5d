import { IconBuilding, IconUser } from '@tabler/icons-react';
import { chartColors } from '../theme.ts';
import { initialsOf } from '../format.ts';
import css from './PersonAvatar.module.css';

const hash = (text: string): number =>
  [...text].reduce((sum, char) => (sum * 31 + (char.codePointAt(0) ?? 0)) >>> 0, 7);

/**
 * Avatar of a person or company: initials, or an icon. Decorative, as the name is beside it. `size`
 * in px.
 */
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
          '--who': initials
            ? chartColors[hash(name ?? '') % chartColors.length]
            : 'var(--tl-quiet)',
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
