import { Menu } from '@mantine/core';
import { IconFilter, IconPencil, IconTrash } from '@tabler/icons-react';
import { groups } from '#contract';
import { type Column, formatNumber, StatusBadge, t } from '#ui';
import { RowMenu } from '../../shared/RowMenu.tsx';
import type { Rule } from './labels.ts';
import css from './contacts.module.css';

type ContactGroup = groups.Group;
interface GroupActions {
  onEdit: (group: ContactGroup) => void;
  onDelete: (group: ContactGroup) => void;
}

const countColumn = (
  key: 'contactCount' | 'activeCount' | 'unsubscriberCount' | 'invalidCount',
  title: string,
  wideOnly = true,
): Column<ContactGroup> => ({
  key,
  title,
  width: '108px',
  align: 'end',
  wideOnly,
  cell: (g) => formatNumber(g[key]),
});

/** The columns of the contact groups; `ruleText` formats the rule of a virtual group. */
export function groupColumns(
  mayEdit: boolean,
  ruleText: (rule: Rule) => string,
  { onEdit, onDelete }: GroupActions,
): Column<ContactGroup>[] {
  return [
    {
      key: 'name',
      title: t('Group'),
      sortable: true,
      width: 'minmax(150px, 2fr)',
      cell: (g) => (
        <span className={css.name}>
          <span>{g.name}</span>
        </span>
      ),
    },
    {
      key: 'kind',
      title: t('Type'),
      width: 'minmax(120px, 2fr)',
      wideOnly: true,
      cell: (g) =>
        g.system ? (
          <StatusBadge>{t('Built-in')}</StatusBadge>
        ) : g.virtual && g.rule ? (
          <span className={css.rule} title={ruleText(g.rule)}>
            <IconFilter size={14} aria-label={t('Rule-based')} /> {ruleText(g.rule)}
          </span>
        ) : (
          <span className={css.rule}>{t('List')}</span>
        ),
    },
    countColumn('contactCount', t('Contacts'), false),
    countColumn('activeCount', t('Can receive texts')),
    countColumn('unsubscriberCount', t('Unsubscribed')),
    countColumn('invalidCount', t('Invalid')),
    ...(mayEdit
      ? [
          {
            key: 'menu',
            title: '',
            width: '44px',
            align: 'end' as const,
            cell: (g: ContactGroup) =>
              g.system ? null : <GroupMenu group={g} onEdit={onEdit} onDelete={onDelete} />,
          },
        ]
      : []),
  ];
}

function GroupMenu({ group: g, onEdit, onDelete }: GroupActions & { group: ContactGroup }) {
  return (
    <RowMenu name={g.name}>
      <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => onEdit(g)}>
        {g.virtual ? t('Edit rule') : t('Rename')}
      </Menu.Item>
      <Menu.Item
        color="red"
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={() => onDelete(g)}
      >
        {t('Delete group')}
      </Menu.Item>
    </RowMenu>
  );
}
