import type { calls } from '#contract';
import { StatusBadge, t } from '#ui';
import type { Playback } from './Player.tsx';
import css from './Transcript.module.css';

type Words = calls.Call['transcription'];
const clock = (ms: number): string => `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, '0')}`;
const speaker: Record<number, string> = { 0: 'Both', 1: 'Agent', 2: 'Client' };
const skipped: Record<string, string> = {
  too_short: 'Too short to be written down (under 5 seconds of talk).', no_recording: 'There is no recording to write down.', disabled: 'Transcription is off for this number.',
  unsupported_language: 'The language of this call is not supported.', no_engine: 'No transcription engine is connected.',
};

/** What was said: who, when, word by word. A click on a word plays from there. */
export function Transcript({ words, playback, running = false }: { words: Words; playback: Playback | null; running?: boolean }) {
  if (words.state === 'none' && running) return <p className={css.quiet}>{t('The words appear when the call has ended.')}</p>;
  if (words.state === 'none') return <p className={css.quiet}>{t('Nothing was recorded, so nothing was written down.')}</p>;
  if (words.state === 'queued' || words.state === 'processing') return <StatusBadge tone="info">{t('Being written down …')}</StatusBadge>;
  if (words.state === 'failed') return <StatusBadge tone="danger">{t('It could not be written down.')}</StatusBadge>;
  if (words.state === 'redacted') return <StatusBadge>{t('Deleted together with the recording.')}</StatusBadge>;
  if (words.state === 'skipped') return <p className={css.quiet}>{t(skipped[words.metadata?.skipped_reason ?? ''] ?? 'It was not written down.')}</p>;
  const at = (playback?.time ?? -1) * 1000;
  const { metadata, statistics } = words;
  return (
    <div className={css.transcript}>
      <p className={css.quiet}>
        {t('Written down by {engine}', { engine: metadata?.engine ?? '–' })}
        {statistics && statistics.agent.percent + statistics.client.percent > 0 && <> · {t('Agent {a} %, client {c} %', { a: statistics.agent.percent, c: statistics.client.percent })}</>}
      </p>
      {metadata?.segments.length ? (
        <ol className={css.segments} onClick={(e) => {
          const word = e.target instanceof Element ? e.target.closest<HTMLElement>('[data-ms]') : null;
          if (word) playback?.seek(Number(word.dataset['ms']) / 1000, true);
        }}>
          {metadata.segments.map((s) => (
            <li key={s.i} className={css.segment} data-speaker={s.speaker}>
              <button type="button" className={css.at} data-ms={s.start_ms} aria-label={t('Play from {at}', { at: clock(s.start_ms) })}>{clock(s.start_ms)}</button>
              <div>
                <div className={css.speaker}>{t(speaker[s.speaker] ?? 'Both')}</div>
                <p>{s.words.length ? s.words.map((w, i) => <span key={i} data-ms={w.start_ms} className={css.word} data-now={at >= w.start_ms && at < w.end_ms ? '' : undefined}>{w.w}{' '}</span>) : s.text}</p>
              </div>
            </li>
          ))}
        </ol>
      ) : <p>{words.text || t('Nobody said a word.')}</p>}
    </div>
  );
}
