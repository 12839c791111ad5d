import { Button, SegmentedControl } from '@mantine/core';
import { IconForms } from '@tabler/icons-react';
import { fields } from '#contract';
import { entityTypeNamed, entityTypes } from '#contract/fields/rules';
import {
  type Column,
  DataList,
  EmptyState,
  FilterBar,
  lazyComponent,
  SearchField,
  StatusBadge,
  t,
  useApiQuery,
  useFilters,
  usePermission,
} from '#ui';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import type { Field } from '../use-fields.tsx';
import { entityName, typeName } from '../labels.ts';
import css from '../fields.module.css';

const FieldEditor = lazyComponent(async () => (await import('../FieldEditor.tsx')).FieldEditor);

const defaultFilters = { entity: 'call', search: '', open: '' };

/** The company's custom fields, by what they describe. */
export default function SettingsCustomFields() {
  const { filters, set, clear } = useFilters(defaultFilters);
  const mayEdit = usePermission('fields.edit');
  const mayOrganization = usePermission('organization.edit');
  const entity = entityTypeNamed(filters.entity) ?? 6;
  const { response, error, loading, refetch } = useApiQuery(
    fields.listFields,
    { query: { entityType: entityTypes[entity - 1]!.key, search: filters.search || null } },
    { staleTime: 30_000, silent: true },
  );
  const counts = useApiQuery(fields.listFieldEntities, {}, { staleTime: 30_000, silent: true });
  const rows = response?.data.filter((f) => f.entity_type_id === entity);
  const opened = rows?.find((f) => String(f.id) === filters.open) ?? null;
  const columns: Column<Field>[] = [
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
          f.is_required && t('required'),
          f.is_unique && t('unique'),
          f.is_visible_in_list && t('in lists'),
          f.is_filterable && t('filter'),
          f.defaultValue !== null && t('default'),
        ]
          .filter(Boolean)
          .join(', '),
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
  const add = mayEdit && (entity !== 4 || mayOrganization) && (
    <Button onClick={() => set({ open: 'new' })}>{t('New custom field')}</Button>
  );
  const n = (id: number): number =>
    counts.response?.data.find((e) => e.id === id)?.attribute_count ?? 0;
  return (
    <SettingsFrame
      title={t('Custom fields')}
      layout="fill"
      description={t('Extra details for numbers, calls, contacts and people.')}
      action={add}
      filters={
        <>
          <div className={css.entities}>
            <SegmentedControl
              size="sm"
              aria-label={t('Fields for')}
              value={entityTypes[entity - 1]!.key}
              onChange={(key) => set({ entity: key, open: '' })}
              data={[6, 1, 7, 5, 2, 3, 4].map((id) => ({
                value: entityTypes[id - 1]!.key,
                label: n(id) ? `${entityName(id)} ${n(id)}` : entityName(id),
              }))}
            />
          </div>
          <FilterBar isFiltered={filters.search !== ''} onClear={() => set({ search: '' })}>
            <SearchField
              label={t('Search custom fields')}
              value={filters.search}
              onChange={(search) => set({ search })}
            />
          </FilterBar>
        </>
      }
    >
      <DataList
        label={t('Custom fields')}
        rows={rows}
        loading={loading}
        error={error}
        refetch={refetch}
        rowKey={(f) => f.id}
        rowLabel={(f) => f.name}
        columns={columns}
        onOpen={(f) => set({ open: String(f.id) })}
        empty={
          filters.search ? (
            <EmptyState
              icon={<IconForms size={28} stroke={1.5} />}
              title={t('No custom fields match')}
              action={
                <Button variant="default" onClick={clear}>
                  {t('Clear the search')}
                </Button>
              }
            >
              {t('Try another word.')}
            </EmptyState>
          ) : (
            <EmptyState
              icon={<IconForms size={28} stroke={1.5} />}
              title={t('No custom fields here yet')}
              action={add}
            >
              {t(
                'A field such as “Deal value” or “Stage” appears on every record, and in lists, filters and files.',
              )}
            </EmptyState>
          )
        }
      />
      {(filters.open === 'new' || opened) && (
        <FieldEditor
          key={filters.open}
          entity={entity}
          field={opened}
          onClose={() => set({ open: '' })}
        />
      )}
    </SettingsFrame>
  );
}
