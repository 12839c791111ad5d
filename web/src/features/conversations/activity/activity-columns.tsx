import { IconArrowDownLeft, IconArrowUpRight } from '@tabler/icons-react';
import type { ActivityKind } from '#contract/conversations/rules';
import type { InboxItem } from '#contract/conversations/schemas';
import {
  formatDuration,
  formatPhoneNumber,
  Hidden,
  StatusBadge,
  t,
  Time,
  type Column,
  type Tone,
} from '#ui';
import { AudioClip } from '../thread/AudioClip.tsx';
import { faxStateLabel } from '../fax/labels.ts';
import type { ItemOf } from '../cache-updates.ts';
import { deliveryLabel, numberLabel, outcomeLabel, partyName } from '../labels.ts';
import css from './activity-columns.module.css';

type Row = InboxItem;
const as = <K extends ActivityKind>(row: Row): ItemOf<K> => row as unknown as ItemOf<K>;
const outcomeTone: Record<number, Tone> = {
  0: 'info',
  1: 'success',
  2: 'danger',
  3: 'neutral',
  4: 'warn',
};

const partyColumn: Column<Row> = {
  key: 'who',
  title: t('Contact'),
  width: 'minmax(0, 1.3fr)',
  cell: (row) => (
    <span className={css.who}>
      {row.isInbound ? (
        <IconArrowDownLeft size={15} aria-hidden className={css.in} />
      ) : (
        <IconArrowUpRight size={15} aria-hidden className={css.out} />
      )}
      <Hidden>{row.isInbound ? t('From') : t('To')}</Hidden>
      <span className={css.clip}>{row.contact?.name || partyName(row.recipient)}</span>
    </span>
  ),
};
const partyNumberColumn: Column<Row> = {
  key: 'party',
  title: t('Number'),
  width: '132px',
  wideOnly: true,
  cell: (row) => (
    <span className={css.quiet}>{row.contact?.name ? partyName(row.recipient) : ''}</span>
  ),
};
const numberColumn: Column<Row> = {
  key: 'ours',
  title: t('Your number'),
  width: 'minmax(90px, 0.7fr)',
  wideOnly: true,
  cell: (row) => (
    <span title={formatPhoneNumber(row.number.number)}>{numberLabel(row.number)}</span>
  ),
};
/** Wide screens include the minute; phones show only the day of older items. */
const timeColumn = (narrow: boolean): Column<Row> => ({
  key: 'when',
  title: t('When'),
  width: narrow ? '84px' : '118px',
  align: 'end',
  cell: (row) => <Time at={row.createdAt} as={narrow ? 'list' : 'moment'} />,
});
const recordingColumn = (refetch: () => void): Column<Row> => ({
  key: 'sound',
  title: t('Recording'),
  width: '92px',
  wideOnly: true,
  cell: (row) => {
    const url =
      row.kind === 'call'
        ? row.details.recordingUrl
        : row.kind === 'voicemail' || row.kind === 'fax'
          ? row.details.url
          : null;
    if (!url) return null;
    const seconds = row.kind === 'call' || row.kind === 'voicemail' ? row.details.duration : 0;
    return (
      <AudioClip
        small
        url={url}
        seconds={seconds}
        label={row.kind === 'voicemail' ? t('Voicemail') : t('Recording')}
        onBroken={refetch}
      />
    );
  },
});

const callColumns = (refetch: () => void, narrow: boolean): Column<Row>[] => [
  partyColumn,
  partyNumberColumn,
  {
    key: 'outcome',
    title: t('Outcome'),
    width: '116px',
    cell: (row) => <Outcome outcome={as<'call'>(row).details.outcome} isInbound={row.isInbound} />,
  },
  {
    key: 'duration',
    title: t('Length'),
    width: '72px',
    align: 'end',
    wideOnly: true,
    cell: (row) =>
      as<'call'>(row).details.outcome === 0 ? '' : formatDuration(as<'call'>(row).details.duration),
  },
  {
    key: 'by',
    title: t('Answered by'),
    width: 'minmax(118px, 0.9fr)',
    wideOnly: true,
    cell: (row) =>
      as<'call'>(row).details.outcome === 1 ? (as<'call'>(row).details.answeredBy ?? '') : '',
  },
  numberColumn,
  recordingColumn(refetch),
  timeColumn(narrow),
];

