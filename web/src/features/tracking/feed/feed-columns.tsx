import type { tracking } from '#contract';
import { PhoneNumber, StatusBadge, t, Time, type Column, type Tone } from '#ui';

/** What happened, in words. */
export const feedTypeName = (type: tracking.FeedType): string =>
  ({
    session_started: t('Visit began'),
    swap: t('Number shown'),
    exhausted: t('No number free'),
    heartbeat: t('Page still open'),
    session_ended: t('Visit ended'),
    call: t('Call'),
    text: t('Text'),
    form: t('Form'),
  })[type];
const tones: Partial<Record<tracking.FeedType, Tone>> = {
  call: 'success',
  text: 'success',
  form: 'success',
  exhausted: 'warn',
};

/** A row in words, for screen readers. */
export const feedRowName = ({ type, source }: tracking.FeedRow): string =>
  t('{what}, from {source}', { what: feedTypeName(type), source: source.label });

/** Columns of the live feed. `pools`: names by ID. */
export const feedColumns = (pools: ReadonlyMap<number, string>): Column<tracking.FeedRow>[] => [
  {
    key: 'type',
    title: t('What happened'),
    width: '144px',
    cell: (row) => <What row={row} />,
  },
  {
    key: 'source',
    title: t('Source'),
    width: 'minmax(110px, 1fr)',
    cell: ({ source }) => source.label,
  },
  {
    key: 'campaign',
    title: t('Campaign'),
    wideOnly: true,
    cell: ({ campaign }) => campaign ?? '–',
  },
  {
    key: 'page',
    title: t('Page'),
    width: 'minmax(120px, 1.6fr)',
    wideOnly: true,
    cell: ({ page }) => <span title={page ?? undefined}>{shortPage(page)}</span>,
  },
  {
    key: 'number',
    title: t('Number'),
    width: '136px',
    wideOnly: true,
    cell: ({ number }) => (number ? <PhoneNumber value={number} /> : '–'),
  },
  {
    key: 'caller',
    title: t('Caller'),
    width: '136px',
    wideOnly: true,
    cell: ({ caller }) => (caller ? <PhoneNumber value={caller} /> : '–'),
  },
  {
    key: 'pool',
    title: t('Pool'),
    wideOnly: true,
    cell: ({ poolId }) => (poolId === null ? '–' : (pools.get(poolId) ?? '–')),
  },
  { key: 'at', title: t('When'), width: '92px', cell: ({ at }) => <Time at={at} /> },
];

/** A call leads to its record. */
function What({ row: { type, subjectId } }: { row: tracking.FeedRow }) {
  const badge = <StatusBadge tone={tones[type] ?? 'neutral'}>{feedTypeName(type)}</StatusBadge>;
  return type === 'call' ? <a href={`/calls/${subjectId}`}>{badge}</a> : badge;
}

/** The path of a page, which says most in little room; of the first page, its website. */
const shortPage = (page: string | null): string => {
  if (page === null || !URL.canParse(page)) return '–';
  const { pathname, host } = new URL(page);
  return pathname === '/' ? host : pathname;
};
