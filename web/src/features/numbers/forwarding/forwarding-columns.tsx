import type { forwarding } from '#contract';
import { formatNumber, formatPhoneNumber, StatusBadge, t, Time, type Column } from '#ui';

type Contact = forwarding.ForwardContact;

/** Columns of the list of forwarding numbers. */
export const forwardingColumns = (): Column<Contact>[] => [
  {
    key: 'name',
    title: t('Name'),
    width: 'minmax(96px, 1.4fr)',
    sortable: true,
    cell: (c) => c.name,
  },
  {
    key: 'number',
    title: t('Destination'),
    width: 'minmax(116px, 1.2fr)',
    sortable: true,
    cell: destinationLabel,
  },
  {
    key: 'used_by_count',
    title: t('Used by'),
    width: '110px',
    sortable: true,
    wideOnly: true,
    cell: (c) =>
      c.used_by_count === 0
        ? t('Unused')
        : t('{n, plural, one {# route} other {# routes}}', { n: c.used_by_count }),
  },
  {
    key: 'answer_rate_30d',
    title: t('Answered'),
    width: 'minmax(108px, 150px)',
    sortable: true,
    cell: (c) => <AnswerRate contact={c} />,
  },
  {
    key: 'last_answered_at',
    title: t('Last answered'),
    width: '120px',
    sortable: true,
    wideOnly: true,
    cell: (c) => (c.last_answered_at ? <Time at={c.last_answered_at} as="ago" /> : t('Never')),
  },
  {
    key: 'tags',
    title: t('Tags'),
    width: 'minmax(72px, 1fr)',
    wideOnly: true,
    cell: (c) => c.tags.map((tag) => tag.name).join(', '),
  },
];

function destinationLabel(c: Contact): string {
  if (c.type === 'user') return t('{name}, in the app', { name: c.user?.name ?? t('Someone') });
  const number = c.number?.startsWith('+') ? formatPhoneNumber(c.number) : (c.number ?? '');
  return c.extension ? `${number} ${t('ext.')} ${c.extension}` : number;
}

/** Share of the calls of the last 30 days that were answered. */
function AnswerRate({ contact: c }: { contact: Contact }) {
  if (c.answer_rate_30d === null) return t('No calls');
  const rate = Math.round(c.answer_rate_30d * 100);
  if (c.is_failing)
    return <StatusBadge tone="danger">{t('Failing, {rate}%', { rate })}</StatusBadge>;
  return t('{rate}% of {n}', { rate, n: formatNumber(c.attempts_30d) });
}