const messageColumns = (_refetch: () => void, narrow: boolean): Column<Row>[] => [
  { ...partyColumn, width: 'minmax(136px, 1.3fr)' },
  {
    key: 'text',
    title: t('Message'),
    width: 'minmax(0, 2.4fr)',
    cell: (row) => {
      const d = as<'message'>(row).details;
      return (
        <span title={d.content}>
          {d.content ||
            t('{n, plural, one {# attachment} other {# attachments}}', { n: d.media.length })}
          {d.content && d.media.length > 0
            ? ` · ${t('{n, plural, one {# attachment} other {# attachments}}', { n: d.media.length })}`
            : ''}
        </span>
      );
    },
  },
  {
    key: 'state',
    title: t('Status'),
    width: '132px',
    wideOnly: true,
    cell: (row) => {
      const { label: word, problem: trouble } = deliveryLabel(as<'message'>(row).details);
      return row.isInbound ? (
        <span className={css.quiet}>{row.readAt ? t('Read') : t('Unread')}</span>
      ) : (
        <span className={css.badge} title={trouble ?? undefined}>
          <StatusBadge
            tone={
              trouble
                ? 'danger'
                : as<'message'>(row).details.deliveryState === 'delivered'
                  ? 'success'
                  : 'neutral'
            }
          >
            {word}
          </StatusBadge>
        </span>
      );
    },
  },
  numberColumn,
  timeColumn(narrow),
];

const voicemailColumns = (refetch: () => void, narrow: boolean): Column<Row>[] => [
  partyColumn,
  partyNumberColumn,
  {
    key: 'words',
    title: t('Transcript'),
    width: 'minmax(120px, 2fr)',
    wideOnly: true,
    cell: (row) => {
      const d = as<'voicemail'>(row).details;
      return d.transcription ? (
        <span title={d.transcription}>{d.transcription}</span>
      ) : (
        <span className={css.quiet}>
          {d.transcriptionState === 'failed'
            ? t('The audio couldn’t be transcribed.')
            : t('No transcript')}
        </span>
      );
    },
  },
  numberColumn,
  {
    ...recordingColumn(refetch),
    title: t('Voicemail'),
    wideOnly: false,
    width: 'minmax(84px, 0.9fr)',
  },
  timeColumn(narrow),
];

const faxColumns = (_refetch: () => void, narrow: boolean): Column<Row>[] => [
  { ...partyColumn, width: 'minmax(134px, 1.3fr)' },
  partyNumberColumn,
  {
    key: 'pages',
    title: t('Pages'),
    width: '72px',
    align: 'end',
    wideOnly: true,
    cell: (row) => as<'fax'>(row).details.pages || '',
  },
  {
    key: 'state',
    title: t('Status'),
    width: 'minmax(100px, 150px)',
    cell: (row) => {
      const d = as<'fax'>(row).details;
      const { word, tone } = faxStateLabel(d.state);
      return (
        <span className={css.badge} title={d.errorText ?? undefined}>
          <StatusBadge tone={tone}>{word}</StatusBadge>
        </span>
      );
    },
  },
  {
    key: 'open',
    title: t('Document'),
    width: '110px',
    wideOnly: true,
    cell: (row) =>
      as<'fax'>(row).details.url ? (
        <a className={css.link} href={`${as<'fax'>(row).details.url!}&download=1`}>
          {t('PDF')}
        </a>
      ) : (
        ''
      ),
  },
  numberColumn,
  timeColumn(narrow),
];

const columnsOf: Record<ActivityKind, (refetch: () => void, narrow: boolean) => Column<Row>[]> = {
  call: callColumns,
  message: messageColumns,
  voicemail: voicemailColumns,
  fax: faxColumns,
};
/** The columns of a list. `refetch` fetches new URLs when a recording's URL has expired. */
export const activityColumns = (
  kind: ActivityKind,
  refetch: () => void,
  narrow: boolean,
): Column<Row>[] => columnsOf[kind](refetch, narrow);

/** An outgoing call without an answer isn't a missed call. */
const Outcome = ({ outcome, isInbound }: { outcome: number; isInbound: boolean }) => {
  const unanswered = outcome === 2 && !isInbound;
  return (
    <span className={css.badge}>
      <StatusBadge tone={unanswered ? 'neutral' : (outcomeTone[outcome] ?? 'neutral')}>
        {unanswered ? t('Not answered') : outcomeLabel(outcome)}
      </StatusBadge>
    </span>
  );
};
