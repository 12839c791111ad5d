import { Menu } from '@mantine/core';
import { IconColumns3, IconExternalLink, IconPencil, IconTrash } from '@tabler/icons-react';
import { presets } from '#contract';
import { type Column, navigate, StatusBadge, t, Time } from '#ui';
import { RowMenu } from '../../shared/RowMenu.tsx';

type Preset = presets.ColumnPreset;
interface PresetActions {
  onToggleDefault: (preset: Preset) => void;
  onEdit: (preset: Preset) => void;
  onDelete: (preset: Preset) => void;
}
export const lists: [entity: Preset['entity'], name: () => string, path: string][] = [
  ['numbers', () => t('Numbers'), '/numbers'],
  ['calls', () => t('Calls'), '/activity/calls'],
  ['messages', () => t('Messages'), '/activity/messages'],
  ['voicemails', () => t('Voicemails'), '/activity/voicemails'],
  ['fax', () => t('Fax'), '/activity/fax'],
  ['contacts', () => t('Contacts'), '/contacts'],
  ['templates', () => t('Templates'), '/numbers/templates'],
  ['users', () => t('Users'), '/settings/users'],
  ['campaigns', () => t('Campaigns'), '/campaigns'],
];
const listOf = (entity: string) => lists.find(([key]) => key === entity);

/** The columns of the list of saved presets. */
export const presetColumns = ({
  onToggleDefault,
  onEdit,
  onDelete,
}: PresetActions): Column<Preset>[] => [
  { key: 'name', title: t('Preset'), width: 'minmax(150px, 1.5fr)', cell: (p) => p.name },
  {
    key: 'entity',
    title: t('List'),
    width: 'minmax(100px, 1fr)',
    cell: (p) => listOf(p.entity)?.[1]() ?? p.entity,
  },
  {
    key: 'columns',
    title: t('Columns'),
    width: '90px',
    align: 'end',
    wideOnly: true,
    cell: (p) => p.columns.filter((c) => !c.hidden).length,
  },
  {
    key: 'whose',
    title: t('Owner'),
    width: 'minmax(120px, 1fr)',
    wideOnly: true,
    cell: (p) => (p.mine ? (p.shared ? t('Mine, shared') : t('Mine')) : p.user.name),
  },
  {
    key: 'default',
    title: t('Default'),
    width: '130px',
    wideOnly: true,
    cell: (p) => (p.is_default ? <StatusBadge tone="success">{t('My default')}</StatusBadge> : ''),
  },
  {
    key: 'updated',
    title: t('Changed'),
    width: '100px',
    wideOnly: true,
    cell: (p) => <Time at={p.updated_at} as="ago" />,
  },
  {
    key: 'do',
    title: '',
    width: '40px',
    align: 'end',
    cell: (p) => (
      <PresetMenu
        preset={p}
        onToggleDefault={onToggleDefault}
        onEdit={onEdit}
        onDelete={onDelete}
      />
    ),
  },
];

function PresetMenu({
  preset: p,
  onToggleDefault,
  onEdit,
  onDelete,
}: PresetActions & { preset: Preset }) {
  return (
    <RowMenu name={p.name}>
      <Menu.Item
        leftSection={<IconExternalLink size={16} aria-hidden />}
        onClick={() => navigate(listOf(p.entity)?.[2] ?? '/')}
      >
        {t('Open the list')}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconColumns3 size={16} aria-hidden />}
        onClick={() => onToggleDefault(p)}
      >
        {p.is_default ? t('Don’t use as default') : t('Use as default')}
      </Menu.Item>
      {p.mine && (
        <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => onEdit(p)}>
          {t('Rename or share')}
        </Menu.Item>
      )}
      {p.mine && (
        <Menu.Item
          color="red"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => onDelete(p)}
        >
          {t('Delete')}
        </Menu.Item>
      )}
    </RowMenu>
  );
}
