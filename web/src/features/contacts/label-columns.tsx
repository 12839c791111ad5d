import { ActionIcon, Group } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import type { groups } from '#contract';
import { formatNumber, t, Time, type Column } from '#ui';

type Label = groups.ContactLabel;
interface LabelActions {
  onRename: (label: Label) => void;
  onDelete: (label: Label) => void;
}

/** The columns of the contact labels; `actions` null hides the buttons. */
export const labelColumns = (actions: LabelActions | null): Column<Label>[] => [
  {
    key: 'label',
    title: t('Label'),
    sortable: true,
    width: 'minmax(120px, 2fr)',
    cell: (l) => l.label,
  },
  {
    key: 'contacts',
    title: t('Contacts'),
    width: '100px',
    align: 'end',
    cell: (l) => formatNumber(l.contactCount),
  },
  {
    key: 'createdAt',
    title: t('Created'),
    sortable: true,
    width: '110px',
    wideOnly: true,
    cell: (l) => <Time at={l.createdAt} as="ago" />,
  },
  ...(actions
    ? [
        {
          key: 'do',
          title: '',
          width: '84px',
          align: 'end' as const,
          cell: (l: Label) => <LabelButtons label={l} {...actions} />,
        },
      ]
    : []),
];

function LabelButtons({ label, onRename, onDelete }: LabelActions & { label: Label }) {
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      <ActionIcon
        variant="subtle"
        color="gray"
        size={28}
        aria-label={t('Rename {label}', { label: label.label })}
        onClick={(e) => {
          e.stopPropagation();
          onRename(label);
        }}
      >
        <IconPencil size={16} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={28}
        aria-label={t('Delete {label}', { label: label.label })}
        onClick={(e) => {
          e.stopPropagation();
          onDelete(label);
        }}
      >
        <IconTrash size={16} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
