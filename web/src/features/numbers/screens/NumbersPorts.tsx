import { Button, Select } from '@mantine/core';
import { IconArrowsRightLeft } from '@tabler/icons-react';
import { porting } from '#contract';
import {
  type Column,
  DataList,
  EmptyState,
  FilterBar,
  lazyComponent,
  Page,
  SearchField,
  StatusBadge,
  t,
  Time,
  useApiQuery,
  useCommands,
  useFilters,
  usePermission,
} from '#ui';
import { NumbersTabs } from '../NumbersTabs.tsx';
import { PortStats } from '../ports/PortStats.tsx';
import { dayName, portStatusName, portStatusTone, portTypeName } from '../ports/labels.ts';

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
const perPage = 25;

/** Requests to port numbers in from other carriers. */
export default function NumbersPorts() {
  const { filters, set } = useFilters(defaultFilters);
  const mayEdit = usePermission('ports.edit');
  const isFiltered = Boolean(filters.search || filters.status || filters.type || filters.completed);
  const clear = (): void => set({ search: '', status: '', type: '', completed: '', page: 1 });
  const { response, error, loading, refetch } = useApiQuery(porting.listPorts, {
    query: {
      page: filters.page,
      perPage,
      sort: filters.sort,
      dir: filters.dir as 'asc',
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
  const which = (row: Row): string =>
    `${row.numbers[0]?.formatted ?? ''}${row.numbers_count > 1 ? ` ${t('and {n} more', { n: row.numbers_count - 1 })}` : ''}`;
  const columns: Column<Row>[] = [
    {
      key: 'numbers',
      title: t('Numbers'),
      width: 'minmax(170px, 1.4fr)',
      cell: (r) => <span className="tabular">{which(r)}</span>,
    },
    {
      key: 'status',
      title: t('Status'),
      width: 'minmax(130px, 1.1fr)',
      sortable: true,
      cell: (r) =>
        r.alarm ? (
          <StatusBadge tone="danger">{t('Needs attention')}</StatusBadge>
        ) : (
          <StatusBadge tone={portStatusTone(r.status)}>{portStatusName(r.status)}</StatusBadge>
        ),
    },
    {
      key: 'type',
      title: t('Type'),
      width: '100px',
      wideOnly: true,
      cell: (r) => portTypeName(r.type),
    },
    {
      key: 'losing_carrier',
      title: t('From'),
      sortable: true,
      wideOnly: true,
      cell: (r) => r.losing_carrier || '–',
    },
    {
      key: 'requested_date',
      title: t('Date'),
      width: '120px',
      sortable: true,
      wideOnly: true,
      cell: (r) => <span className="tabular">{dayName(r.foc_date ?? r.requested_date)}</span>,
    },
    {
      key: 'updated_at',
      title: t('Changed'),
      width: '110px',
      sortable: true,
      wideOnly: true,
      cell: (r) => <Time at={r.updated_at} as="ago" />,
    },
  ];
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
            <Select
              aria-label={t('Status')}
              placeholder={t('Any status')}
              w={190}
              clearable
              clearButtonProps={{ 'aria-label': t('Any status') }}
              data={porting.portStatuses.map((s) => ({ value: s, label: portStatusName(s) }))}
              value={
                porting.portStatuses.includes(filters.status as Row['status'])
                  ? filters.status
                  : null
              }
              onChange={(status) => set({ status: status ?? '', completed: '' })}
            />
            <Select
              aria-label={t('Type')}
              placeholder={t('Any type')}
              w={140}
              clearable
              clearButtonProps={{ 'aria-label': t('Any type') }}
              data={([1, 2, 3] as const).map((n) => ({ value: String(n), label: portTypeName(n) }))}
              value={filters.type || null}
              onChange={(type) => set({ type: type ?? '' })}
            />
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
        rowLabel={(r) => `${which(r)}, ${portStatusName(r.status)}`}
        onOpen={open}
        columns={columns}
        emphasized={(r) =>
          r.alarm !== null || r.status === 'documentsRequested' || r.status === 'rejected'
        }
        sort={{ field: filters.sort, dir: filters.dir as 'asc' }}
        onSort={(sort) => set({ sort: sort.field, dir: sort.dir })}
        paging={{
          page: filters.page,
          perPage,
          meta: response?.meta,
          onPage: (page) => set({ page }),
        }}
        empty={
          isFiltered ? (
            <EmptyState
              icon={<IconArrowsRightLeft size={28} stroke={1.5} />}
              title={t('No requests match these filters')}
              action={
                <Button variant="default" onClick={clear}>
                  {t('Clear filters')}
                </Button>
              }
            >
              {t('Try another search or clear the filters.')}
            </EmptyState>
          ) : (
            <EmptyState
              icon={<IconArrowsRightLeft size={28} stroke={1.5} />}
              title={t('No port requests yet')}
              action={add}
            >
              {t(
                'Bring the numbers you have elsewhere: check them, sign the letter and track their progress.',
              )}
            </EmptyState>
          )
        }
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
