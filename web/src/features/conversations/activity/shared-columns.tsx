import { IconArrowDownLeft, IconArrowUpRight } from '@tabler/icons-react';
import type { ActivityKind } from '#contract/conversations/rules';
import type { InboxItem } from '#contract/conversations/schemas';
import { formatPhoneNumber, Hidden, t, Time, type Column } from '#ui';
import { AudioClip } from '../thread/AudioClip.tsx';
import type { ItemOf } from '../cache-updates.ts';
import { numberLabel, partyName } from '#ui/messaging/labels.ts';
import css from './activity-columns.module.css';

export type Row = InboxItem;
/** The row with the details of its kind. Safe because a list holds one kind only. */
export const as = <K extends ActivityKind>(row: Row): ItemOf<K> => row as unknown as ItemOf<K>;
export const partyColumn: Column<Row> = {
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
export const partyNumberColumn: Column<Row> = {
  key: 'party',
  title: t('Number'),
  width: '118px',
  wideOnly: true,
  cell: (row) => (
    <span className={css.quiet}>{row.contact?.name ? partyName(row.recipient) : ''}</span>
  ),
};
export const numberColumn: Column<Row> = {
  key: 'ours',
  title: t('Your number'),
  width: 'minmax(84px, 0.7fr)',
  wideOnly: true,
  cell: (row) => (
    <span title={formatPhoneNumber(row.number.number)}>{numberLabel(row.number)}</span>
  ),
};
/** Wide screens include the minute; phones show only the day of older items. */
export const timeColumn = (narrow: boolean): Column<Row> => ({
  key: 'when',
  title: t('When'),
  width: narrow ? '84px' : '118px',
  align: 'end',
  cell: (row) => <Time at={row.createdAt} as={narrow ? 'list' : 'moment'} />,
});
/** Seconds of the sound of a row. */
function lengthOf(row: Row): number {
  if (row.kind === 'call') return row.details.recordingSeconds ?? row.details.duration;
  return row.kind === 'voicemail' ? row.details.duration : 0;
}
/** Plays a call recording or voicemail. `refetch` runs when its URL has expired. */
export const recordingColumn = (refetch: () => void): Column<Row> => ({
  key: 'sound',
  title: t('Recording'),
  width: '84px',
  wideOnly: true,
  cell: (row) => {
    const url =
      row.kind === 'call'
        ? row.details.recordingUrl
        : row.kind === 'voicemail' || row.kind === 'fax'
          ? row.details.url
          : null;
    if (!url) return null;
    const seconds = lengthOf(row);
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
