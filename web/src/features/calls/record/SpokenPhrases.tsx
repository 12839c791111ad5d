import { UnstyledButton } from '@mantine/core';
import type { calls } from '#contract';
import { t } from '#ui';
import { formatClock } from './format-clock.ts';
import type { Playback } from './use-playback.ts';
import css from './Transcript.module.css';

/** The phrases of the company's lists that were said. Pressing one plays from there. */
export const SpokenPhrases = ({
  phrases,
  playback,
}: {
  phrases: calls.Call['phrases'];
  playback: Playback | null;
}) =>
  phrases.length === 0 ? null : (
    <ul className={css.phrases} aria-label={t('Phrases')}>
      {phrases.map(({ list, spoken }) => (
        <li key={list.id}>
          <span className={css.list}>{list.name}</span>
          {spoken.map((one) => (
            <UnstyledButton
              key={`${one.recording}${one.start_ms}`}
              className={css.phrase}
              aria-label={t('Play “{phrase}” from {at}', {
                phrase: one.phrase,
                at: formatClock(one.start_ms),
              })}
              onClick={() => playback?.seek(one.start_ms / 1000, true)}
            >
              {one.phrase} <span className={css.time}>{formatClock(one.start_ms)}</span>
            </UnstyledButton>
          ))}
        </li>
      ))}
    </ul>
  );
