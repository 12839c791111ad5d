import type { calls } from '#contract';
import { formatDuration, StatusBadge, t } from '#ui';
import { formatClock } from './format-clock.ts';
import { SpokenPhrases } from './SpokenPhrases.tsx';
import type { Playback } from './use-playback.ts';
import css from './Transcript.module.css';

type TranscriptWords = calls.Call['transcription'];
const speaker: Record<number, string> = { 0: 'Both', 1: 'Agent', 2: 'Client' };
const skipped: Record<string, string> = {
  too_short: 'Too short to transcribe (less than 5 seconds of talk).',
  no_recording: 'There’s no recording to transcribe.',
  disabled: 'Transcription is off for this number.',
  unsupported_language: 'The language of this call isn’t supported.',
  plan: 'Your plan has no minutes left to transcribe calls.',
  no_engine: 'No transcription engine is connected.',
};

type Statistics = NonNullable<TranscriptWords['statistics']>;
const hasSides = ({ agent, client }: Statistics): boolean => agent.percent + client.percent > 0;

/** Each speaker's share of the talking time; silence counts for neither. */
function TalkShares({ statistics: s }: { statistics: Statistics }) {
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
          <dt>{t('Overtalk')}</dt>
          <dd>{formatDuration(Math.round(s.overtalk_seconds))}</dd>
        </div>
        <div>
          <dt>{t('Longest monologue')}</dt>
          <dd>{formatDuration(Math.round(s.longest_monologue_seconds))}</dd>
        </div>
      </dl>
      <p className={css.quiet}>
        {s.from === 'voice'
          ? t('Measured from the sound of each side.')
          : t('Estimated from the transcript, because both sides share a channel.')}
      </p>
    </div>
  );
}

/** Why there is no transcript to show; null when there is one. */
function statusOf(words: TranscriptWords, running: boolean): React.ReactNode {
  if (words.state === 'none' && running)
    return <p className={css.quiet}>{t('The transcript appears after the call ends.')}</p>;
  if (words.state === 'none')
    return <p className={css.quiet}>{t('This call wasn’t recorded, so there’s no transcript.')}</p>;
  if (words.state === 'queued' || words.state === 'processing')
    return <StatusBadge tone="info">{t('Transcribing…')}</StatusBadge>;
  if (words.state === 'failed')
    return <StatusBadge tone="danger">{t('Couldn’t transcribe this call.')}</StatusBadge>;
  if (words.state === 'redacted')
    return <StatusBadge>{t('Deleted with the recording.')}</StatusBadge>;
  if (words.state === 'skipped')
    return (
      <p className={css.quiet}>
        {t(skipped[words.metadata?.skipped_reason ?? ''] ?? 'This call wasn’t transcribed.')}
      </p>
    );
  return null;
}

type Phrases = calls.Call['phrases'];

/** The segments by speaker; the word being played is highlighted, and so are phrases of lists. */
function Segments({
  segments,
  phrases,
  playback,
}: {
  segments: NonNullable<TranscriptWords['metadata']>['segments'];
  phrases: Phrases;
  playback: Playback | null;
}) {
  const at = (playback?.time ?? -1) * 1000;
  const spoken = phrases.flatMap((one) => one.spoken);
  const isSpotted = (speakerId: number, ms: number): boolean =>
    spoken.some((one) => one.speaker === speakerId && ms >= one.start_ms && ms < one.end_ms);
  return (
    <ol
      className={css.segments}
      onClick={(e) => {
        const word =
          e.target instanceof Element ? e.target.closest<HTMLElement>('[data-ms]') : null;
        if (word) playback?.seek(Number(word.dataset['ms']) / 1000, true);
      }}
    >
      {segments.map((s) => (
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
                      data-spotted={isSpotted(s.speaker, w.start_ms) ? '' : undefined}
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
  );
}

const FrequentWords = ({
  keywords,
}: {
  keywords: NonNullable<TranscriptWords['metadata']>['keywords'];
}) =>
  keywords.length === 0 ? null : (
    <p className={css.keywords}>
      <span className={css.quiet}>{t('Frequent words')}</span>
      {keywords.map((k) => (
        <span key={k.term} className={css.keyword}>
          {k.term}{' '}
          <span aria-label={t('{n, plural, one {# time} other {# times}}', { n: k.count })}>
            ×{k.count}
          </span>
        </span>
      ))}
    </p>
  );

/** The transcript by speaker and time. Pressing a word plays from there. */
export function Transcript({
  words,
  playback,
  phrases = [],
  running = false,
  isVoicemail = false,
}: {
  words: TranscriptWords;
  playback: Playback | null;
  /** What was said of the company's lists in this recording. */
  phrases?: Phrases;
  running?: boolean;
  isVoicemail?: boolean;
}) {
  const status = statusOf(words, running);
  const { metadata, statistics } = words;
  const shares = !isVoicemail && statistics && hasSides(statistics) && (
    <TalkShares statistics={statistics} />
  );
  if (status)
    return (
      <div className={css.transcript}>
        {status}
        {shares}
      </div>
    );
  return (
    <div className={css.transcript}>
      <p className={css.quiet}>
        {t('Transcribed by {engine}', { engine: metadata?.engine ?? '–' })}
        {metadata && metadata.redactions.length > 0 && (
          <>
            {' '}
            ·{' '}
            {t('Sensitive details were removed from the transcript and silenced in the recording.')}
          </>
        )}
      </p>
      {shares}
      {metadata && <FrequentWords keywords={metadata.keywords} />}
      <SpokenPhrases phrases={phrases} playback={playback} />
      {metadata?.segments.length ? (
        <Segments segments={metadata.segments} phrases={phrases} playback={playback} />
      ) : (
        <p>{words.text || t('No speech detected.')}</p>
      )}
    </div>
  );
}
