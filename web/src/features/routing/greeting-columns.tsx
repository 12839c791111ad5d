import { Button, Menu } from '@mantine/core';
import { IconEdit, IconMapPin, IconTrash } from '@tabler/icons-react';
import type { greetings } from '#contract';
import { StatusBadge, t, Time, type Column } from '#ui';
import { RowMenu } from '../../shared/RowMenu.tsx';
import { AudioClip } from '#ui/components/AudioClip.tsx';
import { sourceName, typeName } from '../numbers/index.ts';
import css from './Greetings.module.css';

type Greeting = greetings.Greeting;
interface GreetingActions {
  mayEdit: boolean;
  onShowUses: (greeting: Greeting) => void;
  onEdit: (greeting: Greeting) => void;
  onDelete: (greeting: Greeting) => void;
}

/** Columns of the list of greetings. */
export const greetingColumns = (actions: GreetingActions): Column<Greeting>[] => [
  ...soundColumns(),
  ...usageColumns(actions),
  {
    key: 'do',
    title: '',
    width: '48px',
    align: 'end',
    cell: (g) => <GreetingMenu greeting={g} {...actions} />,
  },
];

/** What it is: its name, the sound itself, its type and how it was made. */
const soundColumns = (): Column<Greeting>[] => [
  {
    key: 'name',
    title: t('Name'),
    width: 'minmax(120px, 1.8fr)',
    sortable: true,
    cell: (g) => (
      <span className={css.name}>
        <span>{g.name}</span>
        {g.content && <small>{g.content}</small>}
      </span>
    ),
  },
  {
    key: 'listen',
    title: t('Listen'),
    width: 'minmax(84px, 1fr)',
    cell: (g) => (
      <AudioClip
        key={g.file_url}
        url={g.file_url}
        seconds={g.duration_ms / 1000}
        label={g.name}
        small
      />
    ),
  },
  {
    key: 'type',
    title: t('Used for'),
    width: '150px',
    sortable: true,
    wideOnly: true,
    cell: (g) => typeName(g.type),
  },
  {
    key: 'source',
    title: t('Created'),
    width: '100px',
    wideOnly: true,
    cell: (g) => sourceName(g.source),
  },
];

/** Where it is used, and since when it exists. */
const usageColumns = (actions: GreetingActions): Column<Greeting>[] => [
  {
    key: 'default',
    title: t('Default'),
    width: '100px',
    wideOnly: true,
    cell: (g) => (g.is_default ? <StatusBadge tone="info">{t('Default')}</StatusBadge> : null),
  },
  {
    key: 'used',
    title: t('Usage'),
    width: '110px',
    wideOnly: true,
    cell: (g) =>
      g.used_by_count === 0 ? (
        '–'
      ) : (
        <Button size="compact-xs" variant="subtle" onClick={() => actions.onShowUses(g)}>
          {t('{n, plural, one {# place} other {# places}}', { n: g.used_by_count })}
        </Button>
      ),
  },
  {
    key: 'created_at',
    title: t('Added'),
    width: '90px',
    sortable: true,
    wideOnly: true,
    cell: (g) => <Time at={g.created_at} />,
  },
];

function GreetingMenu({
  greeting,
  mayEdit,
  onShowUses,
  onEdit,
  onDelete,
}: GreetingActions & { greeting: Greeting }) {
  return (
    <RowMenu name={greeting.name}>
      <Menu.Item
        leftSection={<IconMapPin size={16} aria-hidden />}
        onClick={() => onShowUses(greeting)}
      >
        {t('Where it’s used')}
      </Menu.Item>
      {mayEdit && (
        <Menu.Item
          leftSection={<IconEdit size={16} aria-hidden />}
          onClick={() => onEdit(greeting)}
        >
          {t('Edit')}
        </Menu.Item>
      )}
      {mayEdit && (
        <Menu.Item
          color="red"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => onDelete(greeting)}
        >
          {t('Delete')}
        </Menu.Item>
      )}
    </RowMenu>
  );
}
