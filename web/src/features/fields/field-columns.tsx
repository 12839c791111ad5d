import { StatusBadge, t, type Column } from '#ui';
import { typeName } from './labels.ts';
import type { Field } from './use-fields.tsx';

/** The columns of the custom fields. */
export const fieldColumns = (): Column<Field>[] => [
  { key: 'name', title: t('Name'), width: 'minmax(140px, 1.4fr)', cell: (f) => f.name },
  {
    key: 'type',
    title: t('Type'),
    width: 'minmax(110px, 1fr)',
    cell: (f) =>
      f.type === 'enum'
        ? t('{n, plural, one {# choice} other {# choices}}', { n: f.choices.length })
        : typeName(f.type),
  },
  {
    key: 'key',
    title: t('Key'),
    width: 'minmax(100px, 1fr)',
    wideOnly: true,
    cell: (f) => <code>{f.key}</code>,
  },
  {
    key: 'is',
    title: t('Properties'),
    width: 'minmax(150px, 1.4fr)',
    wideOnly: true,
    cell: (f) =>
      [
        f.is_required && t('Required'),
        f.is_unique && t('Unique'),
        f.is_visible_in_list && t('In lists'),
        f.is_filterable && t('Filterable'),
        f.defaultValue !== null && t('Has a default'),
      ]
        .filter(Boolean)
        .join(' · '),
  },
  {
    key: 'scope',
    title: t('Owner'),
    width: '130px',
    wideOnly: true,
    cell: (f) =>
      'company_id' in f.scope ? (
        t('This company')
      ) : f.overriding ? (
        <StatusBadge tone="info">{t('Overridden')}</StatusBadge>
      ) : (
        t('Organization')
      ),
  },
];
