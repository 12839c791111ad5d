import { Button, SegmentedControl } from '@mantine/core';
import { IconForms } from '@tabler/icons-react';
import { fields } from '#contract';
import { entityOf, entityTypeNamed, type EntityTypeId } from '#contract/fields/rules';
import {
  DataList,
  FilterBar,
  lazyComponent,
  SearchField,
  t,
  useApiQuery,
  useFilters,
  usePermission,
} from '#ui';
import { ListEmpty } from '#ui/list/ListParts.tsx';
import { SettingsFrame } from '../../../shared/SettingsFrame.tsx';
import { fieldColumns } from '../field-columns.tsx';
import { entityName, entityTypeKeys } from '../labels.ts';
import css from '../fields.module.css';

const FieldEditor = lazyComponent(async () => (await import('../FieldEditor.tsx')).FieldEditor);

const defaultFilters = { entity: 'call', search: '', open: '' };

/** The company's custom fields, by what they describe. */
export default function SettingsCustomFields() {
  const { filters, set, entity, opened, list } = useFieldList();
  const mayAdd = useMayAdd(entity);
  const add = mayAdd && (
    <Button onClick={() => set({ open: 'new' })}>{t('New custom field')}</Button>
  );
  return (
    <SettingsFrame
      title={t('Custom fields')}
      layout="fill"
      description={t('Extra details for numbers, calls, contacts and people.')}
      action={add}
      filters={
        <>
          <EntityChoice entity={entity} onChange={(key) => set({ entity: key, open: '' })} />
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
        {...list}
        label={t('Custom fields')}
        rowKey={(f) => f.id}
        rowLabel={(f) => f.name}
        columns={fieldColumns()}
        onOpen={(f) => set({ open: String(f.id) })}
        empty={
          <ListEmpty
            list={{ isFiltered: filters.search !== '', clear: () => set({ search: '' }) }}
            icon={IconForms}
            noMatch={t('No custom fields match')}
            title={t('No custom fields here yet')}
            action={add}
          >
            {t(
              'A field such as “Deal value” or “Stage” appears on every record, and in lists, filters and files.',
            )}
          </ListEmpty>
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

/** The fields of the chosen entity type that match the search, and the opened one, if any. */
function useFieldList() {
  const { filters, set } = useFilters(defaultFilters);
  const entity = entityTypeNamed(filters.entity) ?? entityOf.call;
  const { response, error, loading, refetch } = useApiQuery(
    fields.listFields,
    { query: { entityType: entityTypeKeys[entity], search: filters.search || null } },
    { staleTime: 30_000, silent: true },
  );
  const rows = response?.data.filter((f) => f.entity_type_id === entity);
  const opened = rows?.find((f) => String(f.id) === filters.open) ?? null;
  return { filters, set, entity, opened, list: { rows, error, loading, refetch } };
}

/** Whether the user can add fields; those of the organization need its permission too. */
function useMayAdd(entity: EntityTypeId): boolean {
  const mayEdit = usePermission('fields.edit');
  const mayOrganization = usePermission('organization.edit');
  return mayEdit && (entity !== entityOf.organization || mayOrganization);
}

/** The entity types in the order of their tabs. */
const entityOrder = [
  entityOf.call,
  entityOf.number,
  entityOf.contact,
  entityOf.user,
  entityOf.company,
  entityOf.trackingPool,
  entityOf.organization,
];

function EntityChoice({
  entity,
  onChange,
}: {
  entity: EntityTypeId;
  onChange: (key: string) => void;
}) {
  const counts = useApiQuery(fields.listFieldEntities, {}, { staleTime: 30_000, silent: true });
  const countOf = (id: EntityTypeId): number =>
    counts.response?.data.find((e) => e.id === id)?.attribute_count ?? 0;
  return (
    <div className={css.entities}>
      <SegmentedControl
        size="sm"
        aria-label={t('Fields for')}
        value={entityTypeKeys[entity]}
        onChange={onChange}
        data={entityOrder.map((id) => ({
          value: entityTypeKeys[id],
          label: countOf(id) ? `${entityName(id)} ${countOf(id)}` : entityName(id),
        }))}
      />
    </div>
  );
}
