import { t } from '#ui';
import { useSegments } from './segments.ts';
import css from './SegmentCounter.module.css';

/** How many segments the text needs, and which characters force the shorter UCS-2 segments. */
export function SegmentCounter({
  text,
  media,
  onPlain,
}: {
  text: string;
  media: boolean;
  onPlain: (text: string) => void;
}) {
  const s = useSegments(text);
  if (media) return <span className={css.counter}>{t('Picture message')}</span>;
  if (!s || text === '') return null;
  return (
    <span className={css.counter}>
      {s.forcing.length > 0 && (
        <span className={css.forcing}>
          <span title={t('Special characters limit a text to 70 characters instead of 160.')}>
            {t('Unicode:')}{' '}
            {s.forcing.slice(0, maxListed).map((c) => (
              <kbd key={c} className={css.char}>
                {named(c)}
              </kbd>
            ))}
            {s.forcing.length > maxListed && t('and {n} more', { n: s.forcing.length - maxListed })}
          </span>
          {s.plain !== null && (
            <button type="button" className={css.plain} onClick={() => onPlain(s.plain!)}>
              {t('Use plain')}
            </button>
          )}
        </span>
      )}
      <span className={css.figures} data-testid="segments">
        {t('{left} left', { left: s.left })} ·{' '}
        {t('{count, plural, one {# segment} other {# segments}}', { count: s.count })}
      </span>
    </span>
  );
}
const maxListed = 3;
/** Invisible characters by their code point. */
const named = (c: string): string =>
  /^[\p{Z}\p{C}]$/u.test(c)
    ? `U+${c.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
    : c;
