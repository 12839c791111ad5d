import { Button, Select } from '@mantine/core';
import { IconArrowsRightLeft } from '@tabler/icons-react';
import { porting } from '#contract';
import {
  DataList,
  EmptyState,
  FilterBar,
  lazyComponent,
  Page,
  SearchField,
  t,
  useApiQuery,
  useCommands,
  useFilters,
  usePageSize,
  usePermission,
} from '#ui';
import { NumbersTabs } from '../NumbersTabs.tsx';
import { PortStats } from '../ports/PortStats.tsx';
import { portStatusName, portTypeName } from '../ports/labels.ts';
import { numbersLabel, portColumns } from '../ports/port-columns.tsx';

const PortWizard = lazyComponent(async () => (await import('../ports/PortWizard.tsx')).PortWizard);
const PortDrawer = lazyComponent(async () => (await import('../ports/PortDrawer.tsx')).PortDrawer);

type Row = porting.PortRow;
const defaultFilters = {
  search: '',
  status: '',
  type: '',
  completed: '',
  page: 1,
  sort: 'created_at',
  dir: 'desc',
  port: '',
  wizard: '',
};

/** Requests to port numbers in from other carriers. */
export default function NumbersPorts() {
  const { filters, set } = useFilters(defaultFilters);
  const { perPage, onPerPage } = usePageSize('ports', 25, () => set({ page: 1 }));
  const mayEdit = usePermission('ports.edit');
  const isFiltered = Boolean(filters.search || filters.status || filters.type || filters.completed);
  const clear = (): void => set({ search: '', status: '', type: '', completed: '', page: 1 });
  const { response, error, loading, refetch } = useApiQuery(porting.listPorts, {
    query: {
      page: filters.page,
      perPage,
      sort: filters.sort,
      dir: filters.dir,
      search: filters.search || null,
      status: filters.status || null,
      type: filters.type || null,
      completed_30d: filters.completed || null,
    },
  });
  const begin = (): void => set({ wizard: 'new', page: filters.page });
  const open = (row: Row): void =>
    set(
      row.status === 'pending' && mayEdit
        ? { wizard: String(row.id), page: filters.page }
        : { port: String(row.id), page: filters.page },
    );
  useCommands(
    mayEdit
      ? [
          {
            id: 'ports.new',
            title: t('Port numbers'),
            group: t('Numbers'),
            href: '/numbers/ports?wizard=new',
          },
        ]
      : [],
  );
  const add = mayEdit && <Button onClick={begin}>{t('Port numbers')}</Button>;
  return (
    <Page
      title={t('Ports')}
      layout="fill"
      description={t(
        'Numbers you’re porting in from another carrier. They keep working there until the port date.',
      )}
      action={add}
      filters={
        <>
          <NumbersTabs />
          <FilterBar isFiltered={isFiltered} onClear={clear}>
            <SearchField
              label={t('Search port requests')}
              placeholder={t('Number, carrier or name')}
              value={filters.search}
              onChange={(search) => set({ search })}
            />
            <StatusFilter
              value={filters.status}
              onChange={(status) => set({ status, completed: '' })}
            />
            <TypeFilter value={filters.type} onChange={(type) => set({ type })} />
          </FilterBar>
        </>
      }
    >
      <PortStats
        status={filters.status}
        completed={filters.completed}
        onPick={(pick) => set(pick)}
      />
      <DataList
        label={t('Port requests')}
        rows={response?.data}
        loading={loading}
        error={error}
        refetch={refetch}
        rowKey={(r) => r.id}
        rowLabel={(r) => `${numbersLabel(r)}, ${portStatusName(r.status)}`}
        onOpen={open}
        columns={portColumns()}
        emphasized={needsAction}
        sort={{ field: filters.sort, dir: filters.dir }}
        onSort={(sort) => set({ sort: sort.field, dir: sort.dir })}
        paging={{
          page: filters.page,
          perPage,
          onPerPage,
          meta: response?.meta,
          onPage: (page) => set({ page }),
        }}
        empty={<NoPorts isFiltered={isFiltered} onClear={clear} add={add} />}
      />
      {filters.wizard && (
        <PortWizard
          id={filters.wizard === 'new' ? null : Number(filters.wizard) || null}
          close={() => set({ wizard: '', page: filters.page })}
          opened={(id) => set({ wizard: String(id), page: filters.page })}
        />
      )}
      {filters.port && !filters.wizard && (
        <PortDrawer
          id={Number(filters.port) || 0}
          close={() => set({ port: '', page: filters.page })}
          edit={(id) => set({ wizard: String(id), page: filters.page })}
        />
      )}
    </Page>
  );
}

const needsAction = (row: Row): boolean =>
  row.alarm !== null || row.status === 'documentsRequested' || row.status === 'rejected';

interface FilterProps {
  value: string;
  onChange: (value: string) => void;
}

function StatusFilter({ value, onChange }: FilterProps) {
  const isStatus = porting.portStatuses.some((status) => status === value);
  return (
    <Select
      aria-label={t('Status')}
      placeholder={t('Any status')}
      w={190}
      clearable
      clearButtonProps={{ 'aria-label': t('Any status') }}
      data={porting.portStatuses.map((s) => ({ value: s, label: portStatusName(s) }))}
      value={isStatus ? value : null}
      onChange={(status) => onChange(status ?? '')}
    />
  );
}

function TypeFilter({ value, onChange }: FilterProps) {
  return (
    <Select
      aria-label={t('Type')}
      placeholder={t('Any type')}
      w={140}
      clearable
      clearButtonProps={{ 'aria-label': t('Any type') }}
      data={([1, 2, 3] as const).map((n) => ({ value: String(n), label: portTypeName(n) }))}
      value={value || null}
      onChange={(type) => onChange(type ?? '')}
    />
  );
}

function NoPorts({
  isFiltered,
  onClear,
  add,
}: {
  isFiltered: boolean;
  onClear: () => void;
  add: React.ReactNode;
}) {
  if (isFiltered)
    return (
      <EmptyState
        icon={<IconArrowsRightLeft size={28} stroke={1.5} />}
        title={t('No requests match these filters')}
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
    <EmptyState
      icon={<IconArrowsRightLeft size={28} stroke={1.5} />}
      title={t('No port requests yet')}
      action={add}
    >
      {t(
        'Bring the numbers you have elsewhere: check them, sign the letter and track their progress.',
      )}
    </EmptyState>
  );
}
