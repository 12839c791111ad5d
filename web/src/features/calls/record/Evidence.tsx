import { UnstyledButton } from '@mantine/core';
import { t } from '#ui';
import { formatClock } from './format-clock.ts';
import type { Playback } from './use-playback.ts';
import css from './Evidence.module.css';

/** A finding and the sentence it rests on. Pressing the sentence plays it. */
export const Evidence = ({
  label,
  evidence,
  playback,
  action,
}: {
  label: string;
  evidence: { text: string; start_ms: number };
  playback: Playback | null;
  action?: React.ReactNode;
}) => (
  <div className={css.finding}>
    <div className={css.head}>
      {label} {action}
    </div>
    <UnstyledButton
      className={css.sentence}
      aria-label={t('Play “{phrase}” from {at}', {
        phrase: evidence.text,
        at: formatClock(evidence.start_ms),
      })}
      onClick={() => playback?.seek(evidence.start_ms / 1000, true)}
    >
      <span className={css.at}>{formatClock(evidence.start_ms)}</span> “{evidence.text}”
    </UnstyledButton>
  </div>
);
