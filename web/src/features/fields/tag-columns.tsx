import { Menu } from '@mantine/core';
import { IconArrowMerge, IconPencil, IconTrash } from '@tabler/icons-react';
import { t, Time, type Column } from '#ui';
import { RowMenu } from '../../shared/RowMenu.tsx';
import { colorVar, type Tag } from './TagDialogs.tsx';
import css from './fields.module.css';

interface TagActions {
  onEdit: (tag: Tag) => void;
  onMerge: (tag: Tag) => void;
  onDelete: (tag: Tag) => void;
}

/** The columns of the tag catalog. `editable`: which tags have a menu; null hides its column. */
export const tagColumns = (
  editable: ((tag: Tag) => boolean) | null,
  { onEdit, onMerge, onDelete }: TagActions,
): Column<Tag>[] => [
  {
    key: 'name',
    title: t('Tag'),
    width: 'minmax(140px, 1.6fr)',
    sortable: true,
    cell: (tag) => <TagName tag={tag} />,
  },
  {
    key: 'usage_count',
    title: t('Used on'),
    sortable: true,
    cell: usesText,
  },
  {
    key: 'scope',
    title: t('Owner'),
    width: '120px',
    wideOnly: true,
    cell: (tag) => (tag.scope === 'organization' ? t('Organization') : t('This company')),
  },
  {
    key: 'created_at',
    title: t('Created'),
    width: '110px',
    sortable: true,
    wideOnly: true,
    cell: (tag) => <Time at={tag.created_at} as="ago" />,
  },
  ...(editable
    ? [
        {
          key: 'do',
          title: '',
          width: '40px',
          align: 'end' as const,
          cell: (tag: Tag) =>
            editable(tag) && (
              <TagMenu tag={tag} onEdit={onEdit} onMerge={onMerge} onDelete={onDelete} />
            ),
        },
      ]
    : []),
];

const TagName = ({ tag }: { tag: Tag }) => (
  <span>
    <span className={css.dot} style={{ background: colorVar(tag.color) }} aria-hidden />
    {tag.name}
  </span>
);

/** What has the tag: "3 numbers, 1 call". */
const usesText = ({ uses: { numbers, calls, other } }: Tag): string =>
  [
    numbers && t('{n, plural, one {# number} other {# numbers}}', { n: numbers }),
    calls && t('{n, plural, one {# call} other {# calls}}', { n: calls }),
    other && t('{n, plural, one {# other item} other {# other items}}', { n: other }),
  ]
    .filter(Boolean)
    .join(', ') || t('Nothing yet');

function TagMenu({ tag, onEdit, onMerge, onDelete }: TagActions & { tag: Tag }) {
  return (
    <RowMenu name={tag.name}>
      <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => onEdit(tag)}>
        {t('Edit name or color')}
      </Menu.Item>
      {tag.scope === 'company' && (
        <Menu.Item
          leftSection={<IconArrowMerge size={16} aria-hidden />}
          onClick={() => onMerge(tag)}
        >
          {t('Merge into another')}
        </Menu.Item>
      )}
      <Menu.Item
        color="red"
        leftSection={<IconTrash size={16} aria-hidden />}
        onClick={() => onDelete(tag)}
      >
        {t('Delete')}
      </Menu.Item>
    </RowMenu>
  );
}
