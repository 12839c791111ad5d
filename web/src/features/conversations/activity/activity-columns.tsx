import type { ActivityKind } from '#contract/conversations/rules';
import { formatDuration, StatusBadge, t, type Column, type Tone } from '#ui';
import { faxStateLabel } from '../fax/labels.ts';
import { deliveryLabel, matchedTexts, outcomeLabel } from '#ui/messaging/labels.ts';
import css from './activity-columns.module.css';
import {
  as,
  numberColumn,
  partyColumn,
  partyNumberColumn,
  recordingColumn,
  timeColumn,
  type Row,
} from './shared-columns.tsx';

const outcomeTone: Record<number, Tone> = {
  0: 'info',
  1: 'success',
  2: 'danger',
  3: 'neutral',
  4: 'warn',
};

/** Source and campaign, with keyword and page in the tooltip. */
const sourceColumn: Column<Row> = {
  key: 'source',
  title: t('Source'),
  width: 'minmax(84px, 0.9fr)',
  wideOnly: true,
  cell: (row) => {
    const { details } = as<'call' | 'voicemail'>(row);
    const texts = matchedTexts(details);
    return (
      <span title={texts.join(' · ')}>{texts.slice(0, details.campaign ? 2 : 1).join(' · ')}</span>
    );
  },
};

/** Narrower than elsewhere: the source has a place, too. */
const callColumns = (refetch: () => void, narrow: boolean): Column<Row>[] => [
  { ...partyColumn, width: 'minmax(116px, 1.3fr)' },
  { ...partyNumberColumn, width: '106px' },
  {
    key: 'outcome',
    title: t('Outcome'),
    width: '112px',
    cell: (row) => <Outcome outcome={as<'call'>(row).details.outcome} isInbound={row.isInbound} />,
  },
  {
    key: 'duration',
    title: t('Length'),
    width: '60px',
    align: 'end',
    wideOnly: true,
    cell: (row) =>
      as<'call'>(row).details.outcome === 0 ? '' : formatDuration(as<'call'>(row).details.duration),
  },
  {
    key: 'by',
    title: t('Answered by'),
    width: 'minmax(80px, 0.9fr)',
    wideOnly: true,
    cell: (row) =>
      as<'call'>(row).details.outcome === 1 ? (as<'call'>(row).details.answeredBy ?? '') : '',
  },
  sourceColumn,
  { ...numberColumn, width: 'minmax(72px, 0.7fr)' },
  { ...recordingColumn(refetch), width: '76px' },
  { ...timeColumn(narrow), ...(!narrow && { width: '112px' }) },
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
      const {
        label: word,
        problem: trouble,
        carrierWords,
      } = deliveryLabel(as<'message'>(row).details);
      return row.isInbound ? (
        <span className={css.quiet}>{row.readAt ? t('Read') : t('Unread')}</span>
      ) : (
        <span
          className={css.badge}
          title={[trouble, carrierWords].filter(Boolean).join('\n') || undefined}
        >
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
  sourceColumn,
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
  { ...partyColumn, width: 'minmax(108px, 1.3fr)' },
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
    width: 'minmax(130px, 150px)',
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
