import type { calls } from '#contract';
import { formatDuration, StatusBadge, t } from '#ui';
import type { Playback } from './Player.tsx';
import css from './Transcript.module.css';

type TranscriptWords = calls.Call['transcription'];
const formatClock = (ms: number): string =>
  `${Math.floor(ms / 60_000)}:${String(Math.floor(ms / 1000) % 60).padStart(2, '0')}`;
const speaker: Record<number, string> = { 0: 'Both', 1: 'Agent', 2: 'Client' };
const skipped: Record<string, string> = {
  too_short: 'Too short to be written down (under 5 seconds of talk).',
  no_recording: 'There is no recording to write down.',
  disabled: 'Transcription is off for this number.',
  unsupported_language: 'The language of this call is not supported.',
  no_engine: 'No transcription engine is connected.',
};

/** Who spoke how much; silence counts for neither. */
function TalkShares({ statistics: s }: { statistics: NonNullable<TranscriptWords['statistics']> }) {
  return (
    <div className={css.shares}>
      <div
        className={css.bar}
        role="img"
        aria-label={t('Agent {a}%, client {c}%', { a: s.agent.percent, c: s.client.percent })}
      >
        {s.agent.percent > 0 && (
          <span className={css.agent} style={{ width: `${s.agent.percent}%` }} />
        )}
        {s.client.percent > 0 && (
          <span className={css.client} style={{ width: `${s.client.percent}%` }} />
        )}
      </div>
      <dl className={css.facts}>
        <div>
          <dt className={css.ofAgent}>{t('Agent')}</dt>
          <dd>
            {s.agent.percent}% · {formatDuration(Math.round(s.agent.seconds))}
          </dd>
        </div>
        <div>
          <dt className={css.ofClient}>{t('Client')}</dt>
          <dd>
            {s.client.percent}% · {formatDuration(Math.round(s.client.seconds))}
          </dd>
        </div>
        <div>
          <dt>{t('Silence')}</dt>
          <dd>{s.silence_percent}%</dd>
        </div>
        <div>
          <dt>{t('Both at once')}</dt>
          <dd>{formatDuration(Math.round(s.overtalk_seconds))}</dd>
        </div>
        <div>
          <dt>{t('Longest monologue')}</dt>
          <dd>{formatDuration(Math.round(s.longest_monologue_seconds))}</dd>
        </div>
      </dl>
    </div>
  );
}

/** What was said: who, when, word by word. A click on a word plays from there. */
export function Transcript({
  words,
  playback,
  running = false,
}: {
  words: TranscriptWords;
  playback: Playback | null;
  running?: boolean;
}) {
  if (words.state === 'none' && running)
    return <p className={css.quiet}>{t('The words appear when the call has ended.')}</p>;
  if (words.state === 'none')
    return <p className={css.quiet}>{t('Nothing was recorded, so nothing was written down.')}</p>;
  if (words.state === 'queued' || words.state === 'processing')
    return <StatusBadge tone="info">{t('Being written down …')}</StatusBadge>;
  if (words.state === 'failed')
    return <StatusBadge tone="danger">{t('It could not be written down.')}</StatusBadge>;
  if (words.state === 'redacted')
    return <StatusBadge>{t('Deleted together with the recording.')}</StatusBadge>;
  if (words.state === 'skipped')
    return (
      <p className={css.quiet}>
        {t(skipped[words.metadata?.skipped_reason ?? ''] ?? 'It was not written down.')}
      </p>
    );
  const at = (playback?.time ?? -1) * 1000;
  const { metadata, statistics } = words;
  return (
    <div className={css.transcript}>
      <p className={css.quiet}>
        {t('Written down by {engine}', { engine: metadata?.engine ?? '–' })}
        {metadata && metadata.redactions.length > 0 && (
          <> · {t('What may not be kept was taken out of the words and silenced in the sound.')}</>
        )}
      </p>
      {statistics && statistics.agent.percent + statistics.client.percent > 0 && (
        <TalkShares statistics={statistics} />
      )}
      {metadata && metadata.keywords.length > 0 && (
        <p className={css.keywords}>
          <span className={css.quiet}>{t('Said often')}</span>
          {metadata.keywords.map((k) => (
            <span key={k.term} className={css.keyword}>
              {k.term} <span aria-label={t('{n} times', { n: k.count })}>×{k.count}</span>
            </span>
          ))}
        </p>
      )}
      {metadata?.segments.length ? (
        <ol
          className={css.segments}
          onClick={(e) => {
            const word =
              e.target instanceof Element ? e.target.closest<HTMLElement>('[data-ms]') : null;
            if (word) playback?.seek(Number(word.dataset['ms']) / 1000, true);
          }}
        >
          {metadata.segments.map((s) => (
            <li key={s.i} className={css.segment} data-speaker={s.speaker}>
              <button
                type="button"
                className={css.at}
                data-ms={s.start_ms}
                aria-label={t('Play from {at}', { at: formatClock(s.start_ms) })}
              >
                {formatClock(s.start_ms)}
              </button>
              <div>
                <div className={css.speaker}>{t(speaker[s.speaker] ?? 'Both')}</div>
                <p>
                  {s.words.length
                    ? s.words.map((w, i) => (
                        <span
                          key={i}
                          data-ms={w.start_ms}
                          className={css.word}
                          data-now={at >= w.start_ms && at < w.end_ms ? '' : undefined}
                        >
                          {w.w}{' '}
                        </span>
                      ))
                    : s.text}
                </p>
              </div>
            </li>
          ))}
        </ol>
      ) : (
        <p>{words.text || t('Nobody said a word.')}</p>
      )}
    </div>
  );
}
