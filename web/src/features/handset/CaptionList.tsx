import { useEffect, useRef } from 'react';
import { t } from '#ui';
import { captionText } from './labels.ts';
import type { Caption } from './sandbox.ts';
import css from './HandsetCall.module.css';

/** What this phone heard, newest last. Ringing is only told while it lasts. */
export function CaptionList({
  heard: all,
  isRinging = false,
}: {
  heard: readonly Caption[];
  isRinging?: boolean;
}) {
  const heard = all.filter(({ kind }, i) => kind !== 'ring' || (isRinging && i === all.length - 1));
  const box = useRef<HTMLOListElement>(null);
  useEffect(() => {
    box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [heard.length]);
  return (
    <ol ref={box} className={css.heard} aria-label={t('What this phone heard')} tabIndex={0}>
      {heard.slice(-30).map((h, i) => (
        <li key={`${h.at}${i}`} data-kind={h.kind}>
          {captionText(h)}
        </li>
      ))}
      {heard.length === 0 && <li className={css.silent}>{t('Nothing heard yet')}</li>}
    </ol>
  );
}
