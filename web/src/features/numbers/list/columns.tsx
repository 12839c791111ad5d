import type { numbers } from '#contract';
import {
  Chips,
  CountBadge,
  formatPhoneNumber,
  PhoneNumber,
  StatusBadge,
  t,
  Time,
  type Column,
} from '#ui';
import {
  categoryName,
  canText,
  routingName,
  statusName,
  statusTone,
  verificationName,
} from '../labels.ts';
import cells from '#ui/components/cells.module.css';
import css from './columns.module.css';

type Row = numbers.NumberRow;
const latest = (n: Row): string | null =>
  [n.last_call_at, n.last_message_at]
    .filter((at) => at !== null)
    .sort()
    .at(-1) ?? null;

/**
 * Columns of the numbers table. The first is always visible; the user chooses the others. `menu`
 * null leaves out the row menu.
 */
export function numberColumns(act: {
  onTag: (tag: string) => void;
  menu: ((n: Row) => React.ReactNode) | null;
}): Column<Row>[] {
  const columns = [...mainColumns(), ...routingColumns(act.onTag), ...activityColumns()];
  if (act.menu)
    columns.push({
      key: 'menu',
      title: '',
      width: '40px',
      align: 'end',
      wideOnly: true,
      cell: act.menu,
    });
  return columns;
}

const mainColumns = (): Column<Row>[] => [
  {
    key: 'number',
    title: t('Number'),
    width: 'minmax(144px, 1fr)',
    sortable: true,
    cell: (n) => (
      <span className={css.number}>
        <PhoneNumber value={n.number} />
        <CountBadge
          count={n.unread_messages_count}
          label={t('{n} unread', { n: n.unread_messages_count })}
        />
      </span>
    ),
  },
  {
    key: 'label',
    title: t('Label'),
    width: 'minmax(88px, 1.4fr)',
    sortable: true,
    cell: (n) => n.label || <span className={cells.quiet}>{t('No label')}</span>,
  },
  {
    key: 'status',
    title: t('Status'),
    width: 'minmax(84px, 128px)',
    sortable: true,
    wideOnly: true,
    cell: (n) => <StatusBadge tone={statusTone(n.status)}>{statusName(n.status)}</StatusBadge>,
  },
  {
    key: 'category',
    title: t('Type'),
    width: '66px',
    sortable: true,
    wideOnly: true,
    cell: (n) => categoryName(n.category),
  },
  {
    key: 'place',
    title: t('Place'),
    width: 'minmax(88px, 1fr)',
    wideOnly: true,
    cell: (n) =>
      [n.city, n.region].filter(Boolean).join(', ') || <span className={cells.quiet}>–</span>,
  },
];

const routingColumns = (onTag: (tag: string) => void): Column<Row>[] => [
  {
    key: 'routingType',
    title: t('Routing'),
    width: 'minmax(92px, 1.1fr)',
    sortable: true,
    wideOnly: true,
    cell: (n) => (
      <span title={n.forwardNumber ? formatPhoneNumber(n.forwardNumber) : undefined}>
        {routingName(n.routingType)}
      </span>
    ),
  },
  {
    key: 'texts',
    title: t('Texts'),
    width: '72px',
    wideOnly: true,
    hidden: true,
    cell: (n) => <TextingState number={n} />,
  },
  {
    key: 'tags',
    title: t('Tags'),
    width: 'minmax(52px, 0.8fr)',
    wideOnly: true,
    cell: (n) => (
      <Chips
        chips={n.tags.map((tag) => ({
          id: tag.id,
          name: tag.name,
          label: t('Show numbers tagged {tag}', { tag: tag.name }),
          onPress: () => onTag(tag.name),
        }))}
      />
    ),
  },
];

function TextingState({ number: n }: { number: Row }) {
  if (!n.sms_enabled) return <span className={cells.quiet}>{t('Off')}</span>;
  if (canText(n)) return t('On');
  return <span title={verificationName(n.sms_verification)}>{t('Waiting')}</span>;
}

const activityColumns = (): Column<Row>[] => [
  {
    key: 'last_call_at',
    title: t('Last used'),
    width: '84px',
    sortable: true,
    wideOnly: true,
    cell: (n) => {
      const at = latest(n);
      return at ? <Time at={at} as="ago" /> : <span className={cells.quiet}>{t('Never')}</span>;
    },
  },
  {
    key: 'purchased_at',
    title: t('Bought'),
    width: '116px',
    sortable: true,
    wideOnly: true,
    hidden: true,
    cell: (n) => <Time at={n.purchased_at} as="date" />,
  },
];
