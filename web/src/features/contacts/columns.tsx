import { Chips, PhoneNumber, StatusBadge, t, Time, type Column } from '#ui';
import {
  contactName,
  optInName,
  sourceName,
  stateName,
  stateOf,
  stateTone,
  type Contact,
} from './labels.ts';
import css from '#ui/components/cells.module.css';

const some = (text: string) => text || <span className={css.quiet}>–</span>;

interface ChipActions {
  onGroup: (id: number) => void;
  onLabel: (id: number) => void;
}

/** The table's columns. The first is always shown; users choose the others. */
export const contactColumns = (actions: ChipActions): Column<Contact>[] => [
  ...identityColumns(),
  ...membershipColumns(actions),
  ...moreColumns(),
];

const identityColumns = (): Column<Contact>[] => [
  {
    key: 'name',
    title: t('Name'),
    width: 'minmax(130px, 1.6fr)',
    sortable: true,
    cell: (c) => (
      <span title={contactName(c)}>
        {c.name || c.companyName || <span className={css.quiet}>{t('No name')}</span>}
      </span>
    ),
  },
  {
    key: 'number',
    title: t('Number'),
    width: '148px',
    cell: (c) => (c.masked ? c.number : <PhoneNumber value={c.number} />),
  },
  {
    key: 'state',
    title: t('Texting'),
    width: '124px',
    wideOnly: true,
    cell: (c) => <TextingState state={stateOf(c)} />,
  },
  {
    key: 'email',
    title: t('Email'),
    width: 'minmax(110px, 1.4fr)',
    wideOnly: true,
    cell: (c) => some(c.email),
  },
  {
    key: 'companyName',
    title: t('Company'),
    width: 'minmax(70px, 0.8fr)',
    wideOnly: true,
    cell: (c) => some(c.companyName),
  },
];

const membershipColumns = ({ onGroup, onLabel }: ChipActions): Column<Contact>[] => [
  {
    key: 'groups',
    title: t('Groups'),
    width: 'minmax(104px, 1.2fr)',
    wideOnly: true,
    cell: (c) => (
      <Chips
        chips={c.groups.map((g) => ({
          id: g.id,
          name: g.name,
          label: t('Show group {name}', { name: g.name }),
          onPress: () => onGroup(g.id),
        }))}
      />
    ),
  },
  {
    key: 'labels',
    title: t('Labels'),
    width: 'minmax(80px, 1fr)',
    wideOnly: true,
    cell: (c) => (
      <Chips
        chips={c.labels.map((l) => ({
          id: l.id,
          name: l.label,
          label: t('Show contacts labeled {label}', { label: l.label }),
          onPress: () => onLabel(l.id),
        }))}
      />
    ),
  },
];

const moreColumns = (): Column<Contact>[] => [
  {
    key: 'city',
    title: t('City'),
    width: 'minmax(80px, 1fr)',
    wideOnly: true,
    hidden: true,
    cell: (c) => some([c.city, c.state].filter(Boolean).join(', ')),
  },
  {
    key: 'type',
    title: t('Type'),
    width: '90px',
    wideOnly: true,
    hidden: true,
    cell: (c) => t(c.type),
  },
  {
    key: 'source',
    title: t('Source'),
    width: '96px',
    wideOnly: true,
    hidden: true,
    cell: (c) => sourceName(c.source),
  },
  {
    key: 'optinType',
    title: t('Opt-in'),
    width: '110px',
    wideOnly: true,
    hidden: true,
    cell: (c) => some(optInName(c.optinType)),
  },
  {
    key: 'addedAt',
    title: t('Added'),
    width: '100px',
    sortable: true,
    wideOnly: true,
    cell: (c) => <Time at={c.addedAt} as="ago" />,
  },
];

const TextingState = ({ state }: { state: ReturnType<typeof stateOf> }) =>
  state === 'active' ? (
    <span className={css.quiet}>{stateName(state)}</span>
  ) : (
    <StatusBadge tone={stateTone(state)}>{stateName(state)}</StatusBadge>
  );
