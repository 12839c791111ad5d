import { lazy, Suspense, useState } from 'react';
import { Button, Skeleton } from '@mantine/core';
import {
  IconHash,
  IconNote,
  IconPlayerPlay,
  IconRecordMail,
  IconTag,
  IconUser,
} from '@tabler/icons-react';
import { callOutcomeLabels, type CallOutcome } from '#contract/calls/rules';
import { getCall } from '#contract/calls/endpoints';
import type { CallFound } from '#contract/calls/search/schemas';
import { partyName } from '#contract/party';
import {
  formatDuration,
  formatPhoneNumber,
  formatTotal,
  Hidden,
  Paging,
  StatusBadge,
  t,
  Time,
  useApiQuery,
  type PagingProps,
  type Tone,
} from '#ui';
import { formatClock } from './format-clock.ts';
import { Highlighted } from './Highlighted.tsx';
import css from './CallSearchResults.module.css';

const Player = lazy(async () => ({ default: (await import('./Player.tsx')).Player }));
type SearchHit = CallFound['highlights'][number];
/** The passage that plays: `at` in milliseconds from the start of the recording. */
interface PlayingHit {
  call: number;
  field: SearchHit['field'];
  at: number;
}
const tones: Record<number, Tone> = {
  0: 'info',
  1: 'success',
  2: 'warn',
  3: 'accent',
  4: 'danger',
};
const speakers: Record<number, string> = { 0: 'Both', 1: 'Agent', 2: 'Client' };

/** The calls found, each with its matching passages; pressing a passage plays that moment. */
export function CallSearchResults({
  hits,
  loading,
  paging,
  said: countText,
  empty,
}: {
  hits: readonly CallFound[] | undefined;
  loading: boolean;
  paging: PagingProps;
  said: boolean;
  empty: React.ReactNode;
}) {
  const [playing, setPlaying] = useState<PlayingHit | null>(null);
  if (!hits || loading)
    return (
      <div className={css.hits} aria-busy>
        {[1, 2, 3, 4].map((i) => (
          <Skeleton key={i} height={84} radius={8} />
        ))}
      </div>
    );
  if (hits.length === 0) return <>{empty}</>;
  const of = paging.meta ?? { total: 0 };
  return (
    <>
      <p className={css.count} role="status">
        {countText
          ? t('{n, plural, one {{total} call found} other {{total} calls found}}', {
              n: of.total,
              total: formatTotal(of),
            })
          : t('Latest calls with a transcript')}
      </p>
      <ol className={css.hits}>
        {hits.map((hit) => (
          <FoundCall
            key={hit.call.id}
            found={hit}
            playing={playing?.call === hit.call.id ? playing : null}
            onPlay={setPlaying}
          />
        ))}
      </ol>
      <Paging {...paging} shown={hits.length} />
    </>
  );
}

/** A call with its matching passages. */
function FoundCall({
  found: { call, highlights },
  playing,
  onPlay,
}: {
  found: CallFound;
  playing: PlayingHit | null;
  onPlay: (hit: PlayingHit) => void;
}) {
  const party = call.outbound ? call.to : call.from;
  const who = call.contact?.name || call.caller_name || partyName(party, t('Withheld number'));
  return (
    <li className={css.hit}>
      <div className={css.head}>
        <a className={css.who} href={`/calls/${call.id}`}>
          {who}
        </a>
        {party.startsWith('+') && who !== formatPhoneNumber(party) && (
          <span className={css.quiet}>{formatPhoneNumber(party)}</span>
        )}
        <StatusBadge tone={tones[call.outcome] ?? 'neutral'}>
          {t(callOutcomeLabels[call.outcome as CallOutcome])}
        </StatusBadge>
        <span className={css.quiet}>
          {call.number.label || formatPhoneNumber(call.number.number)} ·{' '}
          {formatDuration(call.talk_seconds || call.duration)}
        </span>
        <span className={css.when}>
          <Time at={call.started_at} as="instant" />
        </span>
      </div>
      <ul className={css.places}>
        {highlights.map((hit, i) => {
          const at = hit.start_ms;
          return (
            <li key={i}>
              <HitSource
                hit={hit}
                play={at === null ? null : () => onPlay({ call: call.id, field: hit.field, at })}
              />
            </li>
          );
        })}
      </ul>
      {playing && <InlinePlayer key={`${playing.field}${playing.at}`} {...playing} />}
    </li>
  );
}

const icons = {
  note: IconNote,
  caller: IconUser,
  tag: IconTag,
  voicemail: IconRecordMail,
  transcript: IconHash,
};
const names: Record<SearchHit['field'], string> = {
  note: 'Note',
  caller: 'Caller',
  tag: 'Tag',
  voicemail: 'Voicemail',
  transcript: 'Transcript',
};
function HitSource({ hit, play }: { hit: SearchHit; play: (() => void) | null }) {
  const Icon = icons[hit.field];
  return (
    <div className={css.place} data-speaker={hit.speaker ?? undefined}>
      {play ? (
        <Button
          className={css.play}
          size="compact-sm"
          variant="default"
          leftSection={<IconPlayerPlay size={12} aria-hidden />}
          aria-label={t('Play from {at}', { at: formatClock(hit.start_ms ?? 0) })}
          onClick={play}
        >
          {formatClock(hit.start_ms ?? 0)}
        </Button>
      ) : (
        <span className={css.icon}>
          <Icon size={14} aria-hidden />
          <Hidden>{t(names[hit.field])}</Hidden>
        </span>
      )}
      {play && (
        <span className={css.speaker}>
          {hit.field === 'voicemail' ? t('Voicemail') : t(speakers[hit.speaker ?? 0] ?? 'Both')}
        </span>
      )}
      <span className={css.words}>
        <Highlighted text={hit.snippet} marks={hit.marks} />
      </span>
    </div>
  );
}
/** Plays the recording from a moment on. The signed URL is only requested when it is played. */
function InlinePlayer({
  call,
  field,
  at,
}: {
  call: number;
  field: SearchHit['field'];
  at: number;
}) {
  const { response, error, refetch } = useApiQuery(
    getCall,
    { params: { id: call } },
    { silent: true },
  );
  if (error) return <StatusBadge tone="danger">{t('Couldn’t open the recording.')}</StatusBadge>;
  if (!response) return <Skeleton height={84} radius={8} />;
  const { recording, voicemail } = response.data;
  const sound = field === 'voicemail' ? voicemail && { ...voicemail, speakers: [2] } : recording;
  if (!sound?.url) return <StatusBadge>{t('The recording was deleted.')}</StatusBadge>;
  return (
    <Suspense fallback={<Skeleton height={84} radius={8} />}>
      <Player
        sound={{ ...sound, url: sound.url }}
        label={t('Call recording')}
        expired={refetch}
        startAt={at / 1000}
      />
    </Suspense>
  );
}
