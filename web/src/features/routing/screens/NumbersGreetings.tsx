import { useState } from 'react';
import { Button, Select } from '@mantine/core';
import { IconMicrophone } from '@tabler/icons-react';
import { greetings } from '#contract';
import type { SortDirection } from '#contract/sort-direction';
import {
  confirm,
  DataList,
  EmptyState,
  FilterBar,
  lazyComponent,
  Page,
  SearchField,
  t,
  useApiQuery,
  useFilters,
  usePageSize,
  usePermission,
  useApiMutation,
} from '#ui';
import { NumbersTabs, typeOptions } from '../../numbers/index.ts';
import { greetingColumns } from '../greeting-columns.tsx';
import { GreetingUses } from '../GreetingUses.tsx';

const GreetingDialog = lazyComponent(
  async () => (await import('../GreetingDialog.tsx')).GreetingDialog,
);

type Greeting = greetings.Greeting;
const defaultFilters = {
  search: '',
  type: '',
  page: 1,
  sort: 'created_at',
  dir: 'desc' as SortDirection,
};

type Filters = typeof defaultFilters;

const useGreetings = (filters: Filters, perPage: number) =>
  useApiQuery(greetings.listGreetings, {
    query: {
      page: filters.page,
      perPage,
      sort: filters.sort,
      dir: filters.dir,
      search: filters.search || null,
      type: filters.type || null,
    },
  });

/** Deletes a greeting after asking; one in use can't be deleted, so its uses are shown instead. */
function useDeleteGreeting(onInUse: (greeting: Greeting) => void) {
  const { mutate: remove } = useApiMutation(greetings.deleteGreeting, {
    success: t(greetings.greetingSaid.deleted),
    invalidates: [greetings.listGreetings],
  });
  return async (one: Greeting): Promise<void> => {
    if (one.used_by_count > 0) return onInUse(one);
    if (
      await confirm({
        title: t('Delete “{name}”?', { name: one.name }),
        body: t('Nothing uses it. The audio is permanently deleted.'),
        confirmLabel: t('Delete'),
        danger: true,
      })
    )
      void remove({ params: { id: one.id } });
  };
}

/** The company's greetings: list, search, add, edit and delete. */
export default function NumbersGreetings() {
  const { filters, set, clear, isFiltered } = useFilters(defaultFilters);
  const { perPage, onPerPage } = usePageSize('greetings', 25, () => set({ page: 1 }));
  const mayEdit = usePermission('routing.edit');
  const [editing, setEditing] = useState<Greeting | 'new' | null>(null);
  const [usesOf, setUsesOf] = useState<Greeting | null>(null);
  const { response, error, loading, refetch } = useGreetings(filters, perPage);
  const ask = useDeleteGreeting(setUsesOf);
  const columns = greetingColumns({
    mayEdit,
    onShowUses: setUsesOf,
    onEdit: setEditing,
    onDelete: (greeting) => void ask(greeting),
  });
  const add = mayEdit && <Button onClick={() => setEditing('new')}>{t('Add greeting')}</Button>;
  return (
    <Page
      title={t('Greetings')}
      layout="fill"
      description={t(
        'What callers hear. Choose greetings in a number’s settings, menu and routes.',
      )}
      action={add}
      filters={
        <>
          <NumbersTabs />
          <GreetingFilters
            filters={filters}
            onChange={set}
            isFiltered={isFiltered}
            onClear={clear}
          />
        </>
      }
    >
      <DataList
        label={t('Greetings')}
        rows={response?.data}
        loading={loading}
        error={error}
        refetch={refetch}
        rowKey={(g) => g.id}
        rowLabel={(g) => g.name}
        columns={columns}
        comfortable
        sort={{ field: filters.sort, dir: filters.dir }}
        onSort={(sort) => set({ sort: sort.field, dir: sort.dir })}
        paging={{
          page: filters.page,
          perPage,
          onPerPage,
          meta: response?.meta,
          onPage: (page) => set({ page }),
        }}
        empty={<NoGreetings isFiltered={isFiltered} onClear={clear} add={add} />}
      />
      {editing !== null && (
        <GreetingDialog
          greeting={editing === 'new' ? null : editing}
          close={() => setEditing(null)}
        />
      )}
      {usesOf !== null && <GreetingUses greeting={usesOf} close={() => setUsesOf(null)} />}
    </Page>
  );
}

function GreetingFilters({
  filters,
  onChange,
  isFiltered,
  onClear,
}: {
  filters: Filters;
  onChange: (change: Partial<Filters>) => void;
  isFiltered: boolean;
  onClear: () => void;
}) {
  return (
    <FilterBar isFiltered={isFiltered} onClear={onClear}>
      <SearchField
        maxLength={80}
        label={t('Search greetings')}
        placeholder={t('Name or words')}
        value={filters.search}
        onChange={(search) => onChange({ search })}
      />
      <Select
        aria-label={t('Used for')}
        placeholder={t('Any usage')}
        w={170}
        clearable
        clearButtonProps={{ 'aria-label': t('Any usage') }}
        data={typeOptions()}
        value={filters.type || null}
        onChange={(type) => onChange({ type: type ?? '' })}
      />
    </FilterBar>
  );
}

function NoGreetings({
  isFiltered,
  onClear,
  add,
}: {
  isFiltered: boolean;
  onClear: () => void;
  add: React.ReactNode;
}) {
  const icon = <IconMicrophone size={28} stroke={1.5} />;
  if (isFiltered)
    return (
      <EmptyState
        icon={icon}
        title={t('No greetings match')}
        action={
          <Button variant="default" onClick={onClear}>
            {t('Clear filters')}
          </Button>
        }
      >
        {t('Try another search or clear the filters.')}
      </EmptyState>
    );
  return (
    <EmptyState icon={icon} title={t('No greetings yet')} action={add}>
      {t(
        'Write what callers should hear and have it read aloud, upload a file, or record it here.',
      )}
    </EmptyState>
  );
}
