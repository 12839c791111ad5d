import { ActionIcon } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { templates } from '#contract';
import { StatusBadge, t, Time, type Column } from '#ui';
import { routingName } from '../labels.ts';

type Template = templates.NumberTemplate;

/** Columns of the list of number templates. */
export const templateColumns = (): Column<Template>[] => [
  {
    key: 'name',
    title: t('Name'),
    width: 'minmax(150px, 1.2fr)',
    sortable: true,
    cell: (one) => (
      <span>
        {one.name} {one.is_default && <StatusBadge tone="accent">{t('Default')}</StatusBadge>}
      </span>
    ),
  },
  {
    key: 'description',
    title: t('What it is for'),
    width: 'minmax(120px, 1.6fr)',
    wideOnly: true,
    cell: (one) => one.description,
  },
  {
    key: 'routes',
    title: t('Routing'),
    width: 'minmax(110px, 1fr)',
    wideOnly: true,
    cell: (one) => routingLabel(one.routes),
  },
  {
    key: 'record',
    title: t('Recording'),
    width: '130px',
    wideOnly: true,
    cell: recordingLabel,
  },
  {
    key: 'usage_count',
    title: t('Used by'),
    width: '120px',
    sortable: true,
    cell: (one) =>
      one.usage_count === 0
        ? t('Unused')
        : t('{n, plural, one {# number} other {# numbers}}', { n: one.usage_count }),
  },
  {
    key: 'updatedAt',
    title: t('Changed'),
    width: '110px',
    sortable: true,
    wideOnly: true,
    cell: (one) => <Time at={one.updatedAt} as="ago" />,
  },
];

/** The column with the button that deletes a template. */
export const deleteColumn = (
  isPending: boolean,
  onDelete: (one: Template) => void,
): Column<Template> => ({
  key: 'do',
  title: '',
  width: '40px',
  align: 'end' as const,
  cell: (one: Template) => (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={28}
      disabled={isPending}
      aria-label={t('Delete {name}', { name: one.name })}
      title={t('Delete')}
      onClick={() => onDelete(one)}
    >
      <IconTrash size={16} aria-hidden />
    </ActionIcon>
  ),
});

function recordingLabel(one: Template): string {
  if (one.ai_eav_enabled) return t('On, AI fields');
  return one.record ? t('On') : t('Off');
}

function routingLabel(byExtension: Template['routes']): string {
  const [first, ...others] = Object.values(byExtension).sort((a, b) => a.extension - b.extension);
  if (!first) return t('Unchanged');
  if (others.length === 0) return routingName(first.type);
  return t('{n, plural, one {# extension} other {# extensions}}', { n: others.length + 1 });
}
